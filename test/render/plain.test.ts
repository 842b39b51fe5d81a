import { describe, expect, test } from 'vitest'
import { CAUSES } from '../../src/contract/decision.js'
import { createWords } from '../../src/locales.js'
import { compose } from '../../src/render/compose.js'
import { parseMarkdown } from '../../src/render/document.js'
import { markdownOf } from '../../src/render/markdown-out.js'
import { firstSentence, plainBlocks, SHOW_ADDRESSES } from '../../src/render/plain.js'
import { cellWidth, tableAsCode } from '../../src/render/width.js'

const first: readonly (readonly [name: string, markdown: string, expected: string])[] = [
  ['the first sentence without marks', '**Done.** See [log](https://e.com).', 'Done.'],
  ['Chinese', '已经完成。请看日志。', '已经完成。'],
  ['a heading', '# Result\n\nText', 'Result'],
  ['prose before code', '```\ncode\n```\n\nThen words.', 'Then words.'],
  ['code when there is nothing else', '```\ncode\n```', 'code'],
  ['a long sentence is cut at a word', 'word '.repeat(60), `${'word '.repeat(29).trim()}…`],
  ['nothing visible', '---', ''],
]

describe('firstSentence', () => {
  test.each(first)('%s', (_name, markdown, expected) => {
    expect(firstSentence(parseMarkdown(markdown).children)).toBe(expected)
    expect(expected.length).toBeLessThan(150)
  })
})

test('plainBlocks keeps numbers, ticks, cells and, when asked, addresses', () =>
  expect(
    plainBlocks(
      parseMarkdown('3. [a](https://e.com)\n4. b\n   - [x] c\n\n| h | i |\n| - | - |\n| 1 | 2 |').children,
      SHOW_ADDRESSES,
    ),
  ).toBe('3. a (https://e.com)\n4. b\n    • ☑ c\nh | i\n1 | 2'))

test.each([
  ['abc', 3],
  ['中文', 4],
  ['ｱ', 1],
  ['e\u0301', 1],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['\u200b', 0],
] as const)('cellWidth(%j) is %i', (text, width) => expect(cellWidth(text)).toBe(width))

test('tableAsCode aligns by cells and keeps the alignment of columns', () => {
  const [table] = parseMarkdown('| 名称 | n |\n| --- | --: |\n| ab | 1 |\n| 中文字 | 200 |').children
  expect(table?.type === 'table' ? tableAsCode(table).value : null).toBe(
    '名称   |   n\n-------|----\nab     |   1\n中文字 | 200',
  )
})

describe('markdownOf writes what reads the same', () => {
  test.each([
    'a *b* **c** ~~d~~ `e`',
    '1. a\n2. b\n   - c',
    '1. a\n2. b\n5. d',
    '- a\n\n* b',
    '> q\n>\n> - x',
    '````md\n```js\nx\n```\n````',
    '| a | b |\n| :-- | --: |\n| 1 \\| 2 | `x` |',
    '\\# no heading \\* no mark 1\\. no item &amp;lt;',
    '[a \\] b](https://e.com/(x)_y) ![i](https://e.com/i.png)',
    '- [x] done\n- [ ] open',
    'line\\\nbreak',
    '这是**重要**的`代码`',
    '2 * 3 < 4 and snake_case\\_',
  ])('%s', (markdown) => {
    const tree = parseMarkdown(markdown)
    expect(parseMarkdown(markdownOf(tree.children))).toEqual(tree)
  })
})

describe('compose', () => {
  test('a drop shows nothing', () =>
    expect(compose({ kind: 'drop', why: 'expired', silence: null })).toBeNull())
  test('an answer has no words of ours', () =>
    expect(compose({ kind: 'relay', text: 'x' })).toEqual({
      kind: 'answer',
      header: null,
      diagnostic: null,
      body: 'x',
      buttons: [],
    }))
  test.each(CAUSES)('a failure by %s has a header in every language', (cause) => {
    const message = compose({ kind: 'failure', status: 'timeout', cause, diagnostic: 'd', partial: 'p' })
    expect(message).toMatchObject({ kind: 'notice', diagnostic: 'd', body: 'p' })
    expect(message?.header?.key).toBe(cause === 'unknown' ? 'header.status.timeout' : `header.cause.${cause}`)
    const words = createWords()
    for (const language of words.languages)
      if (message?.header)
        expect(words.say(language, message.header.key, message.header.vars)).not.toContain('header.')
  })
})
