/** Every ASCII punctuation character may be escaped in Markdown (CommonMark 0.31, 2.4). */
const PUNCTUATION = /[!-/:-@[-`{-~]/g

/** Markdown that shows `text` character by character, and reads nothing of it as markup. */
export function literally(text: string): string {
  return text.trim().replaceAll(PUNCTUATION, '\\$&')
}
