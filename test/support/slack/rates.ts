/** A token bucket per key, in the server's time. */
export class RateBuckets {
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Seconds to wait (whole, at least one), or null when the call may go on. */
  take(key: string, perSecond: number, burst: number): number | null {
    const now = this.#now()
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: now }
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) / 1_000) * perSecond)
    if (tokens < 1) {
      this.#buckets.set(key, { tokens, atMs: now })
      return Math.max(1, Math.ceil((1 - tokens) / perSecond))
    }
    this.#buckets.set(key, { tokens: tokens - 1, atMs: now })
    return null
  }
}
