import { expect, test } from 'vitest'
import { blocksMarkdown, type Dialect } from '../../../src/platforms/lark/render-blocks.js'
import { prepareBlocks } from '../../../src/platforms/lark/render-prepare.js'
import { parseMarkdown } from '../../../src/render/document.js'

const CARD: Dialect = { mentions: ['ou_allowed1'], headings: true }
const POST: Dialect = { mentions: ['ou_allowed1'], headings: false }

function shown(markdown: string, dialect: Dialect = CARD): string {
  return blocksMarkdown(
    prepareBlocks(parseMarkdown(markdown).children, dialect.headings ? 'native' : 'none'),
    dialect,
  )
}

/** Name, what the agent wrote, what a card's markdown element gets. */
const rows: readonly (readonly [string, string, string])[] = [
  [
    'angle brackets are entities',
    'a < b and List<String>, 3 > 2',
    'a &#60; b and List&#60;String&#62;, 3 &#62; 2',
  ],
  ['backslashes are kept', 'path C:\\temp', 'path C:&#92;temp'],
  ['a lone star is text', '2 * 3 * 4', '2 &#42; 3 &#42; 4'],
  ['snake case stays readable', 'a snake_case_name', 'a snake_case_name'],
  ['outer underscores are text', 'the \\_private\\_ one', 'the &#95;private&#95; one'],
  ['what decodes to an entity stays one', '&amp;lt;at id=all&amp;gt;', '&\u2060lt;at id=all&#38;gt;'],
  ['an ampersand alone is left alone', 'R&D at 50% & more', 'R&D at 50% & more'],
  ['an escaped list marker stays text', '\\- not a list', '&#45; not a list'],
  ['an escaped number stays text', '1\\. not a list', '1&#46; not a list'],
  ['a number in a sentence', 'version 1.2 - fine', 'version 1.2 - fine'],
  ['a hash word', '#tag and # alone', '#tag and # alone'],
  ['headings', '## Why *so*?', '## Why *so*?'],
  ['a bold heading is bold once', '# **Plan**', '# Plan'],
  ['emphasis', '*i* **b** ***both*** ~~s~~ `c`', '*i* **b** ***both*** ~~s~~ `c`'],
  ['bold before a Chinese letter gets a space', '**结论:**缓存', '**结论:** 缓存'],
  ['bold inside Chinese text', '请把**连接数**调到200', '请把 **连接数** 调到200'],
  ['bold before Chinese punctuation needs none', '请把**连接数**。', '请把 **连接数**。'],
  ['bold before a Korean ending needs none', '**메모리 누수**의 원인', '**메모리 누수**의 원인'],
  ['bold in brackets before a Korean ending', '**중요(필독)**합니다', '**중요(필독)** 합니다'],
  ['bold after a quote mark', '**“引号”**后', '**“引号”** 后'],
  ['bold that ends in punctuation', '**Note:** next', '**Note:** next'],
  ['neighbouring marks are kept apart', '**a***b*', '**a**\u200b*b*'],
  [
    'a link with brackets and parentheses',
    '[a \\[x\\]](https://e.com/Foo_(bar)?f[a]=1|2)',
    '[a &#91;x&#93;](https://e.com/Foo_%28bar%29?f%5Ba%5D=1%7C2)',
  ],
  ['a link that is no web address', '[mail](mailto:a@example.com)', 'mail (a@example.com)'],
  [
    'a bare address',
    'see https://e.com/a_b?x=1&y=2',
    'see [https://e.com/a_b?x=1&y=2](https://e.com/a_b?x=1&y=2)',
  ],
  [
    'an exclamation mark before a link',
    'look!\\[x] \\![i](https://e.com/i)',
    'look!&#91;x&#93; &#33;[i](https://e.com/i)',
  ],
  ['an image is a link', '![cover](https://img.example.com/p.jpg)', '[cover](https://img.example.com/p.jpg)'],
  ['a picture in a link', '[![badge](https://e.com/b.svg)](https://e.com/run)', '[badge](https://e.com/run)'],
  ['an entity in an address', '[x](https://e.com/?a=1&amp;lt;2)', '[x](https://e.com/?a=1&lt%3B2)'],
  ['nested lists indent by four', '- a\n  - b\n    1. c\n- d', '- a\n    - b\n        1. c\n- d'],
  ['numbers are kept', '7. a\n8. b', '7. a\n8. b'],
  ['a wide number keeps its list', '100. a\n     - b', '100. a\n        - b'],
  ['task lists', '- [x] done\n- [ ] open', '- ☑ done\n- ☐ open'],
  ['quotes', '> a\n>\n> > b', '> a\n>\n> > b'],
  ['code with its language', '```ts\nconst a = b < c && d\n```', '```ts\nconst a = b < c && d\n```'],
  ['code with fences in it', '````md\n```js\nx\n```\n````', '````md\n```js\nx\n```\n````'],
  ['a fence that was cut', '```py\nprint(', '```py\nprint(\n```'],
  ['code in a list', '1. run\n\n   ```sh\n   make\n   ```', '1. run\n\n    ```sh\n    make\n    ```'],
  ['inline code with a backtick', '``a ` b``', '``a ` b``'],
  ['inline code that is a backtick', '`` ` ``', '`` ` ``'],
  ['a table', '| a | b |\n| :-- | --: |\n| 1 | **2** |', '| a | b |\n| --- | ---: |\n| 1 | **2** |'],
  ['a pipe in a cell', '| a \\| b | `c \\| d` |\n| --- | --- |', '| a &#124; b | `c \\| d` |\n| --- | --- |'],
  ['a rule', 'a\n\n---\n\nb', 'a\n\n---\n\nb'],
  ['an allowed mention', 'thanks <at id=ou_allowed1></at>', 'thanks <at id=ou_allowed1></at>'],
  ['a stranger', 'ask <at id=ou_stranger></at>', 'ask @ou_stranger'],
]
for (const [name, markdown, expected] of rows) {
  test(`card markdown: ${name}`, () => expect(shown(markdown)).toBe(expected))
}

