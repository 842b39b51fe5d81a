import type { Content } from './content.js'

/**
 * Characters that show nothing: white space, controls, format characters (zero-width space and joiners, bidi marks, BOM,
 * soft hyphen, tags), fillers and lone variation selectors, and the blank braille pattern.
 * Source: Unicode 16, properties White_Space, Default_Ignorable_Code_Point, General_Category=Cf and Cc.
 */
const INVISIBLE = '\\p{White_Space}\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800'
const SHOWS_SOMETHING = new RegExp(`[^${INVISIBLE}]`, 'u')

/** What a chat could show of content: the text blocks joined, no separator, untrimmed. Other blocks show nothing. */
export function contentText(content: Content | null): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('')
}

/** Whether a person would see anything. `0`, `false`, `.` and an emoji are visible. */
export function isVisible(text: string): boolean {
  return SHOWS_SOMETHING.test(text)
}

/** `text` without the characters at both ends that show nothing. */
export function trimInvisible(text: string): string {
  const start = text.search(SHOWS_SOMETHING)
  return start === -1 ? '' : trimInvisibleEnd(text.slice(start))
}

/** `text` without the characters at its end that show nothing. */
export function trimInvisibleEnd(text: string): string {
  let end = text.length
  while (end > 0 && !isVisible(lastCharacter(text, end))) end -= lastCharacter(text, end).length
  return text.slice(0, end)
}

function lastCharacter(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end)
  return pair.length === 2 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair) ? pair : text.slice(end - 1, end)
}
