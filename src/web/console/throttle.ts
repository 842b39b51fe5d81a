/** Failed attempts of one address in one window before it has to wait. */
const MAX_FAILURES = 10
const WINDOW_MS = 300_000
/** Addresses remembered; the oldest is forgotten first. */
const MAX_ADDRESSES = 10_000

interface Failures {
  readonly sinceMs: number
  readonly count: number
}

/** Slows down who guesses keys. By process: with several, an address has as many attempts more. */
export interface Throttle {
  /** How long this address has to wait, in ms; 0: not at all. */
  waitMs(address: string, nowMs: number): number
  failed(address: string, nowMs: number): void
  succeeded(address: string): void
}

export function createThrottle(): Throttle {
  const failures = new Map<string, Failures>()
  return {
    waitMs(address, nowMs) {
      const known = failures.get(address)
      if (known === undefined || known.count < MAX_FAILURES) return 0
      return Math.max(0, known.sinceMs + WINDOW_MS - nowMs)
    },
    failed(address, nowMs) {
      const known = failures.get(address)
      const isOver = known === undefined || nowMs - known.sinceMs >= WINDOW_MS
      failures.delete(address)
      failures.set(address, isOver ? { sinceMs: nowMs, count: 1 } : { ...known, count: known.count + 1 })
      for (const oldest of failures.keys()) {
        if (failures.size <= MAX_ADDRESSES) break
        failures.delete(oldest)
      }
    },
    succeeded: (address) => void failures.delete(address),
  }
}
