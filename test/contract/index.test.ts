import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as contract from '../../src/contract/index.js'
import { suites } from './vectors/rows.js'

const ENTRY = new URL('../../src/contract/index.ts', import.meta.url)
const FOLDER = new URL('./', ENTRY).href

/** Every module the entry point reaches, and every specifier that leads out of its folder. */
function reach(entry: URL): { readonly modules: ReadonlySet<string>; readonly foreign: readonly string[] } {
  const modules = new Set<string>()
  const foreign: string[] = []
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (modules.has(file.href)) continue
    modules.add(file.href)
    const source = readFileSync(file, 'utf8')
    for (const [, specifier = ''] of source.matchAll(/^(?:import|export)\b[^'"]*?\bfrom\s+'([^']+)'/gm)) {
      const target = new URL(specifier.replace(/\.js$/, '.ts'), file)
      if (specifier.startsWith('.') && target.href.startsWith(FOLDER)) waiting.push(target)
      else foreign.push(specifier)
    }
  }
  return { modules, foreign }
}

describe('lastword/contract', () => {
  test('runs anywhere: it reaches nothing outside its folder', () => {
    const { modules, foreign } = reach(ENTRY)
    expect(modules.size).toBeGreaterThan(40)
    expect(foreign).toEqual([])
  })

  test('uses nothing that only Node has', () => {
    for (const href of reach(ENTRY).modules) {
      expect(readFileSync(new URL(href), 'utf8')).not.toMatch(
        /\b(?:Buffer|process|require|__dirname)(?:\.\w|\()/,
      )
    }
  })

  test('the example of its documentation holds', () => {
    const settler = contract.createSettler('acp')
    settler.push('{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"half"}}\n')
    expect(settler.end({ runError: 'deadline', deadlineMs: 60_000 })).toMatchObject({
      status: 'timeout',
      output: null,
      partialOutput: 'half',
    })
    const answer = contract.finalAssistantOutput([
      { kind: 'assistant_message', content: [{ type: 'text', text: 'Done.' }] },
    ])
    expect(answer).toEqual([{ type: 'text', text: 'Done.' }])
  })
})

test('every suite of the vectors has a test that plays all of its rows', () => {
  expect(suites()).toEqual([
    'background-job',
    'bookkeeping',
    'boundary',
    'consumed-work',
    'context-projection',
    'delivery',
    'diagnostic',
    'embedded-records',
    'foreground-render',
    'ledger-resolution',
    'lifecycle',
    'product-backend',
    'runtime',
    'selection',
    'settlement-notice',
    'stop-reason',
  ])
})
