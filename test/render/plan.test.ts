import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutText } from '../../src/render/cut-text.js'
import { parseMarkdown } from '../../src/render/document.js'
import { markdownOf } from '../../src/render/markdown-out.js'
import type { Block } from '../../src/render/nodes.js'
import { planParts } from '../../src/render/plan.js'
import { textOf } from './words-of.js'

const CHARS = 60
const measure = (block: Block) => ({
  chars: textOf([block]).length + 1,
  tables: block.type === 'table' ? 1 : 0,
})

function parts(markdown: string, maxLeafChars = 30): string[] {
  return planParts(parseMarkdown(markdown), {
    measure,
    budget: { chars: CHARS, tables: 1 },
    maxLeafChars,
  }).map(({ children }) => markdownOf(children).trimEnd())
}

const rows: readonly (readonly [name: string, markdown: string, expected: readonly string[]])[] = [
  ['what fits is one part', 'a\n\nb', ['a\n\nb']],
  ['between blocks', `${'a'.repeat(40)}\n\n${'b'.repeat(40)}`, ['a'.repeat(40), 'b'.repeat(40)]],
  [
    'a heading moves on with what it introduces',
    `${'a'.repeat(40)}\n\n# H\n\n${'b'.repeat(40)}`,
    ['a'.repeat(40), `# H\n\n${'b'.repeat(40)}`],
  ],
  [
    'a lead-in moves on too',
    `${'a'.repeat(40)}\n\nThe query:\n\n${'b'.repeat(40)}`,
    ['a'.repeat(40), `The query:\n\n${'b'.repeat(40)}`],
  ],
  [
    'between items, numbers go on',
    `1. ${'a'.repeat(35)}\n2. ${'b'.repeat(35)}\n3. c`,
    [`1. ${'a'.repeat(35)}`, `2. ${'b'.repeat(35)}\n3. c`],
  ],
  [
    'inside an item, its number is not repeated',
    `1. x\n2. ${'a'.repeat(35)}\n   - ${'b'.repeat(40)}\n3. c`,
    [`1. x\n2. ${'a'.repeat(35)}`, `- ${'b'.repeat(40)}\n\n3. c`],
  ],
  [
    'between rows, under the same header',
    `| h |\n| - |\n| ${'a'.repeat(25)} |\n| ${'b'.repeat(25)} |\n| ${'c'.repeat(25)} |`,
    [`| h |\n| --- |\n| ${'a'.repeat(25)} |\n| ${'b'.repeat(25)} |`, `| h |\n| --- |\n| ${'c'.repeat(25)} |`],
  ],
  [
    'between lines of code, fence and language reopened',
    `\`\`\`ts\n${'a'.repeat(28)}\n${'b'.repeat(28)}\n${'c'.repeat(28)}\n\`\`\``,
    [`\`\`\`ts\n${'a'.repeat(28)}\n${'b'.repeat(28)}\n\`\`\``, `\`\`\`ts\n${'c'.repeat(28)}\n\`\`\``],
  ],
  [
    'inside a quote',
    `> ${'a'.repeat(40)}\n>\n> ${'b'.repeat(40)}`,
    [`> ${'a'.repeat(40)}`, `> ${'b'.repeat(40)}`],
  ],
  [
    'between sentences',
    `${'One two three four five. '.repeat(4)}`.trim(),
    [
      'One two three four five. One two three four five.',
      'One two three four five. One two three four five.',
    ],
  ],
  [
    'between Chinese sentences',
    '这是一句不太长也不太短的中文句子。'.repeat(5),
    ['这是一句不太长也不太短的中文句子。'.repeat(3), '这是一句不太长也不太短的中文句子。'.repeat(2)],
  ],
  [
    'rules at the edges go',
    `---\n\n${'a'.repeat(50)}\n\n---\n\n${'b'.repeat(50)}\n\n---`,
    ['a'.repeat(50), 'b'.repeat(50)],
  ],
  [
    'a heading at the end is not left alone',
    `${'a'.repeat(30)}\n\n${'b'.repeat(27)}\n\n# The end`,
    ['a'.repeat(30), `${'b'.repeat(27)}\n\n# The end`],
  ],
  [
    'nor one behind a paragraph that fills the part: its last sentence goes along',
    `${'One two three four. '.repeat(3).trim()}\n\n# The end`,
    ['One two three four. One two three four.', 'One two three four.\n\n# The end'],
  ],
  [
    'nor one behind a list',
    `${['1. aaaaaaaaaaaaaaaaa', '2. bbbbbbbbbbbbbbbbb', '3. ccccccccccccccccc'].join('\n')}\n\n# The end`,
    ['1. aaaaaaaaaaaaaaaaa\n2. bbbbbbbbbbbbbbbbb', '3. ccccccccccccccccc\n\n# The end'],
  ],
  [
    'nor one behind code',
    `\`\`\`\n${['a'.repeat(17), 'b'.repeat(17), 'c'.repeat(17)].join('\n')}\n\`\`\`\n\n# The end`,
    [
      `\`\`\`\n${'a'.repeat(17)}\n${'b'.repeat(17)}\n\`\`\``,
      `\`\`\`\n${'c'.repeat(17)}\n\`\`\`\n\n# The end`,
    ],
  ],
  [
    'what goes along takes what introduces it, and no rule is left behind',
    `aaaa\n\n---\n\n# H1\n\n${'b'.repeat(38)}\n\n# ${'z'.repeat(12)}`,
    ['aaaa', `# H1\n\n${'b'.repeat(38)}\n\n# ${'z'.repeat(12)}`],
  ],
  [
    'headings alone still keep the budget',
    '# twenty characters ab\n'.repeat(4),
    [`${'# twenty characters ab\n\n'.repeat(2).trim()}`, `${'# twenty characters ab\n\n'.repeat(2).trim()}`],
  ],
  ['nothing visible is no part', '---\n\n&nbsp;\n\n- \n', []],
]

