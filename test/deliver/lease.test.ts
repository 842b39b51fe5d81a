import { expect, test } from 'vitest'
import { createLease, LEASE_TIMES } from '../../src/deliver/lease.js'
import { WORKER_TIMES } from '../../src/deliver/worker.js'

/** A lease, and a call under way that it may cut. */
function kept() {
  let nowMs = 0
  let cuts = 0
  const lease = createLease(() => nowMs)
  lease.onLapse(() => (cuts += 1))
  return {
    lease,
    now: () => nowMs,
    cuts: () => cuts,
    silentFor(durationMs: number) {
      nowMs += durationMs
      lease.check()
    },
  }
}

test('a process that works on no lanes never loses it', () => {
  const { lease, cuts, silentFor } = kept()
  silentFor(3_600_000)
  expect([lease.isLapsed(), cuts()]).toEqual([false, 0])
})

const rows = [
  { name: 'with its session, a slow database costs nothing', isHeld: true, silentMs: 10_000, lapsed: false },
  { name: 'with its session, a long silence', isHeld: true, silentMs: 10_001, lapsed: true },
  { name: 'without its session, between two beats', isHeld: false, silentMs: 1_500, lapsed: false },
  { name: 'without its session, a missed beat', isHeld: false, silentMs: 1_501, lapsed: true },
] as const
test.each(rows)('$name', ({ isHeld, silentMs, lapsed }) => {
  const { lease, cuts, now, silentFor } = kept()
  lease.renew(now())
  lease.sessionHeld(isHeld)
  silentFor(silentMs)
  expect([lease.isLapsed(), cuts()]).toEqual([lapsed, lapsed ? 1 : 0])
})

test('it lapses before anybody else takes the lanes', () => {
  expect(LEASE_TIMES.withoutSessionMs + LEASE_TIMES.checkMs).toBeLessThan(WORKER_TIMES.staleMs)
  expect(LEASE_TIMES.withSessionMs + LEASE_TIMES.checkMs).toBeLessThan(WORKER_TIMES.deadMs)
})

test('a beat brings it back, and what has ended is not cut', () => {
  const { lease, silentFor, cuts, now } = kept()
  let cutTooLate = 0
  const forget = lease.onLapse(() => (cutTooLate += 1))
  forget()
  lease.renew(now())
  silentFor(20_000)
  silentFor(20_000)
  expect([lease.isLapsed(), cuts(), cutTooLate]).toEqual([true, 1, 0])
  lease.renew(now())
  expect(lease.isLapsed()).toBe(false)
})

test('others count from when a beat was sent, and so does the lease', () => {
  const { lease, silentFor, now } = kept()
  const askedAtMs = now()
  silentFor(9_000)
  lease.renew(askedAtMs)
  silentFor(1_001)
  expect(lease.isLapsed()).toBe(true)
})

test('a late beat after a standstill still ends the calls from before it', () => {
  let nowMs = 0
  let cuts = 0
  const lease = createLease(() => nowMs)
  lease.renew(0)
  lease.onLapse(() => (cuts += 1))
  nowMs = 60_000
  expect(lease.isLapsed()).toBe(true)
  lease.renew(59_990)
  expect([lease.isLapsed(), cuts]).toEqual([false, 1])
})

test('a worker that was taken for dead ends its calls', () => {
  const { lease, cuts, now } = kept()
  lease.renew(now())
  lease.forfeit()
  expect([lease.isLapsed(), cuts()]).toEqual([false, 1])
})
