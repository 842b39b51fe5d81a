import { createInstance, type TFunction } from 'i18next'
import { CATALOGS, type Texts } from './catalogs.js'
import { formatFromNow, formatNumber, formatSize } from './format.js'
import { directionOf, LANGUAGES, type Language } from './languages.js'
import type { NoticeKey, NoticeVars, PlainKey } from './notices.js'
import { resolveLanguage } from './resolve.js'

/** Every text a person in a chat can see. Synchronous and without hidden state. */
export interface Words {
  readonly languages: readonly Language[]
  /** One line in one language. A text that a language lacks is said in English; a raw key is never returned. */
  say(language: Language, key: PlainKey): string
  say<K extends NoticeKey>(language: Language, key: K, vars: NoticeVars<K>): string
}

/** Texts laid over ours: a team's own wording, or a language of its own. Checked by `checkTexts` before. */
export interface Override {
  readonly language: Language
  readonly texts: Texts
}

/** First strong isolate, pop directional isolate (Unicode 6.3): a name keeps its own direction inside a sentence. */
const [ISOLATE, POP] = ['\u2068', '\u2069']

/** The words of this product with `overrides` laid over them. Cheap to keep, made once at start. */
export function createWords(overrides: readonly Override[] = []): Words {
  const texts = mergeTexts(overrides)
  const say = sayWith(texts)
  return { languages: [...texts.keys()], say }
}

function mergeTexts(overrides: readonly Override[]): ReadonlyMap<Language, Texts> {
  const texts = new Map<Language, Texts>(LANGUAGES.map((language) => [language, CATALOGS[language]]))
  for (const { language, texts: own } of overrides) texts.set(language, { ...texts.get(language), ...own })
  return texts
}

function sayWith(texts: ReadonlyMap<Language, Texts>): Words['say'] {
  const i18n = createInstance()
  void i18n.init({
    initAsync: false,
    fallbackLng: 'en',
    load: 'currentOnly',
    keySeparator: false,
    nsSeparator: false,
    returnNull: false,
    interpolation: { escapeValue: false },
    resources: Object.fromEntries(
      [...texts].map(([language, entries]) => [language, { translation: entries }]),
    ),
  })
  const formatter = i18n.services.formatter
  formatter?.add('number', (value, language = 'en') => formatNumber(Number(value), language))
  formatter?.add('size', (value, language = 'en') => formatSize(Number(value), language))
  formatter?.add('from_now', (value, language = 'en') => formatFromNow(Number(value), language))
  const fixed = new Map<Language, TFunction>(
    [...texts.keys()].map((language) => [language, i18n.getFixedT(language)]),
  )
  const rightToLeft = new Set([...texts.keys()].filter((language) => directionOf(language) === 'rtl'))
  const english = i18n.getFixedT('en')
  return remembering((language, key, vars) => {
    const speaker = speakerOf(texts, language, key)
    return (fixed.get(speaker) ?? english)(key, rightToLeft.has(speaker) ? isolated(vars) : { ...vars })
  })
}

type Say = (language: Language, key: NoticeKey, vars: NoticeVars) => string

/** Lines kept at most, each about 200 bytes; then the memo starts anew. */
const MAX_REMEMBERED = 5000

/** Remembers lines: to plan and fill one Lark card the same few are asked for in fifteen languages over and over. */
function remembering(say: Say): Words['say'] {
  const known = new Map<string, string>()
  return (language: Language, key: NoticeKey, vars: NoticeVars = {}) => {
    const id = JSON.stringify([language, key, vars])
    const text = known.get(id) ?? say(language, key, vars)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(id, text)
    return text
  }
}

/**
 * The language a text is said in: the asked one; where an operator's variant (`pt-PT`) lacks the text our own of that
 * language; else English. Chosen before i18next is asked, so that numbers and times are in the sentence's language.
 */
function speakerOf(texts: ReadonlyMap<Language, Texts>, language: Language, key: NoticeKey): Language {
  const speaks = (candidate: Language): boolean => {
    const entries = texts.get(candidate) ?? {}
    return Object.hasOwn(entries, key) || Object.hasOwn(entries, `${key}_other`)
  }
  if (speaks(language)) return language
  const related = resolveLanguage(language)
  return related !== null && speaks(related) ? related : 'en'
}

function isolated(vars: NoticeVars): Record<string, string | number> {
  const entries: [string, string | number][] = Object.entries(vars)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? `${ISOLATE}${value}${POP}` : value]),
  )
}
