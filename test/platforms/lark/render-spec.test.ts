import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LARK_LIMITS } from '../../../src/platforms/lark/limits.js'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { checkCard } from '../../../src/sandbox/lark/card.js'
import { fencesBalance, PING, wordsOf } from './render-checks.js'
import { aContext, anAnswer, bodyOf, cardMarkdown, sizeOf, wireOf } from './render-support.js'

/** The package has no types. */
const examples = z
  .array(z.object({ number: z.number(), section: z.string(), markdown: z.string() }))
  .parse(createRequire(import.meta.url)('commonmark-spec').tests)

/** GFM's own examples (github.github.com/gfm, 0.29), in our words: what the extensions must carry. */
const gfm: readonly (readonly [string, string])[] = [
  ['a table', '| one | two |\n| --- | --- |\n| three | four |'],
  ['alignment without outer pipes', 'one | two\n:-: | -----------:\nthree | four'],
  ['a pipe in a cell', '| o\\|ne |\n| ------ |\n| t `\\|` wo |\n| th **\\|** ree |'],
  ['a table ends at another block', '| one | two |\n| --- | --- |\n| three | four |\n> quote'],
  ['rows of other lengths', '| one | two |\n| --- | --- |\n| three |\n| four | five | six |'],
  ['no row', '| one | two |\n| --- | --- |'],
  ['task lists', '- [ ] one\n- [x] two\n  - [X] three'],
  ['strikethrough', '~~one~~ ~two~ three\n\n~~four\n\nfive~~'],
  ['bare addresses', 'http://one.example https://two.example/a(b)c) http://three.example/x?y=1&copy;'],
]

function check(markdown: string): void {
  const { parts } = renderLark(anAnswer(markdown), aContext())
  for (const part of parts) {
    checkCard(JSON.parse(wireOf(part).content), () => false)
    expect(sizeOf(part)).toBeLessThanOrEqual(LARK_LIMITS.cardBytes.budget)
    expect(fencesBalance(cardMarkdown(part))).toBe(true)
    expect(cardMarkdown(part)).not.toMatch(PING)
  }
  expect(wordsOf(parts.map(bodyOf).join('\n\n'))).toBe(wordsOf(markdown))
}

describe('CommonMark 0.31 examples', () => {
  test('all of them are there', () => expect(examples.length).toBe(652))
  for (const { number, section, markdown } of examples) {
    test(`${number} ${section}`, () => check(markdown.replaceAll('→', '\t')))
  }
})

describe('GFM extensions', () => {
  for (const [name, markdown] of gfm) test(name, () => check(markdown))
})
