import { describe, expect, it } from 'vitest'
import { chooseLanguage, type LanguageSources } from '../../src/locales.js'

const SILENT: LanguageSources = {
  run: null,
  person: null,
  conversation: null,
  installation: null,
  fallback: 'en',
}

describe('chooseLanguage', () => {
  it.each([
    ['run', { run: 'ja', person: 'de-DE', conversation: 'fr', installation: 'ko' }, 'ja'],
    ['person', { person: 'de-DE', conversation: 'fr', installation: 'ko' }, 'de'],
    ['conversation', { conversation: 'fr-FR', installation: 'ko' }, 'fr'],
    ['installation', { installation: 'ko' }, 'ko'],
    ['default', {}, 'en'],
  ] as const)('lets the %s decide when nobody before it says anything', (from, said, language) => {
    expect(chooseLanguage({ ...SILENT, ...said })).toEqual({ language, from, ignored: [] })
  })

  it('passes over what is no tag or has no words, and says so', () => {
    const chosen = chooseLanguage({
      ...SILENT,
      run: 'chinese simplified',
      person: 'hu',
      conversation: 42,
      installation: 'zh-TW',
    })
    expect(chosen).toEqual({
      language: 'zh-Hant',
      from: 'installation',
      ignored: [
        { from: 'run', why: 'malformed' },
        { from: 'person', why: 'unsupported' },
        { from: 'conversation', why: 'malformed' },
      ],
    })
  })

  it('takes an empty tag for silence, not for garbage', () => {
    expect(chooseLanguage({ ...SILENT, run: '', person: undefined, fallback: 'ja' })).toEqual({
      language: 'ja',
      from: 'default',
      ignored: [],
    })
  })
})
