/**
 * The door to the product's own words: which languages there are, how one is chosen, and what is said in it.
 * Pure: no clock, no files. Operators' own catalogs are read by `locales-load.ts`.
 */
export { CATALOGS, type Texts } from './locales/catalogs.js'
export { checkTexts, type TextProblem } from './locales/check.js'
export {
  chooseLanguage,
  type IgnoredSource,
  type LanguageChoice,
  type LanguageSource,
  type LanguageSources,
} from './locales/choose.js'
export {
  type AddedLanguage,
  addedLanguage,
  type BuiltinLanguage,
  directionOf,
  isBuiltinLanguage,
  LANGUAGES,
  type Language,
  pluralCategoriesOf,
} from './locales/languages.js'
export {
  INSTALL_FAILURES,
  type InstallFailure,
  type NoticeKey,
  type NoticeLine,
  type NoticeVars,
  type PlainKey,
} from './locales/notices.js'
export {
  isPlural,
  MAX_TEXT_CHARS,
  NOTICE_KEYS,
  placeOf,
  SAMPLE_VALUES,
  type TextPlace,
} from './locales/places.js'
export { isLanguageTag, resolveAcceptLanguage, resolveLanguage } from './locales/resolve.js'
export { createWords, type Override, type Words } from './locales/words.js'
