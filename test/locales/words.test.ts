import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addedLanguage, createWords, directionOf, LANGUAGES, type Override } from '../../src/locales.js'

const words = createWords()

describe('say', () => {
  it.each([
    ['en', 'in 2 minutes'],
    ['zh-Hans', '2分钟后'],
    ['ja', '2 分後'],
    ['de', 'in 2 Minuten'],
    ['ru', 'через 2 минуты'],
    ['ar', 'خلال دقيقتين'],
  ] as const)('says when to try again in %s', (language, when) => {
    expect(words.say(language, 'header.retry_in', { seconds: 120 })).toContain(when)
  })

  it.each([
    [0, 'in 5 seconds'],
    [-3, 'in 5 seconds'],
    [Number.NaN, 'in 5 seconds'],
    [7.2, 'in 10 seconds'],
    [90, 'in 90 seconds'],
    [91, 'in 2 minutes'],
    [5400, 'in 90 minutes'],
    [5401, 'in 2 hours'],
    [200_000, 'in 3 days'],
  ])('rounds a wait of %s seconds up to %s', (seconds, when) => {
    expect(words.say('en', 'header.retry_in', { seconds })).toBe(`You can try again ${when}.`)
  })

  it.each([
    ['en', 0, '1 kB'],
    ['en', 999, '1 kB'],
    ['en', 40_100, '41 kB'],
    ['en', 1_234_567, '1.3 MB'],
    ['de', 1_234_567, '1,3 MB'],
    ['fr', 1_234_567, '1,3\u00a0Mo'],
    ['ru', 1_234_567, '1,3 МБ'],
    ['en', 5e12, '5,000 GB'],
  ] as const)('%s: names a size of %d bytes %s', (language, bytes, size) => {
    expect(words.say(language, 'file.continues', { bytes }).replace(/[\u202f]/g, '\u00a0')).toMatch(
      new RegExp(`\\(${size.replaceAll(/[\s.]/g, (c) => (c === '.' ? '\\.' : '\\s'))}\\)`),
    )
  })

  it.each([
    ['en', 1, 'This has happened 1 time.'],
    ['en', 1200, 'This has happened 1,200 times.'],
    ['ru', 1, 'Это произошло 1 раз.'],
    ['ru', 3, 'Это произошло 3 раза.'],
    ['ru', 21, 'Это произошло 21 раз.'],
    ['ru', 25, 'Это произошло 25 раз.'],
    ['ar', 2, 'حدث هذا مرتين.'],
    ['ar', 3, 'حدث هذا 3 مرات.'],
    ['he', 2, 'זה קרה פעמיים.'],
    ['ja', 3, '同じ問題が 3 回発生しています。'],
  ] as const)('%s: counts %d', (language, count, text) => {
    expect(words.say(language, 'repeated', { count })).toBe(text)
  })

  it('shows a name exactly as it is, whatever it looks like', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.constantFrom('$t(file.title)', '{{app}}', '$&', "$'", '<b>', '{{seconds, from_now}}'),
        ),
        (code) => words.say('en', 'install.reference', { code }) === `Reference for support: ${code}`,
      ),
    )
  })

  it('isolates names in languages written from right to left, and only there', () => {
    const vars = { app: 'Lastword', workspace: 'Acme (EU)' }
    expect(words.say('ar', 'install.success.title', vars)).toBe(
      'تمت إضافة \u2068Lastword\u2069 إلى \u2068Acme (EU)\u2069',
    )
    const isolated = LANGUAGES.filter((language) =>
      words.say(language, 'install.success.title', vars).includes('\u2068'),
    )
    expect(isolated).toEqual(['ar', 'he'])
    expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar', 'he'])
  })
})

describe('createWords', () => {
  const own = (tag: string, texts: Override['texts']): Override => {
    const language = LANGUAGES.find((known) => known === tag) ?? addedLanguage(tag)
    if (language === null) throw new TypeError(`no tag: ${tag}`)
    return { language, texts }
  }

  it('lays own wording over ours and leaves the rest', () => {
    const changed = createWords([own('ja', { 'notice.no_response': '返信はありません。' })])
    expect(changed.say('ja', 'notice.no_response')).toBe('返信はありません。')
    expect(changed.say('ja', 'file.title')).toBe('回答の全文')
    expect(createWords().say('ja', 'notice.no_response')).not.toBe('返信はありません。')
  })

  it('adds a language; what it lacks is said in English', () => {
    const dutch = own('nl', { 'file.title': 'Volledig antwoord' })
    const changed = createWords([dutch])
    expect(changed.languages).toEqual([...LANGUAGES, 'nl'])
    expect(changed.say(dutch.language, 'file.title')).toBe('Volledig antwoord')
    expect(changed.say(dutch.language, 'repeated', { count: 2 })).toBe('This has happened 2 times.')
  })

  it('lets a variant fall back to its own language before English', () => {
    const portuguese = own('pt-PT', { 'install.success.open': 'Abrir o Slack já' })
    const changed = createWords([portuguese])
    expect(changed.say(portuguese.language, 'file.title')).toBe('Resposta completa')
    expect(changed.say(portuguese.language, 'repeated', { count: 2 })).toBe('Isso aconteceu 2 vezes.')
  })

  it('says a whole sentence in one language, its numbers and names included', () => {
    const urdu = own('ur', { 'file.title': 'مکمل جواب' })
    const changed = createWords([urdu])
    expect(changed.say(urdu.language, 'header.retry_in', { seconds: 30 })).toBe(
      'You can try again in 30 seconds.',
    )
    expect(changed.say(urdu.language, 'install.reference', { code: 'R-1' })).toBe(
      'Reference for support: R-1',
    )
  })

  it('keeps two sets of words apart', () => {
    const one = createWords([own('en', { 'button.retry': 'Again' })])
    const other = createWords([own('en', { 'button.retry': 'Once more' })])
    expect([one.say('en', 'button.retry'), other.say('en', 'button.retry')]).toEqual(['Again', 'Once more'])
  })
})
