/** Milliseconds of the units that providers write after a number. Without one, `Retry-After` is in seconds (RFC 9110, 10.2.3). */
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A longer wait than 30 days is no hint for a person. */
const MAX_WAIT_MS = 30 * 86_400_000

const UNIT = '(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)(?![a-z])'
/** A number without a unit is in seconds, unless a word says what else it counts. */
const HINT = new RegExp(
  `\\b(?:(?:re-?try|try\\s+again)[\\s_-]*(?:after|in)|wait(?:\\s+for)?)["'\\s:=]{0,4}((?:\\d{1,9}(?:\\.\\d{1,9})?(?:\\s*${UNIT}|(?![\\d.]|\\s*[a-z]))[\\s,]{0,2}){1,4})`,
  'i',
)
const AMOUNT = /(\d{1,9}(?:\.\d{1,9})?)\s*(ms|milli|s|m|h|d)?/gi

/**
 * How long a provider asked to be left alone, in ms, read from its error text: `try again in 6m0s`, `Retry-After: 120`.
 * Null when it does not say. Only the number leaves the text.
 */
export function readRetryHint(text: string): number | null {
  const amounts = HINT.exec(text)?.[1]
  if (amounts === undefined) return null
  let waitMs = 0
  for (const [, count = '0', unit = 's'] of amounts.matchAll(AMOUNT)) {
    const known = unit.toLowerCase() === 'milli' ? 'ms' : unit.toLowerCase()
    waitMs += Number(count) * (UNIT_MS[known] ?? 0)
  }
  return waitMs > 0 && waitMs <= MAX_WAIT_MS ? Math.ceil(waitMs) : null
}
