import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderSlack } from '../../../src/platforms/slack/render.js'
import { parseMarkdown } from '../../../src/render/document.js'
import { makeSafe } from '../../../src/render/safety.js'
import { endingInHeadings, markdown } from '../../render/arbitrary.js'
import { expectMoreThanHeadings } from '../../render/part-checks.js'
import { wordsOf } from '../../render/words-of.js'
import { answer, CONTEXT, checked, ladder, rendered, shownWords } from './render-support.js'

const RUNS = { numRuns: 80 }
const context = { ...CONTEXT, files: false }

/** Letters in a row, so that a cut inside a long word changes nothing; list numbers are marks here and text there. */
function letters(words: readonly string[]): string {
  return words.join('').replaceAll(/\p{N}/gu, '')
}

test('every part keeps every limit on every rung', () => {
  fc.assert(
    fc.property(markdown({ hasTables: true, pings: true }), (text) => {
      for (const part of rendered(text, context).parts) for (const rung of ladder(part)) checked(rung)
    }),
    RUNS,
  )
})

test('the parts together are the document: nothing lost, nothing repeated, in order', () => {
  fc.assert(
    fc.property(markdown({ hasTables: false }), (text) => {
      const { parts } = rendered(text, context)
      const shown = parts.map((part) => letters(shownWords(part)).replace(/Partof$/, ''))
      expect(shown.join('')).toBe(letters(wordsOf(parseMarkdown(text))))
    }),
    RUNS,
  )
})

test('no part is blank or only a heading', () => {
  fc.assert(
    fc.property(fc.oneof(markdown({ hasTables: false }), endingInHeadings), (text) => {
      const { parts } = rendered(text, context)
      for (const part of parts) {
        const shown = part.markdown.replace(/\n+Part \d+ of \d+$/, '')
        expectMoreThanHeadings(parseMarkdown(shown).children, text)
      }
    }),
    { numRuns: 200 },
  )
})

test('fences balance in every part', () => {
  fc.assert(
    fc.property(markdown({ hasTables: false }), (text) => {
      for (const part of rendered(text, context).parts) {
        for (const block of checked(part).blocks ?? []) {
          if (block.type !== 'markdown') continue
          const fences = block.text.split('\n').filter((line) => /^ {0,3}`{3,}/.test(line))
          expect(fences.length % 2, block.text).toBe(0)
        }
      }
    }),
    RUNS,
  )
})

test('no broadcast form and no unlisted mention survives on any rung', () => {
  fc.assert(
    fc.property(markdown({ hasTables: true, pings: true }), (text) => {
      for (const part of rendered(text, context).parts) {
        for (const rung of ladder(part)) {
          const wire = JSON.stringify(checked(rung))
          expect(wire).not.toMatch(
            /<!(?:here|channel|everyone|subteam)|<@[UW]|@(?:here|channel|everyone|all)\b|"(?:broadcast|user|usergroup)"/i,
          )
          expect(wire).not.toMatch(/&(?:lt|#60|#x3c);!(?:here|channel|everyone|subteam)/i)
        }
      }
    }),
    RUNS,
  )
})

test('the same message and context give the same bytes', () => {
  fc.assert(
    fc.property(markdown({ hasTables: true, pings: true }), (text) => {
      expect(JSON.stringify(renderSlack(answer(text), context))).toBe(
        JSON.stringify(renderSlack(answer(text), context)),
      )
    }),
    { numRuns: 40 },
  )
})

test('any text at all is rendered', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      for (const part of rendered(text, context).parts) for (const rung of ladder(part)) checked(rung)
      expect(makeSafe(text, []).text).not.toMatch(/[\u0000\ufeff\u202e]|\p{Surrogate}/u)
    }),
    { numRuns: 300 },
  )
})
