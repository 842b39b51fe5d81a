import { describe, expect, test } from 'vitest'
import { renderSlack } from '../../../src/platforms/slack/render.js'
import { simplifySlack } from '../../../src/platforms/slack/render-simplify.js'
import type { Message } from '../../../src/render/message.js'
import type { Part } from '../../../src/render/part.js'
import { CONTEXT, checked, rendered, shownText } from './render-support.js'

const NOTICE: Message = {
  kind: 'notice',
  header: { key: 'header.cause.timeout', vars: {} },
  diagnostic: null,
  body: null,
  buttons: [{ kind: 'retry', value: 'delivery-1' }],
  runUrl: 'https://runs.example.com/a?b=1&c=2',
}
const types = (part: Part | undefined) =>
  part === undefined ? [] : (checked(part).blocks ?? []).map(({ type }) => type)

describe('the page of a run', () => {
  test('is linked by a small line in front of the buttons', () => {
    const [part] = renderSlack(NOTICE, CONTEXT).parts
    expect(checked(part ?? fail()).blocks?.at(-2)).toEqual({
      type: 'context',
      elements: [
        {
          type: 'mrkdwn',
          text: '<https://runs.example.com/a?b=1&amp;c=2|View run details>',
          verbatim: true,
        },
      ],
    })
    expect(part).toMatchObject({
      markdown: expect.stringContaining('[View run details](<https://runs.example.com/a?b=1&c=2>)'),
    })
  })

  test('is linked once, under the last part', () => {
    const { parts } = renderSlack({ ...NOTICE, body: 'word '.repeat(5_000) }, { ...CONTEXT, maxParts: 9 })
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.map((part) => JSON.stringify(part).includes('runs.example.com'))).toEqual(
      parts.map((_, at) => at === parts.length - 1),
    )
  })

  test('is not linked when its address holds a secret', () => {
    const { parts } = renderSlack(NOTICE, { ...CONTEXT, secrets: ['runs.example'] })
    expect(JSON.stringify(parts)).not.toContain('runs.example')
  })
})

describe('simpler rungs', () => {
  test('sections keep the buttons under the last, plain text cannot', () => {
    const [part] = renderSlack({ ...NOTICE, body: 'partial' }, CONTEXT).parts
    const simple = simplifySlack(part ?? fail(), 'invalid_blocks', CONTEXT) ?? []
    expect(types(simple.at(-1))).toEqual(['section', 'actions'])
    const text = simplifySlack(simple[0] ?? fail(), 'invalid_blocks', CONTEXT) ?? []
    expect(types(text[0])).toEqual([])
  })
})

describe('a quote', () => {
  test('is split around code, and its lists keep their marks and levels', () => {
    const [part] = rendered('> a <b>\n>\n> ```\n> code\n> ```\n>\n> 1. one\n>    - in\n>\n> end').parts
    const [block] = checked(part ?? fail()).blocks ?? []
    expect(block).toMatchObject({
      elements: [
        { type: 'rich_text_quote', elements: [{ text: 'a <b>' }] },
        { type: 'rich_text_preformatted', elements: [{ text: 'code' }] },
        { type: 'rich_text_list', style: 'ordered', indent: 0, border: 1 },
        { type: 'rich_text_list', style: 'bullet', indent: 1, border: 1 },
        { type: 'rich_text_quote', elements: [{ text: 'end' }] },
      ],
    })
  })
})

test('on the simpler rung a quote ends around code', () => {
  const [part] = rendered('> a\n>\n> ```\n> code\n> ```\n>\n> b\n>\n> c').parts
  const [simple] = simplifySlack(part ?? fail(), 'invalid_blocks', CONTEXT) ?? []
  expect(shownText(simple ?? fail())).toBe('> a\n```\ncode\n```\n> b\n>\n> c')
})

describe('an answer over a million characters without a file', () => {
  const body = 'Some words of a very long answer.\n\n'.repeat(40_000)

  test('shows its first parts, says so and is marked', () => {
    const { parts } = rendered(body, { files: false, maxParts: 3 })
    expect(parts.map((part) => part.kind === 'message' && part.isCut === true)).toEqual([false, false, true])
    expect(JSON.stringify(parts.at(-1))).toContain('too long to show here in full')
  })

  test('says so behind the beginning even where one part is the most', () => {
    const [, file] = rendered(body, { maxParts: 1 }).parts
    const parts = simplifySlack(file ?? fail(), 'file_upload_failed', { ...CONTEXT, maxParts: 1 })
    expect(parts).toMatchObject([{ isCut: true }])
  })
})

function fail(): never {
  throw new TypeError('no such part')
}
