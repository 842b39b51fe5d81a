import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Platform } from '../../../src/deliver/platform.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { aMarker, aTarget, aText, credentialsAt, INSTALLATION, platformFor, textsOf } from './lark-edge.js'

const HOUR_MS = 3_600_000
const TOKEN = 'auth.tenant_access_token.internal'

const clock = { ms: 0 }
let fake: LarkFake
let platform: Platform

beforeEach(async () => {
  clock.ms = 1_790_000_000_000
  fake = await startLarkFake({ clock: () => clock.ms })
  platform = platformFor(fake, { now: () => clock.ms })
})
afterEach(() => fake.close())

const send = (deliveryId = 'dlv_1', on = platform) => on.send(aTarget(), aText(), aMarker({ deliveryId }))

test('ten sends at once on a cold start fetch one token', async () => {
  const results = await Promise.all(Array.from({ length: 10 }, (_, index) => send(`dlv_${index}`)))
  expect(results.map(({ kind }) => kind)).toEqual(Array(10).fill('sent'))
  expect(fake.count(TOKEN)).toBe(1)
  expect([...fake.tokenUses().values()]).toEqual([10])
})

test('the token is replaced before it ends, and idleness costs nothing (RAT-07)', async () => {
  await send('a')
  clock.ms += 109 * 60_000
  await send('b')
  expect(fake.count(TOKEN)).toBe(1)
  clock.ms += 2 * 60_000
  await send('c')
  expect(fake.count(TOKEN)).toBe(2)
  const callsBefore = fake.calls.length
  clock.ms += 24 * HOUR_MS
  expect(fake.calls).toHaveLength(callsBefore)
  expect(await send('d')).toMatchObject({ kind: 'sent' })
})

describe('a token that stopped working (INS-07, INS-08, INS-09)', () => {
  test.each([
    { code: 99991663, status: 200 },
    { code: 99991663, status: 400 },
    { code: 99991661, status: 401 },
    { code: 99991664, status: 400 },
    { code: 99991665, status: 400 },
  ])('$code with HTTP $status: one refresh, one message', async ({ code, status }) => {
    fake.faults.next('im.message.create', { kind: 'code', code, status })
    expect(await send()).toMatchObject({ kind: 'token', code: String(code) })
    expect(await platform.refreshToken(INSTALLATION)).toEqual({ kind: 'refreshed' })
    expect(await send()).toMatchObject({ kind: 'sent' })
    expect(textsOf(fake, LARK.group)).toHaveLength(1)
    expect(fake.count(TOKEN)).toBe(2)
  })

  test('ten workers that meet it at once refresh once', async () => {
    await send('warm')
    fake.expireTokens()
    clock.ms += HOUR_MS
    const workers = Array.from({ length: 10 }, async (_, index) => {
      const first = await send(`dlv_${index}`)
      if (first.kind !== 'token') return first
      await platform.refreshToken(INSTALLATION)
      return send(`dlv_${index}`)
    })
    expect((await Promise.all(workers)).map(({ kind }) => kind)).toEqual(Array(10).fill('sent'))
    expect(fake.count(TOKEN)).toBe(2)
    expect(textsOf(fake, LARK.group)).toHaveLength(11)
  })

  test('a refusal of one tenant leaves the others alone', async () => {
    const other = { ...INSTALLATION, id: 'ins_2' }
    const target = aTarget({ installation: other, conversationId: LARK.direct })
    await send('warm')
    await platform.send(target, aText(), aMarker({ deliveryId: 'warm_2' }))
    fake.faults.next(({ body }) => body.receive_id === LARK.group, { kind: 'code', code: 99991663 })
    expect(await send('a')).toMatchObject({ kind: 'token' })
    expect(await platform.send(target, aText(), aMarker({ deliveryId: 'b' }))).toMatchObject({ kind: 'sent' })
    expect(fake.count(TOKEN)).toBe(2)
  })

  test('the next send without a refresh has a new token already', async () => {
    await send('warm')
    fake.expireTokens()
    expect(await send('a')).toMatchObject({ kind: 'token' })
    expect(await send('a')).toMatchObject({ kind: 'sent' })
  })
})

