import type { JsonObject } from './fields.js'
import { isObject } from './fields.js'

/** What one line of a transcript is. A blank line is nothing at all and is not counted. */
export type ParsedLine =
  | { readonly kind: 'event'; readonly event: JsonObject }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'blank' }

const INVALID: ParsedLine = { kind: 'invalid' }
const BLANK: ParsedLine = { kind: 'blank' }

/** The runtimes read a bare `null` as an event without fields. */
const NULL_EVENT: ParsedLine = { kind: 'event', event: {} }

/**
 * Parses one line as an event. White space around it is dropped.
 *
 * @param clean drops what a provider puts before the JSON
 */
export function parseLine(line: string, clean: (line: string) => string): ParsedLine {
  if (line === '') return BLANK
  const first = parseJson(line)
  if (first !== undefined) return asEvent(first)
  // JSON bears no more than ASCII white space around it; only a line that failed is worth trimming and cleaning.
  const cleaned = clean(trimSpace(line))
  if (cleaned === '') return BLANK
  return cleaned === line ? INVALID : asEvent(parseJson(cleaned))
}

function asEvent(value: unknown): ParsedLine {
  if (value === null) return NULL_EVENT
  return isObject(value) ? { kind: 'event', event: value } : INVALID
}

/** `undefined`, which JSON cannot say, when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Drops Unicode white space at both ends. Unlike `trim`, it keeps a byte order mark and drops U+0085, as the runtimes do. */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  if (unit < 0x85) return false
  return (
    unit === 0x85 ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  )
}
