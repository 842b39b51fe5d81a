import { expect, test } from 'vitest'
import { classifyAnswer } from '../../../src/platforms/lark/classify.js'
import { FILE_DIRECT_BYTES, LARK_LIMITS } from '../../../src/platforms/lark/limits.js'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { simplifyLark } from '../../../src/platforms/lark/render-simplify.js'
import type { Part } from '../../../src/render/part.js'
import { checkCard } from '../../../src/sandbox/lark/card.js'
import { markdownTables } from '../../../src/sandbox/lark/card-component.js'
import { PING, wordsOf } from './render-checks.js'
import { aContext, anAnswer, bodyOf, cardMarkdown, sizeOf, wireOf } from './render-support.js'

/** Failures of other bots on Lark that were reported in public, by our number for them. */

function partsOf(output: string, files = false): readonly Part[] {
  return renderLark(anAnswer(output), aContext({ files })).parts
}

function onlyOf(output: string): Part {
  const [part, ...others] = partsOf(output)
  if (part === undefined || others.length > 0) throw new RangeError('not one part')
  return part
}

function refusal(code: number, msg: string): string {
  return classifyAnswer({ status: 400, headers: {}, body: { code, msg } })?.code ?? 'accepted'
}

function accepted(part: Part): boolean {
  checkCard(JSON.parse(wireOf(part).content), () => false)
  return true
}

test('LRK-01: seven tables all show, at most four a card; refused for tables they become code', () => {
  const output = Array.from(
    { length: 7 },
    (_, at) => `Day ${at}\n\n| k${at} | v |\n| --- | --- |\n| open | ${at} |`,
  ).join('\n\n')
  const parts = partsOf(`${output}\n\n\`\`\`\n| a |\n| --- |\n\`\`\``)
  expect(parts.map((part) => markdownTables(cardMarkdown(part)))).toEqual([4, 3])
  expect(parts.every(accepted)).toBe(true)
  expect(wordsOf(parts.map(bodyOf).join('\n\n'))).toBe(wordsOf(`${output}\n\na`))
  const [first] = parts
  const code = refusal(
    230099,
    'Failed to create card content, ext=ErrCode: 11310; ErrMsg: card table number over limit; ErrorValue: table;',
  )
  const degraded = first === undefined ? [] : (simplifyLark(first, code, aContext()) ?? [])
  expect(degraded.map((part) => markdownTables(cardMarkdown(part)))).toEqual([0])
})

test('LRK-03: a refused final card is followed by a simpler form of the same words', () => {
  const code = refusal(230099, 'ErrCode: 200800; create universal card fail')
  const [post] = simplifyLark(onlyOf('The answer.'), code, aContext()) ?? []
  expect(post === undefined ? '' : `${wireOf(post).msg_type}: ${bodyOf(post)}`).toBe('post: The answer.')
})

test('LRK-04: a picture with a web address is a link', () => {
  const part = onlyOf('Poster: ![cover](https://img.example.com/p.jpg) and text')
  expect(cardMarkdown(part)).toBe('Poster: [cover](https://img.example.com/p.jpg) and text')
  expect(accepted(part)).toBe(true)
})

test('LRK-06: Chinese text is counted in bytes after escaping', () => {
  const parts = partsOf('汉'.repeat(30_000))
  expect(parts.length).toBeGreaterThanOrEqual(4)
  for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(30_000)
  expect(parts.map((part) => wireOf(part).msg_type)).toEqual(parts.map(() => 'interactive'))
  expect(parts.map(bodyOf).join('').length).toBe(30_000)
})

test('LRK-08: no part of a long answer is dropped, in order', () => {
  const markers = Array.from({ length: 60 }, (_, at) => `S${String(at + 1).padStart(2, '0')}`)
  const output = markers.map((marker) => `## ${marker}\n\n${'x'.repeat(980)}`).join('\n\n')
  const found = partsOf(output).map(bodyOf).join('\n').match(/S\d\d/g)
  expect(found).toEqual(markers)
  const filed = renderLark(anAnswer(output), aContext({ maxParts: 2 })).parts
  expect(filed.map(({ kind }) => kind)).toEqual(['message', 'file'])
  expect(filed.at(-1)?.markdown.match(/S\d\d/g)).toEqual(markers)
})

test('LRK-09: quotes, backslashes and line ends leave a margin; refused for length the part is cut in two', () => {
  const parts = partsOf('a "quoted" \\ line\n'.repeat(1_700))
  for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(LARK_LIMITS.cardBytes.max * 0.9)
  const [first] = parts
  const code = refusal(230025, 'The length of the message content reaches its limit.')
  const halves = first === undefined ? [] : (simplifyLark(first, code, aContext()) ?? [])
  expect(halves.length).toBe(2)
  expect(wordsOf(halves.map(bodyOf).join('\n'))).toBe(wordsOf(first?.markdown ?? ''))
})

