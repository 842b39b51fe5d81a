/**
 * Waits between tries of one message, in ms: close together at first, since most failures are a restart, then up to
 * a day, since the rest are a night. Eleven tries over 23.7 hours.
 */
export const RETRY_WAITS_MS = [
  5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 36_000_000,
] as const

/** Part of a wait that is random, so that an outage does not end with every message sent at once. */
const JITTER = 0.2

/** Longest wait that an endpoint may ask for, in ms. */
export const MAX_RETRY_AFTER_MS = 3_600_000

/** An endpoint that has failed for this long is disabled, in ms. Longer than a weekend would be kinder, and less seen. */
export const DISABLE_AFTER_MS = 3 * 86_400_000

/**
 * How long to wait after try number `attempt` (1 = the first) has failed, in ms, or null when it was the last.
 *
 * @param retryAfterMs what the endpoint asked for; it lengthens a wait and never shortens one
 * @param random returns [0, 1)
 */
export function retryWaitMs(
  attempt: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  const waitMs = RETRY_WAITS_MS[attempt - 1]
  if (waitMs === undefined) return null
  const jittered = Math.round(waitMs * (1 + (random() - 0.5) * JITTER))
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS))
}

/**
 * Reads a `Retry-After` header (RFC 9110 10.2.3): seconds or a date.
 *
 * @returns ms, or null when there is none that can be read
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}
