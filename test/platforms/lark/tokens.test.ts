import { describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/deliver/platform.js'
import { createTokenCache, type TokenGrant } from '../../../src/platforms/lark/tokens.js'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DOWN: Fault = { kind: 'not_sent', code: 'econnrefused' }

/** A cache on a clock that moves by hand, and an endpoint that answers what it is told and counts. */
function setUp() {
  const clock = { ms: 1_790_000_000_000 }
  const endpoint = { calls: 0, next: null as TokenGrant | null }
  const fetch = async (): Promise<TokenGrant> => {
    endpoint.calls += 1
    return endpoint.next ?? { kind: 'granted', value: `t-${endpoint.calls}`, lifetimeMs: 2 * HOUR_MS }
  }
  return { clock, endpoint, fetch, cache: createTokenCache(() => clock.ms) }
}

describe('one fetch for all who need a token', () => {
  test('ten at once', async () => {
    const { cache, endpoint, fetch } = setUp()
    const tokens = await Promise.all(Array.from({ length: 10 }, () => cache.get('a', fetch)))
    expect(endpoint.calls).toBe(1)
    expect(new Set(tokens.map((token) => JSON.stringify(token)))).toEqual(
      new Set(['{"kind":"ready","value":"t-1"}']),
    )
  })

  test('ten refresh at once after a refusal, and each key has its own', async () => {
    const { cache, clock, endpoint, fetch } = setUp()
    await cache.get('a', fetch)
    await cache.get('b', fetch)
    clock.ms += HOUR_MS
    const tokens = await Promise.all(Array.from({ length: 10 }, () => cache.refresh('a', fetch)))
    expect(endpoint.calls).toBe(3)
    expect(new Set(tokens.map((token) => token.kind === 'ready' && token.value))).toEqual(new Set(['t-3']))
    expect(await cache.get('b', fetch)).toEqual({ kind: 'ready', value: 't-2' })
  })

  test('those who refresh one after another within seconds share the new token', async () => {
    const { cache, clock, endpoint, fetch } = setUp()
    await cache.get('a', fetch)
    clock.ms += HOUR_MS
    for (let index = 0; index < 5; index += 1) {
      await cache.refresh('a', fetch)
      clock.ms += 500
    }
    expect(endpoint.calls).toBe(2)
  })

  test('a failure is not kept: the next caller tries again', async () => {
    const { cache, endpoint, fetch } = setUp()
    endpoint.next = DOWN
    expect(await Promise.all([cache.get('a', fetch), cache.get('a', fetch)])).toEqual([DOWN, DOWN])
    endpoint.next = null
    expect(await cache.get('a', fetch)).toEqual({ kind: 'ready', value: 't-2' })
  })

  test('a fetch that throws is not kept either', async () => {
    const { cache, fetch } = setUp()
    await expect(cache.get('a', () => Promise.reject(new Error('store is down')))).rejects.toThrow(
      'store is down',
    )
    expect(await cache.get('a', fetch)).toEqual({ kind: 'ready', value: 't-1' })
  })
})

describe('refused tokens', () => {
  test('the refused value is forgotten, so the next call has another (INS-08)', async () => {
    const { cache, fetch } = setUp()
    await cache.get('a', fetch)
    cache.refused('a', 't-1')
    expect(await cache.get('a', fetch)).toEqual({ kind: 'ready', value: 't-2' })
  })

  test('a late refusal of an old value leaves the new one alone', async () => {
    const { cache, endpoint, fetch } = setUp()
    await cache.get('a', fetch)
    cache.refused('a', 't-1')
    await cache.get('a', fetch)
    cache.refused('a', 't-1')
    expect(await cache.get('a', fetch)).toEqual({ kind: 'ready', value: 't-2' })
    expect(endpoint.calls).toBe(2)
  })
})

describe('age', () => {
  test.each([
    { name: 'kept for most of its life', ageMs: 109 * MINUTE_MS, value: 't-1' },
    { name: 'replaced ten minutes before its end', ageMs: 110 * MINUTE_MS, value: 't-2' },
    { name: 'replaced after its end', ageMs: 3 * HOUR_MS, value: 't-2' },
  ])('$name', async ({ ageMs, value }) => {
    const { cache, clock, fetch } = setUp()
    await cache.get('a', fetch)
    clock.ms += ageMs
    expect(await cache.get('a', fetch)).toEqual({ kind: 'ready', value })
  })

  test('a short-lived token keeps three quarters of its life', async () => {
    const { cache, clock, endpoint, fetch } = setUp()
    endpoint.next = { kind: 'granted', value: 'short', lifetimeMs: 60_000 }
    await cache.get('a', fetch)
    clock.ms += 44_000
    await cache.get('a', fetch)
    expect(endpoint.calls).toBe(1)
    clock.ms += 1_000
    await cache.get('a', fetch)
    expect(endpoint.calls).toBe(2)
  })

  test('while the endpoint is down, a token with life left is used and the endpoint is asked twice a minute', async () => {
    const { cache, clock, endpoint, fetch } = setUp()
    await cache.get('a', fetch)
    clock.ms += 111 * MINUTE_MS
    endpoint.next = DOWN
    for (let second = 0; second < 60; second += 1) {
      expect(await cache.get('a', fetch)).toEqual({ kind: 'ready', value: 't-1' })
      clock.ms += 1_000
    }
    expect(endpoint.calls).toBe(1 + 2)
    clock.ms += 10 * MINUTE_MS
    expect(await cache.get('a', fetch)).toEqual(DOWN)
  })

  test('a day of idleness asks for nothing (RAT-07)', async () => {
    const { cache, clock, endpoint, fetch } = setUp()
    await cache.get('a', fetch)
    clock.ms += 24 * HOUR_MS
    expect(endpoint.calls).toBe(1)
  })
})
