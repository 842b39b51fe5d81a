import { describe, expect, test } from 'vitest'
import { CAUSES } from '../../../src/contract/decision.js'
import { addedLanguage, LANGUAGES, type Language } from '../../../src/locales.js'
import { LARK_LIMITS } from '../../../src/platforms/lark/limits.js'
import { renderLark } from '../../../src/platforms/lark/render.js'
import { contentBytes } from '../../../src/platforms/lark/render-bytes.js'
import { larkLocales } from '../../../src/platforms/lark/render-locales.js'
import { sayIn } from '../../../src/platforms/lark/render-words.js'
import type { Line, Message } from '../../../src/render/message.js'
import { aContext, sizeOf, WORDS, wireOf } from './render-support.js'

const TIMEOUT: Line = { key: 'header.cause.timeout', vars: {} }
const COUNTER: Line = { key: 'part.counter', vars: { part: 1, total: 3 } }

function languageOf(tag: string): Language {
  const language = LANGUAGES.find((known) => known === tag)
  if (language === undefined) throw new RangeError(`no words in ${tag}`)
  return language
}

test('a line is said in the language of the delivery, and in every other one beside it', () => {
  const text = sayIn(aContext({ language: 'zh-Hans' }), [TIMEOUT])(TIMEOUT)
  expect(text.content).toBe(WORDS.say('zh-Hans', 'header.cause.timeout'))
  expect(text.i18n_content.en_us).toBe('The agent ran out of time before it finished.')
  expect(Object.keys(text.i18n_content).sort()).toEqual(
    LANGUAGES.flatMap((language) => larkLocales(language)).sort(),
  )
})

test('the delivery, the installation and English come first, the rest as far as they fit', () => {
  const context = aContext({ language: languageOf('ja'), installationLanguage: languageOf('de') })
  expect(Object.keys(sayIn(context, [TIMEOUT])(TIMEOUT).i18n_content).slice(0, 3)).toEqual([
    'ja_jp',
    'de_de',
    'en_us',
  ])
  const few = Object.keys(sayIn(context, [TIMEOUT], 330)(TIMEOUT).i18n_content)
  expect(few.slice(0, 3)).toEqual(['ja_jp', 'de_de', 'en_us'])
  expect(few.length).toBeLessThan(8)
})

test('a language is in all lines of a card or in none', () => {
  for (let budgetBytes = 0; budgetBytes < 3_000; budgetBytes += 50) {
    const say = sayIn(aContext(), [TIMEOUT, COUNTER], budgetBytes)
    const [first, second] = [say(TIMEOUT).i18n_content, say(COUNTER).i18n_content]
    expect(Object.keys(first)).toEqual(Object.keys(second))
    const bytes = contentBytes(JSON.stringify([first, second]))
    expect(bytes).toBeLessThanOrEqual(budgetBytes + 20)
  }
})

test('words an operator added are said; a language without a key of Lark is only the default text', () => {
  const added = addedLanguage('eo')
  if (added === null) throw new TypeError('not a language')
  const text = sayIn(aContext({ language: added }), [TIMEOUT])(TIMEOUT)
  expect(text.content).toBe('The agent ran out of time before it finished.')
})

describe('the largest notice carries every language whole, whatever its cause', () => {
  for (const cause of CAUSES) {
    test(cause, () => {
      const message: Message = {
        kind: 'notice',
        header: { key: `header.cause.${cause}`, vars: {} },
        diagnostic: 'x'.repeat(4_096),
        body: 'word '.repeat(20_000),
        footer: { key: 'repeated', vars: { count: 12 } },
        buttons: [
          { kind: 'continue', value: 'v'.repeat(100) },
          { kind: 'retry', value: 'v'.repeat(100) },
          { kind: 'feedback', value: 'v'.repeat(100) },
        ],
      }
      const [first] = renderLark(message, aContext()).parts
      if (first === undefined) throw new RangeError('no part')
      const card = JSON.parse(wireOf(first).content)
      const locales = LANGUAGES.flatMap((language) => larkLocales(language)).sort()
      expect(Object.keys(card.header.title.i18n_content).sort()).toEqual(locales)
      expect(sizeOf(first)).toBeLessThanOrEqual(LARK_LIMITS.cardBytes.budget)
    })
  }
})
