import type { Texts } from './texts.js'
import { said } from './texts.js'

/** What was decided to be shown, in words; a dash while nothing is. */
export function decisionWords(decision: string | null, texts: Texts): string {
  return said(texts.decisions, decision) ?? decision ?? '–'
}

/** A reason in words with its code, or the code alone when it is a platform's. */
export function reasonWords(code: string, texts: Texts): string {
  const words = said(texts.reasons, code)
  return words === null ? code : `${words} (${code})`
}
