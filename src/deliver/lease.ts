/**
 * How long a worker may be silent before it must say nothing more, in ms: less than the others wait before they take
 * its lanes (`WORKER_TIMES`), with and without its database session.
 */
export const LEASE_TIMES = {
  checkMs: 250,
  withoutSessionMs: 1_500,
  withSessionMs: 10_000,
} as const

/** What a caller of a platform sees of it. */
export interface Lease {
  /** True while others may have taken our lanes: nothing may leave the host. */
  readonly isLapsed: () => boolean
  /** Calls `cut` when it lapses; the answer takes that back. */
  onLapse(cut: () => void): () => void
}

/** What a worker does with it. Held until a worker keeps it: a process that works on no lanes never loses it. */
export interface KeptLease extends Lease {
  /** A beat reached the database. `askedAtMs`, on the monotonic clock, is when it was sent: others count from then. */
  renew(askedAtMs: number): void
  /** The session whose lock tells others that we live was opened or lost. */
  sessionHeld(isHeld: boolean): void
  /** Ends the calls under way: others had taken this worker for dead. */
  forfeit(): void
  /** To be called every `checkMs`: ends the calls under way when the silence was too long. */
  check(): void
}

/**
 * The right to speak. A worker that is cut off from the database may lose its lanes while a call of its own is under way,
 * and nobody could tell whether that call still lands; so its calls end before the others look.
 *
 * @param monotonicMs a clock that nobody sets
 */
export function createLease(monotonicMs: () => number): KeptLease {
  const cuts = new Set<() => void>()
  let renewedAtMs: number | null = null
  let isSessionHeld = true

  // By the clock and not by the timer: after a standstill, answers may be read before the timer runs.
  function isLapsed(): boolean {
    const most = isSessionHeld ? LEASE_TIMES.withSessionMs : LEASE_TIMES.withoutSessionMs
    return renewedAtMs !== null && monotonicMs() - renewedAtMs > most
  }

  function forfeit(): void {
    for (const cut of [...cuts]) cut()
    cuts.clear()
  }

  function check(): void {
    if (isLapsed()) forfeit()
  }

  return {
    isLapsed,
    onLapse(cut) {
      cuts.add(cut)
      return () => void cuts.delete(cut)
    },
    renew(askedAtMs) {
      check()
      renewedAtMs = askedAtMs
    },
    sessionHeld(isHeld) {
      isSessionHeld = isHeld
    },
    forfeit,
    check,
  }
}
