import { describe, expect, it } from 'vitest'
import { addedLanguage, CATALOGS, checkTexts, type Language } from '../../src/locales.js'

const messagesOf = (language: Language, entries: Readonly<Record<string, unknown>>): readonly string[] =>
  checkTexts(language, entries, false).map(({ key, message }) => `${key}: ${message}`)

describe('checkTexts', () => {
  it.each<[string, Language, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['own wording', 'en', { 'notice.aborted': 'Stopped.', _note: 'ours' }, []],
    ['a text laid over with its variable', 'ja', { 'header.retry_in': '{{seconds,from_now}}にどうぞ。' }, []],
    ['an unknown key', 'en', { 'notice.abortd': 'x' }, ['notice.abortd: there is no text with this key']],
    ['a key of every object', 'en', { constructor: 'x' }, ['constructor: there is no text with this key']],
    [
      'a missing variable',
      'en',
      { 'part.counter': 'Part {{part, number}}' },
      ['part.counter: the variable {{total, number}} is missing'],
    ],
    [
      'an unknown variable',
      'en',
      { 'file.title': 'All of {{name}}' },
      ['file.title: there is no variable "name" here'],
    ],
    [
      'a variable without its format',
      'en',
      { 'file.continues': 'See file ({{bytes}})' },
      ['file.continues: write {{bytes, size}} instead of {{bytes}}'],
    ],
    [
      'a variable that is not closed',
      'en',
      { 'file.title': 'All {{' },
      ['file.title: a {{ or }} stands alone'],
    ],
    [
      'missing plural forms',
      'ru',
      { repeated_one: '{{count, number}} раз', repeated_other: '{{count, number}} раза' },
      ['repeated_few: this plural form is missing', 'repeated_many: this plural form is missing'],
    ],
    [
      'a plural form that the language lacks',
      'ja',
      { repeated_few: '{{count, number}} 回', repeated_other: '{{count, number}} 回' },
      ['repeated_few: ja has no plural form "few"'],
    ],
    [
      'a plural text without forms',
      'en',
      { repeated: 'Again' },
      [
        'repeated: this text needs its plural forms: repeated_one, repeated_other',
        'repeated_one: this plural form is missing',
        'repeated_other: this plural form is missing',
      ],
    ],
    [
      'a number left out where the form covers many numbers (Russian "one" is also 21)',
      'ru',
      {
        repeated_one: 'Один раз',
        repeated_few: '{{count, number}} раза',
        repeated_many: '{{count, number}} раз',
        repeated_other: '{{count, number}} раза',
      },
      ['repeated_one: the variable {{count, number}} is missing'],
    ],
    ['a text that is no text', 'en', { 'file.title': 7 }, ['file.title: the text must be a string']],
    ['a nested catalog', 'en', { header: { cause: {} } }, ['header: there is no text with this key']],
    ['an empty text', 'en', { 'file.title': ' ' }, ['file.title: the text is empty']],
    [
      'two lines',
      'en',
      { 'file.title': 'a\nb' },
      ['file.title: the text must be one line without control characters'],
    ],
    ['a stray space', 'en', { 'file.title': 'a  b' }, ['file.title: the text has a stray space']],
    [
      'one text inside another',
      'en',
      { 'file.title': '$t(button.retry)' },
      ['file.title: one text cannot include another: "$t(" is not allowed'],
    ],
    [
      'a button too long for Slack',
      'en',
      { 'button.retry': 'x'.repeat(76) },
      ['button.retry: the text takes 76 characters, a button has room for 75'],
    ],
    [
      'a header too long for Slack',
      'en',
      { 'header.cause.unknown': 'x'.repeat(151) },
      ['header.cause.unknown: the text takes 151 characters, a line has room for 150'],
    ],
  ])('finds %s', (_name, language, entries, messages) => {
    expect(messagesOf(language, entries)).toEqual(messages)
  })

  it('lists every fault at once, and what a whole catalog lacks as warnings', () => {
    const dutch = addedLanguage('nl')
    if (dutch === null) throw new TypeError('nl is a language tag')
    const problems = checkTexts(dutch, { 'file.title': '', nope: 'x' }, true)
    expect(problems.filter(({ severity }) => severity === 'error').map(({ key }) => key)).toEqual([
      'file.title',
      'nope',
    ])
    const missing = problems.filter(({ severity }) => severity === 'warning').map(({ key }) => key)
    expect(missing).toContain('repeated')
    expect(missing).not.toContain('file.title')
  })

  it('accepts English as a catalog of another language', () => {
    const dutch = addedLanguage('nl')
    if (dutch === null) throw new TypeError('nl is a language tag')
    expect(checkTexts(dutch, CATALOGS.en, true)).toEqual([])
  })
})
