import { resolveAcceptLanguage } from '../../locales.js'
import { EN, type Texts } from './texts-en.js'
import { ZH_HANS } from './texts-zh-hans.js'

export type { Texts } from './texts-en.js'

/** Languages of the console: what operators read, not what chats are told. */
export const CONSOLE_LANGUAGES = ['en', 'zh-Hans'] as const
export type ConsoleLanguage = (typeof CONSOLE_LANGUAGES)[number]

const CATALOGS: Readonly<Record<ConsoleLanguage, Texts>> = { en: EN, 'zh-Hans': ZH_HANS }

export function textsOf(language: ConsoleLanguage): Texts {
  return CATALOGS[language]
}

/** What the reader chose, else what their browser asks for, else English. Traditional Chinese reads the simplified. */
export function consoleLanguage(chosen: string | null, acceptLanguage: string | undefined): ConsoleLanguage {
  return asConsoleLanguage(chosen) ?? fromHeader(acceptLanguage) ?? 'en'
}

/** A language of the console by its tag, or null. */
export function asConsoleLanguage(tag: string | null): ConsoleLanguage | null {
  return CONSOLE_LANGUAGES.find((language) => language === tag) ?? null
}

function fromHeader(header: string | undefined): ConsoleLanguage | null {
  const wanted = resolveAcceptLanguage(header, [...CONSOLE_LANGUAGES, 'zh-Hant'])
  return wanted === 'zh-Hant' ? 'zh-Hans' : asConsoleLanguage(wanted)
}

/** A code in words where there are some, else null. */
export function said(words: Readonly<Record<string, string>>, code: string | null): string | null {
  return code !== null && Object.hasOwn(words, code) ? (words[code] ?? null) : null
}
