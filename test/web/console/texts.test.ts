import { describe, expect, test } from 'vitest'
import { createFormat, utc } from '../../../src/web/console/format.js'
import { consoleLanguage, said, textsOf } from '../../../src/web/console/texts.js'

function leaves(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value('a', 'b', 'c'))]]
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`))
    : []
}

/** The same in both languages, on purpose. */
const SAME = new Set(['/brand', '/utc', '/story/other'])

describe('texts of the console', () => {
  test('both languages have the same keys', () => {
    expect(leaves(textsOf('zh-Hans')).map(([path]) => path)).toEqual(
      leaves(textsOf('en')).map(([path]) => path),
    )
  })

  test('every Chinese text has Chinese in it, and Chinese punctuation after it', () => {
    const texts = leaves(textsOf('zh-Hans')).filter(([path]) => !SAME.has(path))
    expect(texts.filter(([, text]) => !/\p{Script=Han}/u.test(text) && !/[a-c]:[a-c]/.test(text))).toEqual([])
    expect(texts.filter(([, text]) => /\p{Script=Han}[,:;?!.]/u.test(text))).toEqual([])
  })

  test('no text is empty or has a double space', () => {
    const all = [...leaves(textsOf('en')), ...leaves(textsOf('zh-Hans'))]
    expect(all.filter(([, text]) => text.trim() === '' || text.includes('  '))).toEqual([])
  })

  test.each([
    [null, undefined, 'en'],
    [null, 'zh-CN,zh;q=0.9,en;q=0.8', 'zh-Hans'],
    [null, 'zh-TW', 'zh-Hans'],
    [null, 'fr, en;q=0.5', 'en'],
    [null, 'de', 'en'],
    ['zh-Hans', 'en', 'zh-Hans'],
    ['en', 'zh-CN', 'en'],
    ['../x', 'zh-CN', 'zh-Hans'],
  ])('chosen %s, browser %s: %s', (chosen, header, language) => {
    expect(consoleLanguage(chosen, header)).toBe(language)
  })

  test('a code without words of ours stays null, also one that every object has', () => {
    const { reasons } = textsOf('en')
    expect([said(reasons, 'constructor'), said(reasons, 'channel_not_found'), said(reasons, null)]).toEqual([
      null,
      null,
      null,
    ])
  })
})

describe('format', () => {
  const nowMs = Date.parse('2026-11-30T12:00:00Z')
  const en = createFormat('en', nowMs)
  const zh = createFormat('zh-Hans', nowMs)

  test.each([
    [0, 'now', '现在'],
    [-5_900, '5 seconds ago', '5秒钟前'],
    [-90_000, '1 minute ago', '1分钟前'],
    [-7_300_000, '2 hours ago', '2小时前'],
    [-86_400_000, 'yesterday', '昨天'],
    [30_000, 'in 30 seconds', '30秒钟后'],
  ])('%i ms from now', (offsetMs, inEnglish, inChinese) => {
    expect([en.relative(nowMs + offsetMs), zh.relative(nowMs + offsetMs)]).toEqual([inEnglish, inChinese])
  })

  test('spans, ages and counts', () => {
    expect([en.duration(1_500), en.duration(240), en.duration(150_000), zh.duration(30_000)]).toEqual([
      '1.5 seconds',
      '0.2 seconds',
      '2 minutes',
      '30秒钟',
    ])
    expect([en.age(nowMs - 3_700_000), en.age(nowMs + 5), en.upTo(12, 1_000), en.upTo(1_000, 1_000)]).toEqual(
      ['1 hour', '0 seconds', '12', '1,000+'],
    )
  })

  test('a moment is a time element in UTC', () => {
    expect(utc(nowMs)).toBe('2026-11-30 12:00:00')
    expect(en.ago(nowMs - 60_000).text).toBe(
      '<time datetime="2026-11-30T11:59:00.000Z" title="2026-11-30 11:59:00 UTC">1 minute ago</time>',
    )
  })
})
