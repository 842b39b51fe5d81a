import { describe, expect, it } from 'vitest'
import {
  addedLanguage,
  CATALOGS,
  chooseLanguage,
  createWords,
  LANGUAGES,
  resolveLanguage,
} from '../../src/locales.js'

/** Public failures of chat bots (area "localization"), with the right outcome for us. */
describe('localization failures seen in public', () => {
  const words = createWords()

  it('LOC-02: an event without a locale gets the language of the person, not a guess', () => {
    const sources = {
      run: null,
      person: 'de-DE',
      conversation: null,
      installation: 'ja',
      fallback: 'en',
    } as const
    const direct = chooseLanguage(sources)
    expect(direct).toMatchObject({ language: 'de', from: 'person' })
    expect(words.say(direct.language, 'notice.no_response')).toBe(CATALOGS.de['notice.no_response'])
    // In a group nobody's own language is asked for: the tenant's decides.
    expect(chooseLanguage({ ...sources, person: null })).toMatchObject({
      language: 'ja',
      from: 'installation',
    })
  })

  it('LOC-03: a text that a catalog lacks is said in English, never in some third language', () => {
    const hungarian = addedLanguage('hu')
    if (hungarian === null) throw new TypeError('hu is a language tag')
    const partial = createWords([{ language: hungarian, texts: { 'file.title': 'Teljes válasz' } }])
    expect(partial.say(hungarian, 'notice.no_response')).toBe(CATALOGS.en['notice.no_response'])
    expect(resolveLanguage('zh-TW', ['en', 'zh-Hans'])).toBeNull()
    expect(resolveLanguage('zh-CN', ['en', 'zh-Hant'])).toBeNull()
  })

  it('LOC-04: a raw key is never shown', () => {
    const hungarian = addedLanguage('hu')
    if (hungarian === null) throw new TypeError('hu is a language tag')
    const text = createWords([{ language: hungarian, texts: {} }]).say(hungarian, 'header.retry_in', {
      seconds: 30,
    })
    expect(text).toBe('You can try again in 30 seconds.')
    expect(words.say(hungarian, 'header.cause.timeout')).toBe(CATALOGS.en['header.cause.timeout'])
  })

  it.each(['zh-Hant-TW', 'zh-TW', 'zh-HK', 'zh-Hant'])('LOC-05: %s is Traditional Chinese', (tag) => {
    expect(resolveLanguage(tag)).toBe('zh-Hant')
  })

  it.each([
    ...['zh-CN', 'zh_CN', 'zh-cn', 'zh_cn', 'zh-Hans', 'zh-Hans-CN', 'zh', 'ZH-CN.UTF-8'].map((tag) => [
      tag,
      'zh-Hans',
    ]),
    ...['en_us', 'en-GB', 'EN'].map((tag) => [tag, 'en']),
    ...['ja', 'ja_jp', 'ja-JP'].map((tag) => [tag, 'ja']),
  ])('LOC-06: %s is %s', (tag, language) => {
    expect(resolveLanguage(tag)).toBe(language)
  })

  it.each([
    'chinese simplified',
    '',
    'xx-INVALID-????????????',
    'und',
    '../../etc',
    'en-US-u-hc-h12',
    null,
    42,
  ])('LOC-07: %j ends in the default language and breaks nothing', (run) => {
    const chosen = chooseLanguage({
      run,
      person: null,
      conversation: null,
      installation: null,
      fallback: 'en',
    })
    expect(chosen.language).toBe('en')
    expect(words.say(chosen.language, 'notice.no_response')).toBe(CATALOGS.en['notice.no_response'])
  })

  it('TRU-10: a full conversation and a full answer are told apart in every language', () => {
    for (const language of LANGUAGES) {
      expect(words.say(language, 'header.cause.context_window')).not.toBe(
        words.say(language, 'header.cause.output_limit'),
      )
    }
  })
})
