import type { Language } from '../../locales.js'
import type { Line, RenderContext } from '../../render/message.js'
import { LARK_LIMITS } from './limits.js'
import { wireBytes } from './render-bytes.js'
import { type LarkLocale, larkLocales } from './render-locales.js'

/** A text of ours as a card takes it: the delivery's language, and each reader's own beside it. */
export interface CardText {
  readonly content: string
  readonly i18n_content: Readonly<Partial<Record<LarkLocale, string>>>
}

/** Says lines in every language the card carries. */
export type Say = (line: Line) => CardText

/**
 * Says lines in the languages that all of `lines` fit in together. A language is in all lines of a card or in none,
 * so that nobody reads half a card in another language. First the delivery's own, the installation's and English
 * (what Lark shows to a reader whose language is missing), then the rest in their order. Most answers need no word of
 * ours, so nothing is chosen before the first line is said.
 */
export function sayIn(
  context: RenderContext,
  lines: readonly Line[],
  budgetBytes: number = LARK_LIMITS.wordsBytes.budget,
): Say {
  let chosen: readonly Language[] | null = null
  return (line) => {
    chosen ??= languagesFor(context, lines, budgetBytes)
    const entries = chosen.flatMap((language) => {
      const locales = larkLocales(language)
      const text = locales.length === 0 ? '' : say(context, language, line)
      return locales.map((locale) => [locale, text] as const)
    })
    return { content: say(context, context.language, line), i18n_content: Object.fromEntries(entries) }
  }
}

function languagesFor(
  context: RenderContext,
  lines: readonly Line[],
  budgetBytes: number,
): readonly Language[] {
  const wanted = [context.language, context.installationLanguage, 'en' as const, ...context.words.languages]
  const chosen: Language[] = []
  let usedBytes = 0
  for (const language of new Set<Language>(wanted)) {
    const bytes = lines.reduce((sum, line) => sum + entryBytes(context, language, line), 0)
    if (usedBytes + bytes > budgetBytes) continue
    usedBytes += bytes
    chosen.push(language)
  }
  return chosen
}

/** One line of ours in one language. */
export function say(context: RenderContext, language: Language, line: Line): string {
  return context.words.say(language, line.key, line.vars)
}

/** `"xx_yy":"text",` for each of the language's Lark keys. */
function entryBytes(context: RenderContext, language: Language, line: Line): number {
  const locales = larkLocales(language).length
  return locales === 0 ? 0 : locales * (wireBytes(say(context, language, line)) + 20)
}
