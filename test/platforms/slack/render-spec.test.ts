import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ladder, rendered, shownText, shownWords, wordsIn } from './render-support.js'

const EXAMPLES = z
  .array(z.object({ markdown: z.string(), html: z.string(), number: z.number(), section: z.string() }))
  .parse(createRequire(import.meta.url)('commonmark-spec').tests)

/** GFM's extensions, by examples of our own: Markdown and the words a reader must meet. */
const GFM: readonly (readonly [name: string, markdown: string, words: string])[] = [
  ['a table', '| foo | bar |\n| --- | --- |\n| baz | bim |', 'foo bar baz bim'],
  [
    'a table with alignment and no outer pipes',
    'abc | def\n:-: | -----------:\nbar | baz',
    'abc def bar baz',
  ],
  ['escaped pipes in cells', '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |', 'f oo b az b im'],
  [
    'a table ends at another block',
    '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar',
    'abc def bar baz bar',
  ],
  ['a delimiter row that does not match is text', '| abc | def |\n| --- |\n| bar |', 'abc def bar'],
  ['rows with missing cells', '| abc | def | ghi |\n| --- | --- | --- |\n| bar |', 'abc def ghi bar'],
  ['a table without rows', '| abc | def |\n| --- | --- |', 'abc def'],
  ['task lists', '- [ ] foo\n- [x] bar\n  - [X] baz\n    - [ ] bim', 'foo bar baz bim'],
  ['no task without a space', '- [x]foo\n- [ ]', 'x foo'],
  ['strikethrough', '~~Hi~~ Hello, world!', 'Hi Hello world'],
  ['strikethrough ends with its paragraph', 'This ~~has a\n\nnew paragraph~~.', 'This has a new paragraph'],
  [
    'bare addresses',
    'Visit http://commonmark.example/help. Then (https://encrypted.example/search?q=(Markdown))',
    'Visit http commonmark example help Then https encrypted example search q Markdown',
  ],
  [
    'addresses end before a less-than sign',
    'https://commonmark.example/he<lp',
    'https commonmark example he lp',
  ],
  [
    'footnotes stay where they are',
    'Text[^1] more[^note].\n\n[^1]: word\n[^note]: Several words here.',
    'Text 1 more note 1 word note Several words here',
  ],
]

function isInOrder(words: readonly string[], all: readonly string[]): boolean {
  let at = 0
  for (const word of all) if (word === words[at]) at += 1
  return at === words.length
}

/** What the specification's own HTML shows: text and the words that stand in for pictures. */
function wordsOfHtml(html: string): string[] {
  const text = html
    .replaceAll(/<img [^>]*?alt="([^"]*)"[^>]*>/g, ' $1 ')
    .replaceAll(/<\/?(?:p|h[1-6]|em|strong|code|pre|a|ul|ol|li|blockquote|hr|br)\b[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|amp|quot);/g, ' ')
  return wordsIn(text)
}

function wordsShown(markdown: string): string[] {
  return rendered(markdown).parts.flatMap(shownWords)
}

/**
 * Where our reading differs on purpose: HTML is text, so a fence or a link that HTML would have hidden is one (161,
 * 536), and the address of a relative link stands behind its label, here inside a word (570).
 */
const READ_DIFFERENTLY: ReadonlySet<number> = new Set([161, 536, 570])

describe('CommonMark 0.31', () => {
  test('has its examples', () => expect(EXAMPLES.length).toBeGreaterThan(640))

  for (const { markdown, html, number, section } of EXAMPLES) {
    test(`example ${number} (${section}) loses no word and keeps every limit on every rung`, () => {
      const { parts } = rendered(markdown)
      for (const part of parts) for (const rung of ladder(part)) shownText(rung)
      const expected = READ_DIFFERENTLY.has(number) ? [] : wordsOfHtml(html)
      expect(
        isInOrder(expected, wordsShown(markdown)),
        `${expected.join(' ')} in ${wordsShown(markdown).join(' ')}`,
      ).toBe(true)
    })
  }
})

describe('GFM', () => {
  for (const [name, markdown, words] of GFM) {
    test(name, () => expect(rendered(markdown).parts.flatMap(shownWords).join(' ')).toBe(words))
  }
})
