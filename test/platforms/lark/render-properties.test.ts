import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { parseMarkdown } from '../../../src/render/document.js'
import { markdown as anyMarkdown, endingInHeadings } from '../../render/arbitrary.js'
import { readCorpus } from '../../render/corpus/read.js'
import { expectMoreThanHeadings } from '../../render/part-checks.js'
import { wordsOf } from './render-checks.js'
import { expectGoodCards } from './render-good.js'
import { aContext, anAnswer, bodyOf } from './render-support.js'

const fragment = fc.constantFrom(
  '# Head\n\n',
  '**bold**',
  '*it*',
  '~~s~~',
  '`code`',
  '\n\n',
  '\n',
  ' ',
  '- item\n',
  '1. one\n',
  '    - deep\n',
  '> quote\n',
  '```ts\nconst a = 1\n```\n',
  '```',
  '| a | b |\n| --- | --- |\n| 1 | 2 |\n',
  '| x |',
  '[l](https://e.com/a_(b)?x=1)',
  '![i](https://e.com/i.png)',
  '<at id=all></at>',
  '&lt;at user_id="all"&gt;',
  '<AT',
  ' ID=ALL>',
  '<person id=ou_1>',
  '<@U1>',
  '<!channel>',
  '汉字',
  '**汉**字',
  '한국어',
  'مرحبا',
  '👨‍👩‍👧‍👦',
  '\ud83d',
  '\u202e',
  '\u0000',
  '"quoted"',
  '\\',
  '&',
  '<',
  '>',
  '[',
  ']',
  '(',
  ')',
  '~',
  '|',
  '---\n',
  '[^1]',
  ' https://e.com/x ',
  'word',
  'snake_case',
)
const markdown = fc.array(fragment, { maxLength: 120 }).map((parts) => parts.join(''))

test('random Markdown: budgets hold, nothing pings, fences balance, no word is lost', () => {
  fc.assert(
    fc.property(markdown, (body) => {
      const { parts } = renderLark(anAnswer(body), aContext())
      expectGoodCards(parts)
      expect(wordsOf(parts.map(bodyOf).join('\n\n'))).toBe(wordsOf(body))
    }),
    { numRuns: 150 },
  )
})

test('random cuts of long Markdown: no word is lost or repeated across parts', () => {
  const source = readCorpus()
    .filter(({ name }) => /^(12|14|43|56|60|61|62|72)-/.test(name))
    .map(({ message }) => message.body)
    .join('\n\n')
  fc.assert(
    fc.property(
      fc.nat({ max: source.length - 1 }),
      fc.integer({ min: 100, max: 60_000 }),
      (start, length) => {
        const body = source.slice(start, start + length)
        const { parts } = renderLark(anAnswer(body), aContext({ files: false }))
        expectGoodCards(parts)
        expect(wordsOf(parts.map(bodyOf).join('\n\n'))).toBe(wordsOf(body))
      },
    ),
    { numRuns: 25 },
  )
})

test('no part is blank or only a heading', () => {
  fc.assert(
    fc.property(fc.oneof(anyMarkdown({ hasTables: false }), endingInHeadings), (body) => {
      for (const part of renderLark(anAnswer(body), aContext({ files: false, maxParts: 1_000 })).parts)
        expectMoreThanHeadings(parseMarkdown(bodyOf(part)).children, body)
    }),
    { numRuns: 200 },
  )
})
