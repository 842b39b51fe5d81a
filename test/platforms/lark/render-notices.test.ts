import { describe, expect, test } from 'vitest'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { pressedLark } from '../../../src/platforms/lark/render-pressed.js'
import { simplifyLark } from '../../../src/platforms/lark/render-simplify.js'
import type { Message } from '../../../src/render/message.js'
import type { Part } from '../../../src/render/part.js'
import { aContext, anAnswer, wireOf } from './render-support.js'

const NOTICE: Message = {
  kind: 'notice',
  header: { key: 'header.cause.timeout', vars: {} },
  diagnostic: null,
  body: 'partial',
  buttons: [{ kind: 'retry', value: 'delivery-1' }],
  runUrl: 'https://runs.example.com/a?b=1&c=2',
}
const card = (part: Part | undefined) => JSON.parse(wireOf(part ?? fail()).content)
const OPEN_URL = [{ type: 'open_url', default_url: NOTICE.runUrl }]

describe('the page of a run', () => {
  test('is a link-like button in front of the buttons, labelled in every language', () => {
    const [part] = renderLark(NOTICE, aContext()).parts
    expect(card(part).body.elements.at(-2)).toMatchObject({
      tag: 'button',
      type: 'text',
      text: { content: 'View run details', i18n_content: { zh_cn: '查看运行详情' } },
      behaviors: OPEN_URL,
    })
    expect(part).toMatchObject({
      markdown: expect.stringContaining('[View run details](<https://runs.example.com/a?b=1&c=2>)'),
    })
  })

  test('stays when a button was pressed', () => {
    const [part] = renderLark(NOTICE, aContext()).parts
    const pressed = pressedLark(part ?? fail(), { key: 'button.retry', vars: {} }, aContext())
    const behaviors = card(pressed ?? fail()).body.elements.flatMap(
      (element: { behaviors?: unknown[] }) => element.behaviors ?? [],
    )
    expect(behaviors).toEqual(OPEN_URL)
  })

  test('is not linked when its address holds a secret', () => {
    const { parts } = renderLark(NOTICE, aContext({ secrets: ['runs.example'] }))
    expect(JSON.stringify(parts)).not.toContain('runs.example')
  })
})

test('a simpler card keeps the buttons under the last, a post cannot', () => {
  const [part] = renderLark(NOTICE, aContext()).parts
  const cards = simplifyLark(part ?? fail(), '230025', aContext()) ?? []
  expect(card(cards.at(-1)).body.elements.at(-1)).toMatchObject({
    tag: 'button',
    behaviors: [{ type: 'callback', value: { action: 'retry', value: 'delivery-1' } }],
  })
  const [post] = simplifyLark(part ?? fail(), '230099', aContext()) ?? []
  expect(wireOf(post ?? fail()).msg_type).toBe('post')
})

describe('tables', () => {
  const tables = (count: number) => '| a | b |\n| - | - |\n| 1 | 2 |\n\nand\n\n'.repeat(count)
  const rules = (body: string) =>
    renderLark(anAnswer(body), aContext()).parts.map(
      (part) =>
        (part.kind === 'message' ? JSON.stringify(part.content) : '').split('| --- | --- |').length - 1,
    )

  test.each([
    [4, [4]],
    [7, [4, 3]],
    [20, [4, 4]],
  ])('%i small tables are tables %j a card, and code beyond', (count, expected) => {
    expect(rules(tables(count))).toEqual(expected)
  })
})

describe('an answer over a million bytes whose file was refused', () => {
  const body = 'Some words of a very long answer.\n\n'.repeat(40_000)

  test.each([1, 3])('ends by saying so, and is marked, with %i parts at most', (maxParts) => {
    const context = aContext({ maxParts })
    const file = renderLark(anAnswer(body), context).parts.at(-1)
    const parts = simplifyLark(file ?? fail(), 'no_scope', context) ?? []
    expect(parts).toHaveLength(Math.max(1, maxParts - 1))
    expect(parts.map((part) => part.kind === 'message' && part.isCut === true)).toEqual(
      parts.map((_, at) => at === parts.length - 1),
    )
    expect(JSON.stringify(parts.at(-1))).toContain('too long to show here in full')
  })
})

function fail(): never {
  throw new TypeError('no such part')
}
