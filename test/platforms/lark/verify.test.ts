import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLarkEvent } from '../../../src/platforms/lark/events.js'
import { verifyLarkRequest } from '../../../src/platforms/lark/verify.js'
import {
  currentEvent,
  ENCRYPT_KEY,
  encrypted,
  randomBody,
  signed,
  VERIFICATION_TOKEN,
} from '../../support/lark/events.js'
import { LARK } from '../../support/lark/seed.js'

const KEYS = { appId: LARK.appId, encryptKey: ENCRYPT_KEY, verificationToken: VERIFICATION_TOKEN }
const NOW_MS = 1_790_000_000_000

function request(body: Uint8Array | string, headers: Record<string, string> = {}) {
  return {
    timestamp: headers['x-lark-request-timestamp'] ?? null,
    nonce: headers['x-lark-request-nonce'] ?? null,
    signature: headers['x-lark-signature'] ?? null,
    body: Buffer.from(body),
  }
}

test('10 000 random requests are judged without a throw, and unsigned ones are never taken', () => {
  let count = 0
  const seen = new Set<string>()
  fc.assert(
    fc.property(randomBody, fc.boolean(), (bytes, isSigned) => {
      count += 1
      const headers = isSigned ? signed(bytes, { atSeconds: NOW_MS / 1_000 }) : {}
      const verified = verifyLarkRequest(KEYS, request(bytes, headers), NOW_MS)
      seen.add(verified.kind)
      if (verified.kind !== 'body') return
      expect(isSigned).toBe(true)
      expect(parseLarkEvent(verified.body)).not.toBeUndefined()
    }),
    { numRuns: 10_000 },
  )
  expect(count).toBe(10_000)
  expect([...seen].sort()).toEqual(['body', 'refused'])
})

test('any one byte of a signed body or header that changes is noticed', () => {
  const body = Buffer.from(encrypted(currentEvent('x', {}, { appId: LARK.appId })))
  const headers = signed(body, { atSeconds: NOW_MS / 1_000 })
  expect(verifyLarkRequest(KEYS, request(body, headers), NOW_MS).kind).toBe('body')
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(body)
      changed[at] = (changed[at] ?? 0) ^ flip
      expect(verifyLarkRequest(KEYS, request(changed, headers), NOW_MS)).toMatchObject({
        status: 401,
        code: 'bad_signature',
      })
    }),
    { numRuns: 200 },
  )
})

test.each([
  { name: 'five minutes old', skewMs: -300_000, kind: 'body' },
  { name: 'older', skewMs: -301_000, kind: 'refused' },
  { name: 'a minute ahead', skewMs: 60_000, kind: 'body' },
  { name: 'further ahead', skewMs: 61_000, kind: 'refused' },
])('a signed request $name', ({ skewMs, kind }) => {
  const body = encrypted(currentEvent('x', {}, { appId: LARK.appId }))
  const headers = signed(body, { atSeconds: (NOW_MS + skewMs) / 1_000 })
  expect(verifyLarkRequest(KEYS, request(body, headers), NOW_MS).kind).toBe(kind)
})

test('with an encrypt key alone the signature is enough, and needed', () => {
  const keys = { ...KEYS, verificationToken: null }
  const body = encrypted(currentEvent('x', {}, { appId: LARK.appId, token: 'whatever' }))
  const headers = signed(body, { atSeconds: NOW_MS / 1_000 })
  expect(verifyLarkRequest(keys, request(body, headers), NOW_MS).kind).toBe('body')
  expect(verifyLarkRequest(keys, request(body), NOW_MS)).toMatchObject({ status: 401, code: 'not_signed' })
})
