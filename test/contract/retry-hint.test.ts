import { expect, test } from 'vitest'
import { decide } from '../../src/contract/decide.js'
import { normalizeOutcome } from '../../src/contract/normalize.js'
import { readRetryHint } from '../../src/contract/retry-hint.js'
import { aRun, inSurface, NO_TOKENS, NOW_MS } from './a-run.js'

const TEXTS: readonly [text: string, waitMs: number | null][] = [
  ['Please try again in 6m0s.', 360_000],
  ['Please try again in 1.2s. Visit the console.', 1_200],
  ['try again in 1h2m3s', 3_723_000],
  ['try again in 2 hours, 5 minutes', 7_500_000],
  ['Retry-After: 120', 120_000],
  ['{"retry-after":"120"}', 120_000],
  ['"retryAfter": 10', 10_000],
  ['retry_after=45', 45_000],
  ['retry after 30 seconds', 30_000],
  ['Please retry in 34.074824224s.', 34_075],
  ['please wait for 500ms', 500],
  ['wait 20 minutes and retry', 1_200_000],
  ['retry after 3 attempts', null],
  ['retried 3 times', null],
  ['try again later', null],
  ['retry in 0s', null],
  ['retry in 99999999999s', null],
  ['retry in 31 days', null],
  ['', null],
]

test.each(TEXTS)('%j', (text, waitMs) => {
  expect(readRetryHint(text)).toBe(waitMs)
})

test('of a long row of numbers no more is read than a wait has', () => {
  const text = 'retry in '.repeat(1_000) + '1 '.repeat(20_000)
  expect(readRetryHint(text)).toBe(4_000)
})

const busy = { status: 'failed', errorCode: 'rate_limit_exceeded' } as const

const WAITS = [
  {
    name: 'as the producer says',
    reported: { ...busy, retryAfterMs: 120_000 },
    finishedAtMs: null,
    told: 120_000,
  },
  {
    name: 'what is left of it',
    reported: { ...busy, retryAfterMs: 120_000 },
    finishedAtMs: NOW_MS - 50_000,
    told: 70_000,
  },
  {
    name: 'nothing once it is over',
    reported: { ...busy, retryAfterMs: 120_000 },
    finishedAtMs: NOW_MS - 120_000,
    told: undefined,
  },
  {
    name: 'never more than was said',
    reported: { ...busy, retryAfterMs: 120_000 },
    finishedAtMs: NOW_MS + 50_000,
    told: 120_000,
  },
  {
    name: 'from the error text',
    reported: { ...busy, error: 'try again in 20s' },
    finishedAtMs: null,
    told: 20_000,
  },
  {
    name: 'the producer before the text',
    reported: { ...busy, error: 'try again in 20s', retryAfterMs: 5_000 },
    finishedAtMs: null,
    told: 5_000,
  },
  {
    name: 'not where waiting is no help',
    reported: { status: 'failed', errorCode: 'invalid_api_key', retryAfterMs: 5_000 },
    finishedAtMs: null,
    told: undefined,
  },
  {
    name: 'not for a run that was cut',
    reported: { status: 'truncated', error: 'try again in 20s' },
    finishedAtMs: null,
    told: undefined,
  },
] as const

test.each(WAITS)('a wait is told: $name', ({ reported, finishedAtMs, told }) => {
  const run = aRun({ outcome: normalizeOutcome(reported), finishedAtMs })
  const decision = decide(run, inSurface('direct'), NO_TOKENS)
  expect(decision.kind === 'failure' ? decision.retryAfterMs : 'not a failure').toBe(told)
})
