import { describe, expect, test } from 'vitest'
import { foldStreamJson } from '../../../src/contract/stream-json/index.js'
import { anExit, assistant, CLEAN_EXIT, INIT, success, TOOL_USE, text, transcript } from './support.js'

const cancelled = anExit({ runError: 'canceled' })

function delta(words: string, parent: string | null = null): unknown {
  return {
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
    parent_tool_use_id: parent,
  }
}

const subAgent = { parent_tool_use_id: 'tu-parent' }

const rows = [
  { name: 'nothing said', events: [INIT], partial: null },
  {
    name: 'the last message, whole',
    events: [assistant(text('a')), assistant(text('b'), TOOL_USE)],
    partial: [text('b'), TOOL_USE],
  },
  { name: 'an empty message is skipped', events: [assistant(text('a')), assistant()], partial: [text('a')] },
  {
    name: 'blocks of an unknown type are kept',
    events: [assistant({ type: 'mystery', n: 1 })],
    partial: [{ type: 'mystery', n: 1 }],
  },
  {
    name: 'an unreadable message is not one',
    events: [assistant(text('a')), assistant({ type: 'text', text: 7 })],
    partial: [text('a')],
  },
  {
    name: 'a message after the result still counts',
    events: [success(''), assistant(text('late'))],
    partial: [text('late')],
  },
  {
    name: 'a sub-agent is not the main agent',
    events: [assistant(text('a')), { ...assistant(text('b')), ...subAgent }],
    partial: [text('a')],
  },
  {
    name: 'deltas when no message was finished',
    events: [delta('half an '), delta('answer')],
    partial: [text('half an answer')],
  },
  {
    name: 'a message beats deltas before and after it',
    events: [delta('a'), assistant(text('b')), delta('c')],
    partial: [text('b')],
  },
  { name: 'the deltas of a sub-agent do not count', events: [delta('a', 'tu-parent')], partial: null },
  { name: 'blank text is said', events: [assistant(text(' \n'))], partial: [text(' \n')] },
  {
    name: 'the notice a runtime writes in the place of a message is not what the agent said',
    events: [
      assistant(text('a')),
      { type: 'assistant', message: { model: '<synthetic>', content: [text('API Error: 529')] } },
    ],
    partial: [text('a')],
  },
] as const

describe('partial output of a run that did not complete', () => {
  for (const { name, events, partial } of rows) {
    for (const provider of ['claude', 'codebuddy', 'qwen'] as const) {
      test(`${provider}: ${name}`, () => {
        const settlement = foldStreamJson(provider, transcript(...events), cancelled)
        expect(settlement).toMatchObject({ status: 'aborted', output: null, partialOutput: partial })
      })
    }
  }

  test('cursor: the last message, else the text parts', () => {
    const part = (words: string): unknown => ({ type: 'text', part: { text: words } })
    const said = transcript(part('a'), assistant(text('b')), assistant(text('c')))
    expect(foldStreamJson('cursor', said, cancelled).partialOutput).toEqual([text('c')])
    expect(foldStreamJson('cursor', transcript(part('a'), part('b')), cancelled).partialOutput).toEqual([
      text('ab'),
    ])
  })

  test('a good answer before a bad exit is only partial', () => {
    const said = transcript(INIT, assistant(text('answer')), success('answer'))
    const settlement = foldStreamJson('claude', said, anExit({ exitError: 'exit status 1' }))
    expect(settlement).toMatchObject({ status: 'failed', output: null, partialOutput: [text('answer')] })
  })

  test('a completed run has none', () => {
    const said = transcript(INIT, assistant(text('a')), success('b'))
    expect(foldStreamJson('claude', said, CLEAN_EXIT)).toMatchObject({ output: 'b', partialOutput: null })
  })
})
