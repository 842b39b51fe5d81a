/** First and longest wait between tries of a transient fault, in ms. Giving up is by age, so the cap stays low. */
export const BACKOFF = { firstMs: 1_000, capMs: 60_000 } as const

/**
 * How long to wait before try number `retry` (1 = first retry), in milliseconds: doubles from 1 s to a 60 s cap, then
 * takes a random point below it ("full jitter"), so that an outage does not end with every lane at once.
 *
 * @param random returns [0, 1); injected so tests can pin the jitter
 * @throws {RangeError} when `retry` is not a positive integer
 */
export function backoffMs(retry: number, random: () => number): number {
  if (!Number.isInteger(retry) || retry < 1)
    throw new RangeError(`retry must be a positive integer, got ${retry}`)
  const ceilingMs = Math.min(BACKOFF.capMs, BACKOFF.firstMs * 2 ** Math.min(retry - 1, 16))
  return Math.max(50, Math.round(ceilingMs * random()))
}
