/**
 * Plural forms each language needs for `count`, as CLDR 45 (Node 20) has them; a test compares with the running
 * Node. The keys are the languages we ship.
 */
export const PLURAL_CATEGORIES = {
  en: ['one', 'other'],
  'zh-Hans': ['other'],
  'zh-Hant': ['other'],
  ja: ['other'],
  ko: ['other'],
  de: ['one', 'other'],
  fr: ['one', 'many', 'other'],
  es: ['one', 'many', 'other'],
  'pt-BR': ['one', 'many', 'other'],
  it: ['one', 'many', 'other'],
  ru: ['one', 'few', 'many', 'other'],
  id: ['other'],
  vi: ['other'],
  th: ['other'],
  ms: ['other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  he: ['one', 'two', 'other'],
} as const satisfies Readonly<Record<string, readonly Intl.LDMLPluralRule[]>>

/** A language with a catalog of ours in `locales/`. */
export type BuiltinLanguage = keyof typeof PLURAL_CATEGORIES

declare const added: unique symbol
/** A language an operator added with a catalog of their own; made by `addedLanguage`. */
export type AddedLanguage = string & { readonly [added]: true }

/** A language that has words. */
export type Language = BuiltinLanguage | AddedLanguage

/** Our languages, English first. */
export const LANGUAGES = [
  'en',
  'zh-Hans',
  'zh-Hant',
  'ja',
  'ko',
  'de',
  'fr',
  'es',
  'pt-BR',
  'it',
  'ru',
  'id',
  'vi',
  'th',
  'ms',
  'ar',
  'he',
] as const satisfies readonly BuiltinLanguage[]

export function isBuiltinLanguage(tag: string): tag is BuiltinLanguage {
  return Object.hasOwn(PLURAL_CATEGORIES, tag)
}

/** The canonical form of an operator's own language tag (`nl`, `pt-PT`), or null when it is no language tag. */
export function addedLanguage(tag: string): AddedLanguage | null {
  try {
    return new Intl.Locale(tag).baseName as AddedLanguage
  } catch {
    return null
  }
}

const RIGHT_TO_LEFT_SCRIPTS: ReadonlySet<string> = new Set([
  'Arab',
  'Hebr',
  'Thaa',
  'Syrc',
  'Nkoo',
  'Adlm',
  'Rohg',
])

/** Which way a language is written; for `dir` attributes and for isolating names inside a sentence. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT_SCRIPTS.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}

/** Plural forms a catalog of this language must have, `other` included. */
export function pluralCategoriesOf(language: Language): readonly Intl.LDMLPluralRule[] {
  if (isBuiltinLanguage(language)) return PLURAL_CATEGORIES[language]
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories
}
