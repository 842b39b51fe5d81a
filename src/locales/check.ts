import { CATALOGS, type Texts } from './catalogs.js'
import { formatFromNow, formatNumber, formatSize } from './format.js'
import { type Language, pluralCategoriesOf } from './languages.js'
import type { NoticeKey } from './notices.js'
import { isPlural, MAX_TEXT_CHARS, NOTICE_KEYS, noticeKeyOf, placeOf, SAMPLE_VALUES } from './places.js'

/** What is wrong with one text of a catalog. An `error` keeps the catalog out; a `warning` is said in English instead. */
export interface TextProblem {
  readonly severity: 'error' | 'warning'
  readonly language: Language
  readonly key: string
  readonly message: string
}

const PLACEHOLDER = /\{\{\s*([^{},]*?)\s*(?:,\s*([^{}]*?)\s*)?\}\}/g

/**
 * Checks a catalog, ours or an operator's, against the English one, and lists all that is wrong with it.
 * @param whole every text must be there; otherwise the catalog is laid over another and may be partial
 */
export function checkTexts(
  language: Language,
  entries: Readonly<Record<string, unknown>>,
  whole: boolean,
): readonly TextProblem[] {
  const keys = Object.keys(entries).filter((key) => key !== '_note')
  const faults = keys.flatMap((key) =>
    faultsOf(language, key, entries[key]).map(
      (message) => ({ severity: 'error', language, key, message }) as const,
    ),
  )
  return [...faults, ...pluralFaults(language, keys), ...(whole ? missingTexts(language, keys) : [])]
}

function faultsOf(language: Language, key: string, text: unknown): readonly string[] {
  const notice = noticeKeyOf(key)
  if (notice === null) return ['there is no text with this key']
  const category = isPlural(notice) ? key.slice(notice.length + 1) : null
  if (category === '') return [`this text needs its plural forms: ${pluralKeys(language, notice).join(', ')}`]
  if (category !== null && !pluralCategoriesOf(language).some((form) => form === category)) {
    return [`${language} has no plural form "${category}"`]
  }
  if (typeof text !== 'string') return ['the text must be a string']
  if (text.trim() === '') return ['the text is empty']
  return [
    ...formFaults(text),
    ...placeholderFaults(language, notice, category, text),
    ...lengthFaults(language, notice, text),
  ]
}

function formFaults(text: string): readonly string[] {
  const faults: string[] = []
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) faults.push('the text must be one line without control characters')
  if (text !== text.trim() || / {2}/.test(text)) faults.push('the text has a stray space')
  if (text.includes('$t(')) faults.push('one text cannot include another: "$t(" is not allowed')
  if (/\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''))) faults.push('a {{ or }} stands alone')
  return faults
}

function placeholderFaults(
  language: Language,
  notice: NoticeKey,
  category: string | null,
  text: string,
): readonly string[] {
  const expected = placeholdersOf(englishOf(notice))
  const given = placeholdersOf(text)
  const spelled = (name: string, format: string) => (format === '' ? `{{${name}}}` : `{{${name}, ${format}}}`)
  const mayOmit = category !== null && coversOneNumber(language, category)
  const missing = [...expected].filter(([name]) => !given.has(name) && !mayOmit)
  return [
    ...missing.map(([name, format]) => `the variable ${spelled(name, format)} is missing`),
    ...[...given].flatMap(([name, format]) => {
      const wanted = expected.get(name)
      if (wanted === undefined) return [`there is no variable "${name}" here`]
      return wanted === format ? [] : [`write ${spelled(name, wanted)} instead of ${spelled(name, format)}`]
    }),
  ]
}

function lengthFaults(language: Language, notice: NoticeKey, text: string): readonly string[] {
  const place = placeOf(notice)
  const chars = text.replace(PLACEHOLDER, (_, name: string, format = '') =>
    sampleOf(language, name, format),
  ).length
  const max = MAX_TEXT_CHARS[place]
  return chars > max ? [`the text takes ${chars} characters, a ${place} has room for ${max}`] : []
}

function sampleOf(language: Language, name: string, format: string): string {
  const value = Object.entries(SAMPLE_VALUES).find(([known]) => known === name)?.[1] ?? ''
  if (format === 'number') return formatNumber(Number(value), language)
  if (format === 'size') return formatSize(Number(value), language)
  return format === 'from_now' ? formatFromNow(Number(value), language) : String(value)
}

/** A text with some plural forms must have all: a missing form would be said in English for just those numbers. */
function pluralFaults(language: Language, keys: readonly string[]): readonly TextProblem[] {
  const begun = new Set(keys.flatMap((key) => noticeKeyOf(key) ?? []).filter(isPlural))
  return [...begun]
    .flatMap((notice) => pluralKeys(language, notice))
    .filter((key) => !keys.includes(key))
    .map((key) => ({ severity: 'error', language, key, message: 'this plural form is missing' }))
}

function missingTexts(language: Language, keys: readonly string[]): readonly TextProblem[] {
  const present = new Set(keys.map(noticeKeyOf))
  return NOTICE_KEYS.filter((key) => !present.has(key)).map((key) => ({
    severity: 'warning',
    language,
    key,
    message: 'this text is missing and is said in English',
  }))
}

function pluralKeys(language: Language, notice: NoticeKey): readonly string[] {
  return pluralCategoriesOf(language).map((category) => `${notice}_${category}`)
}

function englishOf(notice: NoticeKey): string {
  const english: Texts = CATALOGS.en
  return english[notice] ?? english[`${notice}_other`] ?? ''
}

function placeholdersOf(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(PLACEHOLDER)].map(([, name = '', format = '']) => [name, format]))
}

/** Whether a plural form stands for one number only (English one, Arabic two), so that the text may spell it out. */
function coversOneNumber(language: Language, category: string): boolean {
  const rules = new Intl.PluralRules(language)
  const upToTwoHundred = Array.from({ length: 201 }, (_, number) => number)
  return upToTwoHundred.filter((number) => rules.select(number) === category).length === 1
}
