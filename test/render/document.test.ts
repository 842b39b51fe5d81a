import { describe, expect, test } from 'vitest'
import { closeCutEnd } from '../../src/render/cut-end.js'
import { parseMarkdown } from '../../src/render/document.js'
import type { Block, Inline } from '../../src/render/nodes.js'
import { textOf } from './words-of.js'

const text = (value: string): Inline => ({ type: 'text', value })
const strong = (...children: readonly Inline[]): Inline => ({ type: 'strong', children })
const link = (url: string, label = url): Inline => ({ type: 'link', url, children: [text(label)] })
const paragraph = (...children: readonly Inline[]): Block => ({ type: 'paragraph', children })

const paragraphs: readonly (readonly [name: string, markdown: string, children: readonly Inline[]])[] = [
  [
    'emphasis between CJK characters',
    '结论:**必须重启。**然后',
    [text('结论:'), strong(text('必须重启。')), text('然后')],
  ],
  ['HTML is text', 'a <b>x</b> <!-- c -->', [text('a <b>x</b> <!-- c -->')]],
  ['a line break tag', 'a<br>b', [text('a'), { type: 'break' }, text('b')]],
  ['entities and escapes', '&lt;!here&gt; \\*x\\* &#x202e;y', [text('<!here> *x* y')]],
  [
    'a Slack link',
    'see <https://e.com/d|the doc>.',
    [text('see '), link('https://e.com/d', 'the doc'), text('.')],
  ],
  ['a bare address', 'https://e.com/a_b_c.', [link('https://e.com/a_b_c'), text('.')]],
  ['an address behind a backslash', 'a\\https://e.com', [text('a\\'), link('https://e.com')]],
  ['an address in brackets', '(https://e.com/a_(b))', [text('('), link('https://e.com/a_(b)'), text(')')]],
  [
    'Chinese behind an address',
    '见https://e.com/x。然后',
    [text('见'), link('https://e.com/x'), text('。然后')],
  ],
  ['an odd scheme', '[x](javascript:a)', [text('x (javascript:a)')]],
  ['a relative link', '[src/a.ts](src/a.ts)', [text('src/a.ts')]],
  ['an image without a web address', '![chart](chart.png)', [text('chart (chart.png)')]],
  ['a footnote', 'a[^n]', [text('a'), { type: 'footnoteReference', label: 'n' }]],
  [
    'a Slack person',
    '<@U123|sam>',
    [{ type: 'mention', kind: 'person', id: 'U123', name: 'sam', raw: '<@U123|sam>' }],
  ],
  [
    'a Slack broadcast',
    '<!here>',
    [{ type: 'mention', kind: 'everyone', id: '', name: '@here', raw: '<!here>' }],
  ],
  [
    'a Lark person',
    '<at id=ou_1>Ann</at>',
    [{ type: 'mention', kind: 'person', id: 'ou_1', name: 'Ann', raw: '<at id=ou_1>Ann</at>' }],
  ],
  [
    'a Lark broadcast',
    '<at user_id="all"></at>',
    [{ type: 'mention', kind: 'everyone', id: '', name: '@all', raw: '<at user_id="all"></at>' }],
  ],
]