test('LRK-10: headings and code are shown, not their marks, also in a post', () => {
  const part = onlyOf('## Plan\n\n**Step 1** run `make`\n\n```sh\nmake -j4\n```')
  expect(wireOf(part).msg_type).toBe('interactive')
  expect(cardMarkdown(part)).toBe('## Plan\n\n**Step 1** run `make`\n\n```sh\nmake -j4\n```')
  const [post] = simplifyLark(part, '230054', aContext()) ?? []
  expect(post === undefined ? '' : bodyOf(post)).toBe(
    '**Plan**\n\n**Step 1** run `make`\n\n```sh\nmake -j4\n```',
  )
})

const mentions: readonly (readonly [string, string])[] = [
  ['<at user_id="all">所有人</at>', '@所有人'],
  ['<at id=all></at>', '@all'],
  ["<at open_id='all'/>", '@all'],
  ['@所有人 @all', '@所有人 @all'],
  ['<at email=x@example.com></at>', '@x@example.com'],
  ['`<at id=all></at>`', '`<at id=all></at>`'],
]
for (const [output, shown] of mentions) {
  test(`LRK-12: ${output} notifies nobody in a card, a post or a text`, () => {
    const card = onlyOf(output)
    const posts = simplifyLark(card, '230054', aContext()) ?? []
    const texts = posts.flatMap((post) => simplifyLark(post, '230001', aContext()) ?? [])
    expect([card, ...posts].map((part) => bodyOf(part).replaceAll('\u2060', ''))).toEqual([shown, shown])
    expect(texts.map((part) => bodyOf(part).replaceAll('\u2060', ''))).toEqual([shown.replaceAll('`', '')])
    for (const part of [card, ...posts, ...texts]) expect(bodyOf(part)).not.toMatch(PING)
  })
}

test('LRK-13: a mention of somebody unknown is text and never refuses the card', () => {
  const part = onlyOf('ask <at id=ou_doesnotexist></at>')
  expect(cardMarkdown(part)).toBe('ask @ou_doesnotexist')
  expect(accepted(part)).toBe(true)
})

test('LRK-14: angle brackets, backslashes and code are shown as they were written', () => {
  const part = onlyOf('if a < b then use List<String> and 3 > 2; path C:\\temp, `a < b`')
  expect(cardMarkdown(part)).toBe(
    'if a &#60; b then use List&#60;String&#62; and 3 &#62; 2; path C:&#92;temp, `a < b`',
  )
})

test('LRK-15: the number inside 230099 decides, and the same card is never sent again', () => {
  const card = onlyOf('| a |\n| --- |\n| 1 |')
  for (const [inner, type] of [
    [11310, 'interactive'],
    [200570, 'post'],
    [200621, 'post'],
    [200800, 'post'],
    [200860, 'interactive'],
    [200861, 'post'],
  ] as const) {
    const [next] = simplifyLark(card, refusal(230099, `ErrCode: ${inner}; ErrMsg: x`), aContext()) ?? []
    expect([inner, next === undefined ? 'none' : wireOf(next).msg_type]).toEqual([inner, type])
    const [text] = next === undefined ? [] : (simplifyLark(next, '230099.200621', aContext()) ?? [])
    expect(text === undefined ? 'none' : wireOf(text).msg_type).toBe('text')
  }
})

test('LRK-17: a moderation refusal is final, which is for the classifier to say', () => {
  for (const code of [230022, 230028]) {
    const fault = classifyAnswer({
      status: 400,
      headers: {},
      body: { code, msg: 'The messages do NOT pass the audit.' },
    })
    expect(fault).toMatchObject({ kind: 'content', final: true, code: String(code) })
  }
})

test('OPS-12: a NUL does no harm', () => expect(cardMarkdown(onlyOf('a\u0000b'))).toBe('ab'))

test('OPS-13: no half of an emoji is sent', () => {
  expect(cardMarkdown(onlyOf('broken \ud83d end'))).toBe('broken \ufffd end')
  const parts = partsOf('👨‍👩‍👧‍👦'.repeat(3_000))
  for (const part of parts) expect(bodyOf(part).replaceAll('👨‍👩‍👧‍👦', '')).toBe('')
})

test('OPS-14: five megabytes are one card and a file', () => {
  const output = 'A line of a very long answer.\n\n'.repeat(165_000)
  expect(output.length).toBeGreaterThan(FILE_DIRECT_BYTES)
  expect(partsOf(output, true).map(({ kind }) => kind)).toEqual(['message', 'file'])
  expect(partsOf(output.slice(0, FILE_DIRECT_BYTES + 1), false).length).toBeLessThanOrEqual(4)
})

test('every limit keeps its budget under what Lark takes and says where it comes from', () => {
  for (const limit of Object.values(LARK_LIMITS)) {
    expect(limit.budget).toBeLessThanOrEqual(limit.max)
    expect(limit.source).not.toBe('')
  }
  expect(LARK_LIMITS.cardBytes.budget).toBeLessThanOrEqual(24 * 1024)
})
