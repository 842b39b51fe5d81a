/** How deep a block's own fields are kept. Nothing deeper is ever shown; a bound keeps cleaning total. */
const MAX_DEPTH = 64

/**
 * Text that every store and platform accepts: NUL characters are removed (Postgres refuses U+0000 in text and jsonb,
 * https://www.postgresql.org/docs/current/datatype-json.html) and lone surrogates become U+FFFD. Nothing else is lost.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** A parsed JSON value with every string and field name in it cleaned; parts nested deeper than 64 levels become null. */
export function cleanJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((element) => cleanJson(element, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [cleanText(name), cleanJson(field, depth + 1)]),
  )
}
