import type { Command } from 'commander'
import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'
import {
  CATALOGS,
  checkTexts,
  directionOf,
  isBuiltinLanguage,
  isPlural,
  type Language,
  NOTICE_KEYS,
  type NoticeKey,
  pluralCategoriesOf,
  resolveLanguage,
  SAMPLE_VALUES,
  type Words,
} from '../locales.js'
import { type LocaleProblem, loadWords, problemLine, readLocales } from '../locales-load.js'
import { print } from './output.js'

/** One language, as `lastword locales list` shows it. */
export interface LocaleRow {
  readonly language: Language
  /** In English and in the language itself: `Japanese, 日本語`. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  readonly from: 'built in' | 'added'
}

/** One text, as `lastword locales preview` shows it. */
export interface PreviewRow {
  /** The catalog key: a plural text has one row a form (`repeated_few`). */
  readonly key: string
  readonly text: string
}

/** Every language there are words in, ours first. */
export function listLocales(words: Words): readonly LocaleRow[] {
  return words.languages.map((language) => ({
    language,
    name: `${nameOf(language, 'en')}, ${nameOf(language, language)}`,
    direction: directionOf(language),
    from: isBuiltinLanguage(language) ? 'built in' : 'added',
  }))
}

/** Every text of one language as a reader will see it, variables filled with samples. Null: no words in it. */
export function previewLocale(words: Words, tag: string): readonly PreviewRow[] | null {
  const language = resolveLanguage(tag, words.languages)
  if (language === null) return null
  return NOTICE_KEYS.flatMap((key) =>
    isPlural(key) ? previewPlural(words, language, key) : previewOne(words, language, key),
  )
}

/** Checks our own catalogs and, when there is one, a team's directory. `ok` is false when one cannot be used. */
export async function checkLocales(
  dir: string | null,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const own = Object.entries(CATALOGS).flatMap(([language, catalog]): readonly LocaleProblem[] =>
    isBuiltinLanguage(language)
      ? checkTexts(language, catalog, true).map(({ severity, key, message }) => ({
          severity,
          file: `${language}.json`,
          key,
          message,
        }))
      : [],
  )
  const report = dir === null ? { overrides: [], problems: [] } : await readLocales(dir)
  const problems = [...own, ...report.problems]
  const errors = problems.filter(({ severity }) => severity === 'error')
  const lines = problems.map((problem) => `${problem.severity}: ${problemLine(problem)}`)
  const checked = `${Object.keys(CATALOGS).length} built-in languages, ${report.overrides.length} of your own`
  const verdict = `${checked}: ${errors.length} errors, ${problems.length - errors.length} warnings`
  return { ok: errors.length === 0, text: [...lines, verdict].join('\n') }
}

/** `lastword locales check|list|preview`. */
export function addLocalesCommand(program: Command, settings: () => Config): void {
  const locales = program.command('locales').description('the words people see, in every language')
  const dir = () => settings().LASTWORD_LOCALES_DIR ?? null
  locales
    .command('check')
    .description('check our catalogs and those in LASTWORD_LOCALES_DIR')
    .action(async () => {
      const { ok, text } = await checkLocales(dir())
      process.stdout.write(`${text}\n`)
      if (!ok) throw new LastwordError('locale_invalid')
    })
  locales
    .command('list')
    .description('the languages there are words in')
    .option('--json', 'print JSON')
    .action(async (flags: { readonly json?: boolean }) => {
      const rows = listLocales((await loadWords(dir())).words)
      print(rows, flags.json === true, () => [
        ['LANGUAGE', 'NAME', 'DIRECTION', 'FROM'],
        ...rows.map((row) => [row.language, row.name, row.direction, row.from]),
      ])
    })
  locales
    .command('preview')
    .description('every text of one language as its reader will see it')
    .requiredOption('--lang <tag>', 'a language tag from anywhere, like ja or zh_TW')
    .option('--json', 'print JSON')
    .action(async (flags: { readonly lang: string; readonly json?: boolean }) => {
      const rows = previewLocale((await loadWords(dir())).words, flags.lang)
      if (rows === null)
        throw new LastwordError('usage', `there are no words for ${JSON.stringify(flags.lang)}`)
      print(rows, flags.json === true, () => [['KEY', 'TEXT'], ...rows.map((row) => [row.key, row.text])])
    })
}

function previewOne(words: Words, language: Language, key: NoticeKey): readonly PreviewRow[] {
  return [{ key, text: words.say(language, key, SAMPLE_VALUES) }]
}

function previewPlural(words: Words, language: Language, key: NoticeKey): readonly PreviewRow[] {
  return pluralCategoriesOf(language).map((category) => {
    const count = exampleCount(language, category)
    return { key: `${key}_${category}`, text: words.say(language, key, { ...SAMPLE_VALUES, count }) }
  })
}

/** A number that takes the given plural form; 1.5 where no whole number does (Russian `other`). */
function exampleCount(language: Language, category: Intl.LDMLPluralRule): number {
  const rules = new Intl.PluralRules(language)
  const candidates = [...Array.from({ length: 201 }, (_, number) => number), 1_000_000]
  return candidates.find((number) => rules.select(number) === category) ?? 1.5
}

function nameOf(language: Language, inLanguage: Language): string {
  return new Intl.DisplayNames(inLanguage, { type: 'language' }).of(language) ?? language
}
