import type { Language, Words } from '../../locales.js'
import type { Line } from '../../render/message.js'
import type { JsonObject } from '../../render/part.js'
import { larkLocales } from './render-locales.js'

/** How a toast looks. */
export type ToastTone = 'success' | 'info' | 'error'

/**
 * The answer to a card's callback that shows a line for a moment, to whoever pressed and in their own language.
 * Source: open.feishu.cn/document/feishu-cards/card-callback-communication (2025-08)
 */
export function toastOf(line: Line, tone: ToastTone, words: Words, fallback: Language): JsonObject {
  const i18n = words.languages.flatMap((language) =>
    larkLocales(language).map((locale) => [locale, words.say(language, line.key, line.vars)] as const),
  )
  const content = words.say(fallback, line.key, line.vars)
  return { toast: { type: tone, content, i18n: Object.fromEntries(i18n) } }
}