describe('parseMarkdown', () => {
  test('a heading of more than 300 characters is prose', () => {
    const types = (length: number) =>
      parseMarkdown(`# ${'x'.repeat(length)}`).children.map(({ type }) => type)
    expect([types(300), types(301)]).toEqual([['heading'], ['paragraph']])
  })

  test.each(paragraphs)('%s', (_name, markdown, children) =>
    expect(parseMarkdown(markdown).children).toEqual([paragraph(...children)]),
  )

  test('numbers that jump ahead start a list of their own', () =>
    expect(parseMarkdown('1. a\n2. b\n7. c').children).toMatchObject([
      { type: 'list', start: 1, children: [{}, {}] },
      { type: 'list', start: 7, children: [{}] },
    ]))
  test('task items', () =>
    expect(parseMarkdown('- [ ] a\n- [x] b\n- c').children).toMatchObject([
      { children: [{ checked: false }, { checked: true }, { checked: null }] },
    ]))
  test('a short table row is filled', () =>
    expect(parseMarkdown('| a | b |\n| - | -: |\n| 1').children).toMatchObject([
      { type: 'table', align: [null, 'right'], children: [{ children: [{}, {}] }, { children: [{}, {}] }] },
    ]))
  test('an open fence ends with the text', () =>
    expect(parseMarkdown('```ts\nlet a\n\n  b').children).toEqual([
      { type: 'code', lang: 'ts', value: 'let a\n\n  b' },
    ]))

  test.each([
    ['a fence', '```ts\n\n```'],
    ['a list', '-\n- ```\n  ```\n'],
    ['a table', '| | |\n| - | - |\n| | |'],
    ['a quote of them', '> ```\n> ```\n> -'],
  ])('%s that shows nothing is dropped', (_name, markdown) =>
    expect(parseMarkdown(`${markdown}\n\nword`).children).toEqual([paragraph(text('word'))]),
  )

  test('only marks behind which nothing follows leave a list: its numbers stay', () => {
    expect(parseMarkdown('1.\n2. b\n3.').children).toMatchObject([
      { start: 1, children: [{ children: [] }, { children: [{ type: 'paragraph' }] }] },
    ])
  })

  test.each([
    ['quote marks', '>'.repeat(3_000), ''],
    ['list marks', `${'- '.repeat(2_000)}end`, 'end'],
    ['emphasis marks', '**a '.repeat(3_000), 'a'],
    ['brackets', '['.repeat(5_000), '['],
    ['angle brackets', '<'.repeat(20_000), '<'],
    ['brackets in one line', '['.repeat(200_000), '['],
    ['lines', 'word\n'.repeat(150_000), 'word'],
  ])('a flood of %s keeps its text', (_name, markdown, kept) =>
    expect(textOf(parseMarkdown(markdown).children)).toContain(kept),
  )
})

const cuts: readonly (readonly [name: string, source: string, closed: string])[] = [
  ['bold', 'It was **very impor', 'It was **very impor**'],
  ['half of a closing mark', 'It was **done*', 'It was **done**'],
  ['nested marks', 'a **b _c', 'a **b _c_**'],
  ['a code span', 'run `npm inst', 'run `npm inst`'],
  ['strikethrough', '~~old', '~~old~~'],
  ['a delimiter row', '| a | b |\n| --- | -', '| a | b |\n| --- | --- |'],
  ['an open fence closes by itself', '```ts\nlet a = "**', '```ts\nlet a = "**'],
  ['a link in its address', 'see [the docs](https://ex', 'see the docs (`https://ex`)'],
  ['a link before its address', 'see [the docs](', 'see the docs'],
  ['a picture', '![a chart](<https://e.com/a(b', 'a chart (`https://e.com/a(b`)'],
  ['a link in its title', '[a](https://e.com "t', 'a (`https://e.com`)'],
  ['a link inside bold', '**see [a](https://e', '**see a (`https://e`)**'],
  ['a link inside a code span', 'write `[a](htt', 'write `[a](htt`'],
  ['a label alone may be anything', 'see [the do', 'see [the do'],
  ['a proper link', '[a](https://e.com)', '[a](https://e.com)'],
  ['a proper end', 'All **done**.', 'All **done**.'],
  ['a list mark is no emphasis', '* one\n* two', '* one\n* two'],
  ['a product', '2 * 3 and snake_case', '2 * 3 and snake_case'],
  ['only the last paragraph counts', '**open\n\nplain', '**open\n\nplain'],
]

describe('closeCutEnd', () => {
  test.each(cuts)('%s', (_name, source, closed) => expect(closeCutEnd(source)).toBe(closed))
})
