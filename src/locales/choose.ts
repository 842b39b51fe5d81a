import { LANGUAGES, type Language } from './languages.js'
import { isLanguageTag, resolveLanguage } from './resolve.js'

/** What knows a reader's language, in the order of the contract (section 5, "Languages"). */
export type LanguageSource = 'run' | 'person' | 'conversation' | 'installation' | 'default'

/** What each source says, as it wrote it. `null` or empty: it says nothing. */
export interface LanguageSources {
  readonly run: unknown
  /** The one reader of a direct conversation. Null in a channel: it has more readers than the one who asked. */
  readonly person: unknown
  readonly conversation: unknown
  readonly installation: unknown
  readonly fallback: Language
}

/** A source that said something of no use: to be warned about once, never an error. */
export interface IgnoredSource {
  readonly from: Exclude<LanguageSource, 'default'>
  /** `malformed`: no language tag; `unsupported`: a language without words. */
  readonly why: 'malformed' | 'unsupported'
}

export interface LanguageChoice {
  readonly language: Language
  readonly from: LanguageSource
  readonly ignored: readonly IgnoredSource[]
}

const ORDER = ['run', 'person', 'conversation', 'installation'] as const

/** Chooses the one language of a delivery: the first source that names a language with words. Never throws. */
export function chooseLanguage(
  sources: LanguageSources,
  languages: readonly Language[] = LANGUAGES,
): LanguageChoice {
  const ignored: IgnoredSource[] = []
  for (const from of ORDER) {
    const tag = sources[from]
    if (tag === null || tag === undefined || tag === '') continue
    const language = resolveLanguage(tag, languages)
    if (language !== null) return { language, from, ignored }
    ignored.push({ from, why: isLanguageTag(tag) ? 'unsupported' : 'malformed' })
  }
  return { language: sources.fallback, from: 'default', ignored }
}