describe('the token endpoint says no: nothing was sent', () => {
  test.each([
    { code: 10005, kind: 'installation_dead' },
    { code: 10014, kind: 'installation_dead' },
    { code: 10015, kind: 'installation_dead' },
    { code: 99991401, kind: 'installation_dead' },
    { code: 1000040351, kind: 'installation_dead' },
    { code: 99991400, kind: 'rate_limited' },
    { code: 4242, kind: 'not_sent' },
    { code: 99991663, kind: 'not_sent' },
  ])('$code: $kind', async ({ code, kind }) => {
    fake.faults.always(TOKEN, { kind: 'code', code })
    expect(await send()).toMatchObject({ kind, code: String(code) })
    expect(fake.count()).toBe(0)
  })

  test.each([
    { name: 'server error', fault: { kind: 'http', status: 502 }, code: 'http_502' },
    { name: 'HTML', fault: { kind: 'garbage', commits: false }, code: 'not_json' },
    {
      name: 'code 0 without a token',
      fault: { kind: 'http', status: 200, body: '{"code":0}' },
      code: 'no_token_in_answer',
    },
  ] as const)('$name', async ({ fault, code }) => {
    fake.faults.next(TOKEN, fault)
    expect(await send()).toMatchObject({ kind: 'not_sent', code })
    expect(await send()).toMatchObject({ kind: 'sent' })
  })

  test('a connection cut is not_sent, never unknown', async () => {
    fake.faults.next(TOKEN, { kind: 'commit_then_drop' })
    expect(await send()).toMatchObject({ kind: 'not_sent' })
  })

  test('a wrong secret and a switched-off app need an administrator', async () => {
    const wrong = platformFor(fake, {
      credentials: async () => credentialsAt(fake.url, { appSecret: 'wrong' }),
    })
    expect(await send('a', wrong)).toMatchObject({
      kind: 'installation_dead',
      remedy: 'admin',
      code: '10015',
    })
    expect(await wrong.refreshToken(INSTALLATION)).toMatchObject({ kind: 'installation_dead', code: '10015' })
  })
})

test('an app that was removed from its tenant must be installed again', async () => {
  await send('warm')
  fake.uninstall(LARK.appId, LARK.tenant)
  expect(await send('a')).toMatchObject({ kind: 'installation_dead', remedy: 'reinstall', code: '99991673' })
})

test('INS-12: one app id on two hosts has two tokens, and each call goes to its own host', async () => {
  const other = await startLarkFake()
  const hosts = new Map([
    ['ins_1', fake.url],
    ['ins_2', other.url],
  ])
  const both = platformFor(fake, { credentials: async (id) => credentialsAt(hosts.get(id) ?? '') })
  const target = aTarget({ installation: { ...INSTALLATION, id: 'ins_2' } })
  expect(await send('a', both)).toMatchObject({ kind: 'sent' })
  expect(await both.send(target, aText(), aMarker({ deliveryId: 'b' }))).toMatchObject({ kind: 'sent' })
  for (const host of [fake, other]) {
    expect(host.calls.map(({ name }) => name)).toEqual([TOKEN, 'im.message.create'])
  }
  await other.close()
})

describe('store apps', () => {
  const store = (ticket: () => string | null, tenant: string = LARK.tenant) =>
    platformFor(fake, {
      now: () => clock.ms,
      appTicket: async () => ticket(),
      credentials: async () =>
        credentialsAt(fake.url, {
          appId: LARK.storeAppId,
          appSecret: LARK.storeAppSecret,
          kind: 'store',
          tenant,
        }),
    })

  const inOther = aTarget({ conversationId: LARK.otherTenantGroup, workspace: LARK.otherTenant })

  test('show their ticket once, and get each tenant a token of its own', async () => {
    fake.pushTicket(LARK.storeAppId, 'ticket_1')
    const platform = store(() => 'ticket_1', LARK.otherTenant)
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        platform.send(inOther, aText(), aMarker({ deliveryId: `d${index}` })),
      ),
    )
    expect(results.map(({ kind }) => kind)).toEqual(Array(5).fill('sent'))
    expect(fake.count('auth.app_access_token')).toBe(1)
    expect(fake.count('auth.tenant_access_token')).toBe(1)
  })

  test('without a ticket ask for one, at most once a minute, and send nothing', async () => {
    const tickets: string[] = []
    const platform = store(() => tickets.at(-1) ?? null, LARK.otherTenant)
    const attempt = () => platform.send(inOther, aText(), aMarker())
    expect(await attempt()).toEqual({ kind: 'not_sent', code: 'app_ticket_missing' })
    expect(await attempt()).toMatchObject({ kind: 'not_sent' })
    expect(fake.count('auth.app_ticket.resend')).toBe(1)
    clock.ms += 61_000
    await attempt()
    expect(fake.count('auth.app_ticket.resend')).toBe(2)
    fake.pushTicket(LARK.storeAppId, 'ticket_2')
    tickets.push('ticket_2')
    expect(await attempt()).toMatchObject({ kind: 'sent' })
  })

  test('with an old ticket ask for a new one', async () => {
    fake.pushTicket(LARK.storeAppId, 'ticket_new')
    const platform = store(() => 'ticket_old', LARK.otherTenant)
    expect(await platform.send(inOther, aText(), aMarker())).toMatchObject({
      kind: 'not_sent',
      code: '10012',
    })
    expect(fake.count('auth.app_ticket.resend')).toBe(1)
  })

  test('an app token that died early is replaced at the next attempt', async () => {
    fake.pushTicket(LARK.storeAppId, 'ticket_1')
    const platform = store(() => 'ticket_1', LARK.otherTenant)
    await platform.send(inOther, aText(), aMarker({ deliveryId: 'warm' }))
    fake.expireTokens()
    const attempt = () => platform.send(inOther, aText(), aMarker())
    expect(await attempt()).toMatchObject({ kind: 'token' })
    expect(await attempt()).toMatchObject({ kind: 'not_sent', code: '99991664' })
    expect(await attempt()).toMatchObject({ kind: 'sent' })
  })
})