describe('planParts cuts', () => {
  test.each(rows)('%s', (_name, markdown, expected) => expect(parts(markdown)).toEqual(expected))

  test('never inside a link', () => {
    const long = `${'word '.repeat(10)}[a label of several words](https://e.com) ${'word '.repeat(10)}`
    expect(
      parts(long).filter((part) => part.includes('[a label of several words](https://e.com)')).length,
    ).toBe(1)
  })
  test('a second table starts a part, or stands as what replaces it', () => {
    const two = parseMarkdown('| a |\n| - |\n| 1 |\n\n| b |\n| - |\n| 2 |')
    const budget = { chars: CHARS, tables: 1 }
    const replace = (): Block => ({ type: 'code', lang: null, value: 'b 2' })
    expect(planParts(two, { measure, budget, maxLeafChars: 30 }).length).toBe(2)
    expect(
      planParts(two, { measure, budget, maxLeafChars: 30, replace }).map(({ children }) =>
        children.map(({ type }) => type),
      ),
    ).toEqual([['table', 'code']])
  })
})

test('what is left of a cut table or link still fits its part', () => {
  const markdown = (block: Block) => ({ chars: markdownOf([block]).length + 2 })
  const sizes = (source: string, chars: number, maxLeafChars: number) =>
    planParts(parseMarkdown(source), { measure: markdown, budget: { chars }, maxLeafChars }).map((part) =>
      part.children.reduce((sum, block) => sum + markdown(block).chars, 0),
    )
  const rows = `${'| a | b |\n'.repeat(40)}| ${'wide '.repeat(80)}| b |`
  const link = `[${'linktext '.repeat(100)}](https://e.com/${'u'.repeat(500)})`
  for (const size of sizes(`| h | i |\n| - | - |\n${rows}\n\n# ${'z'.repeat(100)}`, 900, 800))
    expect(size).toBeLessThanOrEqual(900)
  for (const size of sizes(`${link}\n\n# ${'z'.repeat(100)}`, 1_480, 1_400))
    expect(size).toBeLessThanOrEqual(1_480)
})

test('emphasis that was cut is one again where its pieces meet', () =>
  expect(parts(`**${'One two three. '.repeat(3).trim()}**`, 20)).toEqual([
    '**One two three. One two three. One two three.**',
  ]))

test('cutText: joined chunks are the text, none is longer than asked, no grapheme is split', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 40, max: 60 }),
      (text, max) => {
        const chunks = cutText(text, max)
        expect(chunks.join('')).toBe(text)
        for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(max)
        const graphemes = (value: string) =>
          [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(value)].length
        expect(chunks.reduce((sum, chunk) => sum + graphemes(chunk), 0)).toBe(graphemes(text))
      },
    ),
    { numRuns: 200 },
  )
})
