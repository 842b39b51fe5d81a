import { describe, expect, test } from 'vitest'
import {
  MAX_RETRY_AFTER_MS,
  parseRetryAfter,
  RETRY_WAITS_MS,
  retryWaitMs,
} from '../../src/receipts/schedule.js'

const HOUR_MS = 3_600_000

describe('the schedule of retries', () => {
  test('it covers a day, and ends', () => {
    const totalMs = RETRY_WAITS_MS.reduce((sum, waitMs) => sum + waitMs, 0)
    expect(totalMs).toBeGreaterThan(23 * HOUR_MS)
    expect(totalMs).toBeLessThan(25 * HOUR_MS)
    expect(retryWaitMs(RETRY_WAITS_MS.length + 1, null, () => 0.5)).toBeNull()
  })

  test.each([
    ['the least jitter', 1, null, 0, 4_500],
    ['no jitter', 1, null, 0.5, 5_000],
    ['the most jitter', 2, null, 0.999_999, 33_000],
    ['what the endpoint asks for lengthens a wait', 1, 60_000, 0.5, 60_000],
    ['and never shortens one', 5, 1_000, 0.5, 1_800_000],
    ['nor holds a message for days', 1, 10 * 86_400_000, 0.5, MAX_RETRY_AFTER_MS],
  ] as const)('%s', (_name, attempt, retryAfterMs, random, expected) => {
    expect(retryWaitMs(attempt, retryAfterMs, () => random)).toBe(expected)
  })
})

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 10, 30, 12)
  test.each([
    ['seconds', '120', 120_000],
    ['a date', 'Mon, 30 Nov 2026 12:00:30 GMT', 30_000],
    ['a date that has passed', 'Mon, 30 Nov 2026 11:00:00 GMT', 0],
    ['nonsense', 'soon', null],
    ['nothing', null, null],
  ] as const)('%s', (_name, header, expected) => {
    expect(parseRetryAfter(header, nowMs)).toBe(expected)
  })
})
