import { expect, test } from 'vitest'
import { addedLanguage, LANGUAGES, type Language } from '../../../src/locales.js'
import { LARK_LOCALES, larkLocales } from '../../../src/platforms/lark/render-locales.js'

const rows: Readonly<Record<string, readonly string[]>> = {
  en: ['en_us'],
  'zh-Hans': ['zh_cn'],
  'zh-Hant': ['zh_hk', 'zh_tw'],
  ja: ['ja_jp'],
  ko: ['ko_kr'],
  de: ['de_de'],
  fr: ['fr_fr'],
  it: ['it_it'],
  es: ['es_es'],
  pt: ['pt_br'],
  'pt-BR': ['pt_br'],
  ru: ['ru_ru'],
  id: ['id_id'],
  vi: ['vi_vn'],
  th: ['th_th'],
  ms: ['ms_my'],
  ar: [],
  he: [],
  hi: [],
  zh: [],
}
for (const [tag, locales] of Object.entries(rows)) {
  test(`${tag} is ${locales.join(' and ') || 'no language'} of Lark`, () => {
    expect([...larkLocales(languageOf(tag))].sort()).toEqual(locales)
  })
}

test('every language of ours maps to keys that Lark knows, and no key is taken twice', () => {
  const taken = LANGUAGES.flatMap((language) => larkLocales(language))
  expect(taken.filter((locale) => !LARK_LOCALES.includes(locale))).toEqual([])
  expect(new Set(taken).size).toBe(taken.length)
})

function languageOf(tag: string): Language {
  const language = LANGUAGES.find((known) => known === tag) ?? addedLanguage(tag)
  if (language === null) throw new TypeError(`not a language: ${tag}`)
  return language
}
