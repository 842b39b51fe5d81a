import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LastwordError } from './errors.js'
import {
  addedLanguage,
  checkTexts,
  createWords,
  isBuiltinLanguage,
  type Language,
  type Override,
  resolveLanguage,
  type TextProblem,
  type Texts,
  type Words,
} from './locales.js'

/** Largest catalog file read, in bytes; ours are under 12 kB. */
const MAX_FILE_BYTES = 256 * 1024

/** One thing wrong with a directory of catalogs, with the file it is in. */
export interface LocaleProblem {
  readonly severity: 'error' | 'warning'
  readonly file: string
  /** The text at fault; null when the whole file is. */
  readonly key: string | null
  readonly message: string
}

export interface LocalesReport {
  readonly overrides: readonly Override[]
  readonly problems: readonly LocaleProblem[]
}

export interface LoadedWords {
  readonly words: Words
  /** Texts that an added language lacks. */
  readonly warnings: readonly LocaleProblem[]
}

/** `ja.json: header.cause.timeout: the text is empty`. */
export function problemLine({ file, key, message }: LocaleProblem): string {
  return key === null ? `${file}: ${message}` : `${file}: ${key}: ${message}`
}

/**
 * Our words with a team's own catalogs (`LASTWORD_LOCALES_DIR`) laid over them; without a directory just ours.
 * `ja.json` changes some of our Japanese; `nl.json` adds Dutch, whose missing texts are said in English.
 *
 * @throws {LastwordError} `locale_invalid` with every problem there is, when any of them is an error
 */
export async function loadWords(dir: string | null): Promise<LoadedWords> {
  if (dir === null) return { words: createWords(), warnings: [] }
  const { overrides, problems } = await readLocales(dir)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const lines = errors.map((problem) => `  ${problemLine(problem)}`)
    throw new LastwordError('locale_invalid', [`the texts in ${dir} cannot be used:`, ...lines].join('\n'))
  }
  return { words: createWords(overrides), warnings: problems }
}

/** Reads and checks every `*.json` of a directory. Other files are left alone. Throws nothing. */
export async function readLocales(dir: string): Promise<LocalesReport> {
  const names = await readdir(dir).catch(() => null)
  if (names === null) return { overrides: [], problems: [fileError(dir, 'the directory cannot be read')] }
  const files = names.filter((name) => name.endsWith('.json')).sort()
  const reports = await Promise.all(files.map((file) => readCatalog(dir, file)))
  return {
    overrides: reports.flatMap(({ overrides }) => overrides),
    problems: reports.flatMap(({ problems }) => problems),
  }
}

async function readCatalog(dir: string, file: string): Promise<LocalesReport> {
  const language = languageOfFile(file)
  if (typeof language !== 'string') return { overrides: [], problems: [language] }
  const entries = await readEntries(join(dir, file))
  if (typeof entries === 'string') return { overrides: [], problems: [fileError(file, entries)] }
  // A variant of a language of ours (pt-PT) may be partial: it falls back to that language, not to English.
  const found = checkTexts(language, entries, resolveLanguage(language) === null)
  const problems = found.map((problem: TextProblem) => ({
    severity: problem.severity,
    file,
    key: problem.key,
    message: problem.message,
  }))
  return { overrides: [{ language, texts: stringsOf(entries) }], problems }
}

function languageOfFile(file: string): Language | LocaleProblem {
  const tag = file.slice(0, -'.json'.length)
  const language = isBuiltinLanguage(tag) ? tag : addedLanguage(tag)
  if (language === null)
    return fileError(file, 'the name is no language tag; examples: ja.json, zh-Hant.json, nl.json')
  return language === tag ? language : fileError(file, `name it ${language}.json`)
}

async function readEntries(path: string): Promise<Readonly<Record<string, unknown>> | string> {
  try {
    if ((await stat(path)).size > MAX_FILE_BYTES) return `the file is over ${MAX_FILE_BYTES} bytes`
    const value: unknown = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return 'the file must hold one JSON object'
    return Object.fromEntries(Object.entries(value))
  } catch (error) {
    return error instanceof SyntaxError ? `this is not JSON: ${error.message}` : 'the file cannot be read'
  }
}

function stringsOf(entries: Readonly<Record<string, unknown>>): Texts {
  const texts: Record<string, string> = {}
  for (const [key, text] of Object.entries(entries))
    if (typeof text === 'string' && key !== '_note') texts[key] = text
  return texts
}

function fileError(file: string, message: string): LocaleProblem {
  return { severity: 'error', file, key: null, message }
}
