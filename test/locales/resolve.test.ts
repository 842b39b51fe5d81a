import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addedLanguage,
  isLanguageTag,
  LANGUAGES,
  type Language,
  resolveAcceptLanguage,
  resolveLanguage,
} from '../../src/locales.js'

/** Tags as Slack, Lark, browsers, POSIX, .NET, Java and people write them, with the catalog each reader must get. */
const TAGS: readonly (readonly [unknown, Language | null])[] = [
  ['en', 'en'],
  ['EN', 'en'],
  ['en-US', 'en'],
  ['en_us', 'en'],
  ['en-GB', 'en'],
  ['en_GB', 'en'],
  ['en-US-u-hc-h12', 'en'],
  ['en-US-x-private', 'en'],
  ['en_US.UTF-8', 'en'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh_CN', 'zh-Hans'],
  ['zh-cn', 'zh-Hans'],
  ['zh_cn', 'zh-Hans'],
  ['zh-Hans', 'zh-Hans'],
  ['zh-hans', 'zh-Hans'],
  ['zh-Hans-CN', 'zh-Hans'],
  ['zh_Hans_CN', 'zh-Hans'],
  ['ZH-CN.UTF-8', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh-MY', 'zh-Hans'],
  ['zh-Hans-TW', 'zh-Hans'],
  ['zh-Hans-HK', 'zh-Hans'],
  ['zh-Latn', 'zh-Hans'],
  ['zh-CHS', 'zh-Hans'],
  ['zh-cmn-Hans-CN', 'zh-Hans'],
  ['cmn', 'zh-Hans'],
  ['zho', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh_tw', 'zh-Hant'],
  ['zh_TW.Big5', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh_hk', 'zh-Hant'],
  ['zh-MO', 'zh-Hant'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['zh-Hant-CN', 'zh-Hant'],
  ['zh-CHT', 'zh-Hant'],
  ['zh-TW-u-co-stroke', 'zh-Hant'],
  ['yue', 'zh-Hant'],
  ['yue-Hans', 'zh-Hans'],
  ['zh-yue', 'zh-Hant'],
  ['ja', 'ja'],
  ['ja-JP', 'ja'],
  ['ja_jp', 'ja'],
  ['ja-JP-u-ca-japanese', 'ja'],
  ['jpn', 'ja'],
  ['ko', 'ko'],
  ['ko_KR', 'ko'],
  ['ko-kr', 'ko'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['de_CH', 'de'],
  ['de_DE@euro', 'de'],
  ['fr', 'fr'],
  ['fr-CA', 'fr'],
  ['fr_fr', 'fr'],
  ['es', 'es'],
  ['es-LA', 'es'],
  ['es-419', 'es'],
  ['es_es', 'es'],
  ['es-MX', 'es'],
  ['pt', 'pt-BR'],
  ['pt-BR', 'pt-BR'],
  ['pt_br', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['it-IT', 'it'],
  ['it_it', 'it'],
  ['ru', 'ru'],
  ['ru_RU', 'ru'],
  ['ru-Cyrl-RU', 'ru'],
  ['id', 'id'],
  ['id_id', 'id'],
  ['in', 'id'],
  ['in_ID', 'id'],
  ['vi_vn', 'vi'],
  ['th-TH', 'th'],
  ['th_th', 'th'],
  ['ms', 'ms'],
  ['ms_my', 'ms'],
  ['ms-Arab', 'ms'],
  ['zsm', 'ms'],
  ['ar', 'ar'],
  ['ar-001', 'ar'],
  ['ar_EG', 'ar'],
  ['he', 'he'],
  ['he-IL', 'he'],
  ['iw', 'he'],
  ['iw_IL', 'he'],
  [' ja ', 'ja'],
  // A language without words of ours: the next source decides.
  ['hu', null],
  ['nb-NO', null],
  ['fil', null],
  ['jp', null],
  ['kr', null],
  ['sr-Latn', null],
  // No language tag at all.
  ['und', null],
  ['und-JP', null],
  ['mul', null],
  ['C', null],
  ['POSIX', null],
  ['C.UTF-8', null],
  ['root', null],
  ['english', null],
  ['chinese simplified', null],
  ['', null],
  ['   ', null],
  ['-en', null],
  ['en-', null],
  ['en--US', null],
  ['xx-INVALID-????????????', null],
  ['../../etc', null],
  ['i-klingon', null],
  ['__proto__', null],
  ['constructor', null],
  ['日本語', null],
  ['a'.repeat(100_000), null],
  [null, null],
  [undefined, null],
  [42, null],
  [true, null],
  [['ja'], null],
  [{ toString: () => 'ja' }, null],
]

describe('resolveLanguage', () => {
  it('knows at least eighty tags in the table', () => {
    expect(TAGS.length).toBeGreaterThanOrEqual(80)
  })

  it.each(TAGS)('%j -> %s', (tag, language) => {
    expect(resolveLanguage(tag)).toBe(language)
  })

  it.each(LANGUAGES)('resolves %s to itself', (language) => {
    expect(resolveLanguage(language)).toBe(language)
  })

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        (value) =>
          LANGUAGES.some((known) => known === resolveLanguage(value)) || resolveLanguage(value) === null,
      ),
    )
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => resolveLanguage(value) !== undefined))
  })

  it('prefers the variant an operator added to the language of ours', () => {
    const added = [addedLanguage('pt-PT'), addedLanguage('nl'), addedLanguage('en-GB')].flatMap(
      (tag) => tag ?? [],
    )
    const languages = [...LANGUAGES, ...added]
    expect(resolveLanguage('pt_pt', languages)).toBe('pt-PT')
    expect(resolveLanguage('pt', languages)).toBe('pt-BR')
    expect(resolveLanguage('pt-AO', languages)).toBe('pt-BR')
    expect(resolveLanguage('en-GB', languages)).toBe('en-GB')
    expect(resolveLanguage('en-AU', languages)).toBe('en')
    expect(resolveLanguage('nl-BE', languages)).toBe('nl')
  })
})

describe('isLanguageTag', () => {
  it.each([
    ['hu', true],
    ['zh_CN', true],
    ['chinese simplified', false],
    ['und', false],
    [42, false],
  ])('%j -> %s', (tag, expected) => {
    expect(isLanguageTag(tag)).toBe(expected)
  })
})

describe('resolveAcceptLanguage', () => {
  it.each([
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr'],
    ['nl, ja;q=0.3, de;q=0.4', 'de'],
    ['zh-TW,zh;q=0.9,en-US;q=0.8', 'zh-Hant'],
    ['ja;q=0, ko', 'ko'],
    ['ja;q=oops, ko;q=0.1', 'ko'],
    ['*', null],
    ['', null],
    [undefined, null],
    ['/../,;;q=,,', null],
  ])('%j -> %s', (header, language) => {
    expect(resolveAcceptLanguage(header)).toBe(language)
  })
})