const pings = [
  '<at user_id="all">所有人</at>',
  '<at id=all></at>',
  "<at open_id='all'/>",
  '<AT ID=ALL></AT>',
  '< at id=all>',
  '<at email=x@example.com></at>',
  '<at ids="ou_1,ou_2"></at>',
  '<person id="ou_1"></person>',
  '&lt;at id=all&gt;&lt;/at&gt;',
  '&#60;at id=all&#62;',
  '&#x3c;at id=all&#x3e;',
  '\\<at id=all\\>',
  '`<at id=all></at>`',
  '```\n<at id=all></at>\n```',
  '    <at id=all></at>',
  '[<at id=all></at>](https://e.com/<at-id=all>)',
  '![<at id=all></at>](https://e.com/x.png)',
  '| <at id=all></at> |\n| --- |\n| `<at user_id="all">` |',
  '# <at id=all></at>',
  '> <at id=all></at>',
  '- <at id=all></at>',
  '[x](https://e.com/?<at id=all></at>)',
  '`&lt;at id=all&gt;`',
]
for (const dialect of [CARD, POST]) {
  for (const ping of pings) {
    test(`nobody is pinged in a ${dialect.headings ? 'card' : 'post'} by ${JSON.stringify(ping)}`, () => {
      const markdown = shown(ping, dialect)
      expect(markdown).not.toMatch(/(?:<|&lt;?|&#0*60;?|&#x0*3c;?)\s*\/?\s*(?:at|person)\b/i)
    })
  }
}

test('a post has bold headings and tables as code', () => {
  expect(shown('## Plan\n\n| a | b |\n| --- | --- |\n| 1 | 二 |', POST)).toBe(
    '**Plan**\n\n```\na   | b\n----|----\n1   | 二\n```',
  )
})

test('text code shows a tag as it stands', () => {
  expect(shown('`List<at>` and `a<b`')).toBe('`List<\u2060at>` and `a<b`')
})
