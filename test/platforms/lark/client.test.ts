import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Platform } from '../../../src/deliver/platform.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import type { LarkFault } from '../../support/lark/faults.js'
import { LARK } from '../../support/lark/seed.js'
import { aCard, aMarker, aTarget, aText, credentialsAt, platformFor, textsOf } from './lark-edge.js'

let fake: LarkFake
let platform: Platform

beforeEach(async () => {
  fake = await startLarkFake()
  platform = platformFor(fake)
})
afterEach(() => fake.close())

const send = (on = platform) => on.send(aTarget(), aText(), aMarker())

describe('answers that get lost: the outcome is unknown, and the same key settles it', () => {
  const faults: readonly (LarkFault & { readonly commits: boolean })[] = [
    { kind: 'commit_then_drop', commits: true },
    { kind: 'cut_body', commits: true },
    { kind: 'garbage', commits: true },
    { kind: 'garbage', commits: false },
    { kind: 'reset', commits: false },
  ]
  test.each(faults)('$kind (commits: $commits)', async (fault) => {
    fake.faults.next('im.message.create', fault)
    expect(await send()).toMatchObject({ kind: 'unknown' })
    expect(textsOf(fake, LARK.group)).toHaveLength(fault.commits ? 1 : 0)
    expect(await send()).toMatchObject({ kind: 'sent', inPlace: true })
    expect(textsOf(fake, LARK.group)).toHaveLength(1)
  })

  test.each([500, 502, 503, 504])('HTTP %i before and after the commit (RAT-10)', async (status) => {
    fake.faults.next('im.message.create', { kind: 'http', status, body: '<html>' })
    expect(await send()).toMatchObject({ kind: 'unknown', code: `http_${status}` })
    fake.faults.next('im.message.create', { kind: 'commit_then_http', status })
    expect(await send()).toMatchObject({ kind: 'unknown', code: `http_${status}` })
    expect(await send()).toMatchObject({ kind: 'sent' })
    expect(textsOf(fake, LARK.group)).toHaveLength(1)
  })

  test('no answer at all ends at the deadline', async () => {
    const hasty = platformFor(fake, { timeoutMs: 60 })
    await hasty.refreshToken(aTarget().installation)
    fake.faults.next('im.message.create', { kind: 'hang', commits: true })
    expect(await send(hasty)).toMatchObject({ kind: 'unknown', code: 'timeout' })
    expect(await send(hasty)).toMatchObject({ kind: 'sent' })
    expect(textsOf(fake, LARK.group)).toHaveLength(1)
  })
})

test('nobody listening: nothing left this host', async () => {
  const { url } = fake
  await platform.refreshToken(aTarget().installation)
  await fake.close()
  expect(await send()).toEqual({ kind: 'not_sent', code: 'econnrefused' })
  fake = await startLarkFake()
  expect(fake.url).not.toBe(url)
})

test('each call is made once: nothing here retries', async () => {
  fake.faults.always('im.message.create', { kind: 'http', status: 503 })
  await send()
  expect(fake.count('im.message.create')).toBe(1)
})

describe('limits', () => {
  test('99991400 with HTTP 429 waits as long as its header says', async () => {
    fake.faults.next('im.message.create', { kind: 'rate_limit', resetSeconds: 7 })
    expect(await send()).toMatchObject({
      kind: 'rate_limited',
      scope: 'app',
      retryAfterMs: 7000,
      code: '99991400',
    })
  })

  test('99991400 with HTTP 400 is the same', async () => {
    fake.faults.next('im.message.create', {
      kind: 'http',
      status: 400,
      body: JSON.stringify({
        code: 99991400,
        msg: 'request trigger frequency limit',
        error: { log_id: 'LOG1' },
      }),
      headers: { 'X-Ogw-Ratelimit-Reset': '3', 'content-type': 'application/json' },
    })
    expect(await send()).toEqual({
      kind: 'rate_limited',
      scope: 'app',
      retryAfterMs: 3000,
      code: '99991400',
      vendorLogId: 'LOG1',
    })
  })

  test.each([
    { code: 230020, scope: 'conversation' },
    { code: 11232, scope: 'method' },
  ])('$code closes the $scope only', async ({ code, scope }) => {
    fake.faults.next('im.message.create', { kind: 'code', code })
    expect(await send()).toMatchObject({ kind: 'rate_limited', scope, retryAfterMs: null })
  })

  test('RAT-07: the month is used up: the installation is parked', async () => {
    fake.tenant(LARK.tenant).monthlyCalls = 0
    expect(await send()).toMatchObject({ kind: 'installation_dead', remedy: 'quota', code: '99991403' })
  })
})

test('a refused card says which rule it broke, and keeps the log id', async () => {
  const content = JSON.stringify({ schema: '2.0', body: { elements: [{ tag: 'note' }] } })
  const card = { ...aCard(), content: { msg_type: 'interactive', content } }
  const result = await platform.send(aTarget(), card, aMarker())
  expect(result).toMatchObject({ kind: 'content', final: false, vendorLogId: expect.stringMatching(/^\w+$/) })
  expect(result).toHaveProperty('code', expect.stringMatching(/^230099\.\d+$/))
})

describe('redirects are refused', () => {
  test('and the token does not travel on', async () => {
    const visited: string[] = []
    const elsewhere = createServer((request, response) => {
      visited.push(request.url ?? '')
      response.end('{"code":0}')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const address = elsewhere.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    fake.faults.next('im.message.create', {
      kind: 'http',
      status: 302,
      headers: { location: `http://127.0.0.1:${port}/` },
    })
    expect(await send()).toMatchObject({ kind: 'not_sent', code: 'http_302' })
    expect(visited).toEqual([])
    await new Promise((resolve) => elsewhere.close(resolve))
  })
})

test('neither text, secret nor token is printed, even when everything fails', async () => {
  const printed: unknown[] = []
  const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const
  const spies = methods.map((method) =>
    vi.spyOn(console, method).mockImplementation((...args) => void printed.push(args)),
  )
  fake.faults.next('auth.tenant_access_token.internal', { kind: 'code', code: 10015 })
  const refused = await send()
  fake.faults.next('im.message.create', { kind: 'code', code: 230001, msg: 'The build is green again.' })
  const rejected = await send()
  for (const spy of spies) spy.mockRestore()
  expect(printed).toEqual([])
  expect(JSON.stringify([refused, rejected])).not.toMatch(/secret|green|t-g1/)
})

test('a host may be given with a slash at its end', async () => {
  const slashed = platformFor(fake, { credentials: async () => credentialsAt(`${fake.url}/`) })
  expect(await send(slashed)).toMatchObject({ kind: 'sent' })
})

test('without credentials nothing is sent', async () => {
  const lost = platformFor(fake, { credentials: () => Promise.reject(new Error('store is down')) })
  expect(await send(lost)).toEqual({ kind: 'not_sent', code: 'credentials_unavailable' })
  const removed = platformFor(fake, { credentials: async () => null })
  expect(await send(removed)).toEqual({
    kind: 'installation_dead',
    remedy: 'reinstall',
    code: 'no_credentials',
  })
  const wrong = platformFor(fake, { credentials: async () => credentialsAt('ftp://example.com') })
  expect(await send(wrong)).toMatchObject({ kind: 'not_sent' })
  expect(fake.calls).toEqual([])
})
