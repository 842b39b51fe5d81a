import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkLocales, listLocales, previewLocale } from '../src/commands/locales.js'
import { formatTable } from '../src/commands/output.js'
import { LastwordError } from '../src/errors.js'
import { CATALOGS, LANGUAGES, resolveLanguage } from '../src/locales.js'
import { loadWords } from '../src/locales-load.js'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lastword-locales-'))
})
afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

const write = (file: string, content: unknown) =>
  writeFile(join(dir, file), typeof content === 'string' ? content : JSON.stringify(content))

async function problemsOf(path: string): Promise<readonly string[]> {
  const error: unknown = await loadWords(path).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof LastwordError
    ? error.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
    : []
}

describe('loadWords', () => {
  it('is just our words without a directory, or with an empty one', async () => {
    expect((await loadWords(null)).words.languages).toEqual(LANGUAGES)
    expect(await loadWords(dir)).toMatchObject({ words: { languages: LANGUAGES }, warnings: [] })
  })

  it('lays a team\u2019s own wording over ours and adds a language', async () => {
    await write('ja.json', { _note: 'ours', 'button.retry': 'やり直す' })
    await write('nl.json', { ...CATALOGS.en, 'file.title': 'Volledig antwoord' })
    await write('README.md', 'not a catalog')
    const { words, warnings } = await loadWords(dir)
    expect(warnings).toEqual([])
    expect(words.say('ja', 'button.retry')).toBe('やり直す')
    const dutch = resolveLanguage('nl_NL', words.languages)
    expect(dutch).toBe('nl')
    if (dutch !== null) expect(words.say(dutch, 'file.title')).toBe('Volledig antwoord')
  })

  it('warns of what an added language lacks, but not of what a variant of ours leaves out', async () => {
    const { 'file.title': _left, ...rest } = CATALOGS.en
    await write('nl.json', rest)
    await write('pt-PT.json', { 'file.title': 'Resposta completa em ficheiro' })
    const { warnings } = await loadWords(dir)
    expect(warnings.map(({ file, key }) => `${file} ${key}`)).toEqual(['nl.json file.title'])
  })

  it('refuses a directory with any error and lists all of them with file and key', async () => {
    await write('de.json', { 'notice.abortd': 'x', 'part.counter': 'Teil {{part, number}}' })
    await write('fr.json', '{ "file.title": ')
    await write('ja_JP.json', {})
    await write('zh_TW.json', {})
    await write('nederlands taal.json', {})
    await write('ko.json', '[]')
    await mkdir(join(dir, 'it.json'))
    expect(await problemsOf(dir)).toEqual([
      'de.json: notice.abortd: there is no text with this key',
      'de.json: part.counter: the variable {{total, number}} is missing',
      expect.stringMatching(/^fr\.json: this is not JSON: /),
      'it.json: the file cannot be read',
      'ja_JP.json: the name is no language tag; examples: ja.json, zh-Hant.json, nl.json',
      'ko.json: the file must hold one JSON object',
      'nederlands taal.json: the name is no language tag; examples: ja.json, zh-Hant.json, nl.json',
      'zh_TW.json: the name is no language tag; examples: ja.json, zh-Hant.json, nl.json',
    ])
  })

  it('asks for the canonical name of a language', async () => {
    await write('PT-pt.json', {})
    await write('iw.json', {})
    expect(await problemsOf(dir)).toEqual(['PT-pt.json: name it pt-PT.json', 'iw.json: name it he.json'])
  })

  it('reads no file that is far too large', async () => {
    await write('ja.json', { 'file.title': 'あ'.repeat(100_000) })
    expect(await problemsOf(dir)).toEqual(['ja.json: the file is over 262144 bytes'])
  })

  it('says so when the directory is not there', async () => {
    const missing = join(dir, 'nowhere')
    expect(await problemsOf(missing)).toEqual([`${missing}: the directory cannot be read`])
  })

  it('accepts a byte order mark', async () => {
    await write('ja.json', `\uFEFF${JSON.stringify({ 'button.retry': 'やり直す' })}`)
    expect((await loadWords(dir)).words.say('ja', 'button.retry')).toBe('やり直す')
  })
})

describe('lastword locales', () => {
  it('lists every language with its names and direction', async () => {
    const rows = listLocales((await loadWords(null)).words)
    expect(rows).toHaveLength(LANGUAGES.length)
    expect(rows).toContainEqual({
      language: 'ja',
      name: 'Japanese, 日本語',
      direction: 'ltr',
      from: 'built in',
    })
    expect(rows).toContainEqual({ language: 'he', name: 'Hebrew, עברית', direction: 'rtl', from: 'built in' })
  })

  it('previews every text of a language as it will look', async () => {
    const { words } = await loadWords(null)
    const rows = previewLocale(words, 'ru_RU') ?? []
    expect(rows).toContainEqual({ key: 'repeated_few', text: 'Это произошло 2 раза.' })
    expect(rows).toContainEqual({ key: 'part.counter', text: 'Часть 2 из 5' })
    expect(rows.map(({ key }) => key)).toEqual(Object.keys(CATALOGS.ru).slice(1))
    expect(previewLocale(words, 'hu')).toBeNull()
  })

  it('checks ours and the team\u2019s, and says what is wrong', async () => {
    expect(await checkLocales(null)).toEqual({
      ok: true,
      text: '17 built-in languages, 0 of your own: 0 errors, 0 warnings',
    })
    await write('de.json', { 'notice.abortd': 'x' })
    expect(await checkLocales(dir)).toEqual({
      ok: false,
      text: [
        'error: de.json: notice.abortd: there is no text with this key',
        '17 built-in languages, 1 of your own: 1 errors, 0 warnings',
      ].join('\n'),
    })
  })

  it('aligns columns', () => {
    expect(
      formatTable([
        ['a', 'bb', 'c'],
        ['aaa', 'b', ''],
      ]),
    ).toBe('a    bb  c\naaa  b')
  })
})
