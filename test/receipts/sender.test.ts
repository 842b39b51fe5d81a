import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Outgoing } from '../../src/app/outgoing.js'
import { createPoster } from '../../src/receipts/post.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { allCommitted, type HandClock, handClock, outgoingOn, record } from '../support/outgoing.js'
import { accept, type Receiver, refuse, startReceiver } from '../support/receiver.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const ANY = { kinds: null, installationIds: null, mayBePrivate: true, createdBy: null } as const

let database: TestDatabase
let receiver: Receiver
let clock: HandClock
let outgoing: Outgoing

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.close()
})
beforeEach(async () => {
  await database.pool.query('truncate receipts, webhook_endpoints, webhook_messages restart identity cascade')
  receiver = await startReceiver()
  clock = handClock()
  outgoing = outgoingOn(database, clock)
})
afterEach(async () => {
  await outgoing.close()
  await receiver.close()
})

const add = (more: Partial<Parameters<Outgoing['webhooks']['add']>[0]> = {}) =>
  outgoing.webhooks.add({ url: receiver.url, ...ANY, ...more })

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))

async function messages(): Promise<readonly string[]> {
  const rows = await database.db
    .selectFrom('webhook_messages')
    .select(['state', 'attempts', 'code'])
    .orderBy('id')
    .execute()
  return rows.map((row) => `${row.state} ${row.attempts} ${row.code}`)
}

/** Minutes pass one by one, as the sender would live through them. */
async function live(ms: number, stepMs = MINUTE_MS): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    clock.pass(stepMs)
    await outgoing.sender.runOnce()
  }
}

describe('signed webhooks', () => {
  test('an event is sent once, and its signature verifies with the published library', async () => {
    const { secret } = await add()
    await record(database, { kind: 'delivery.delivered', body: { deliveryId: 'dlv_1', runId: 'run_1' } })
    expect(await outgoing.sender.runOnce()).toBe(1)
    expect(await outgoing.sender.runOnce()).toBe(0)
    const [request] = receiver.received
    expect(receiver.received).toHaveLength(1)
    if (request === undefined) throw new TypeError('nothing came')
    expect(receiver.verify(secret, request, clock.now())).toMatchObject({
      type: 'delivery.delivered',
      timestamp: expect.any(String),
      data: { deliveryId: 'dlv_1', runId: 'run_1' },
    })
    expect(() => receiver.verify(`whsec_${'A'.repeat(43)}=`, request, clock.now())).toThrow()
    expect(() => receiver.verify(secret, { ...request, body: `${request.body} ` }, clock.now())).toThrow()
    expect(await messages()).toEqual(['sent 1 204'])
  })

  test('what was recorded before an endpoint was added is not sent to it', async () => {
    await record(database, { kind: 'delivery.delivered' })
    await add()
    await record(database, { kind: 'delivery.dropped' })
    await outgoing.sender.runOnce()
    expect(bodies().map(({ type }) => type)).toEqual(['delivery.dropped'])
  })

  test('an endpoint gets the kinds and the installations it asked for', async () => {
    await add({ kinds: ['delivery.dead'] })
    await add({ url: `${receiver.url}/mine`, installationIds: ['slack:T1'] })
    await record(
      database,
      { kind: 'delivery.dead', installationId: 'slack:T2', body: { n: 1 } },
      { kind: 'delivery.delivered', installationId: 'slack:T1', body: { n: 2 } },
      { kind: 'endpoint.disabled', body: { n: 3 } },
    )
    await outgoing.sender.runOnce()
    expect(
      bodies()
        .map(({ data }) => data.n)
        .sort(),
    ).toEqual([1, 2])
  })

  test('several processes send each event once', async () => {
    await add()
    await record(
      database,
      ...Array.from({ length: 60 }, (_, n) => ({ kind: 'delivery.delivered', body: { n } })),
    )
    const others = ['worker_2', 'worker_3'].map((workerId) => outgoingOn(database, clock, { workerId }))
    const all = [outgoing, ...others]
    while ((await messages()).filter((one) => one.startsWith('sent')).length < 60) {
      await Promise.all(all.map(({ sender }) => sender.runOnce()))
    }
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(60)
    expect(receiver.received).toHaveLength(60)
    for (const other of others) await other.close()
  })

  test('a process that died with a message gives it up after a minute', async () => {
    await add()
    await record(database, { kind: 'delivery.delivered' })
    const dead = outgoingOn(database, clock, {
      workerId: 'dead',
      poster: { post: async () => Promise.reject(new TypeError('killed')), close: async () => {} },
    })
    await dead.sender.runOnce()
    expect(await outgoing.sender.runOnce()).toBe(0)
    clock.pass(61_000)
    expect(await outgoing.sender.runOnce()).toBe(1)
    expect(await messages()).toEqual(['sent 1 204'])
  })
})

describe('endpoints that misbehave', () => {
  test('an endpoint that was dead for an hour misses nothing and gets nothing twice', async () => {
    const { secret } = await add()
    receiver.behave((_request, response) => void response.destroy())
    for (let n = 0; n < 6; n += 1) {
      await record(database, { kind: 'delivery.delivered', body: { n } })
      await live(10 * MINUTE_MS)
    }
    const failed = receiver.received.length
    receiver.behave(accept)
    await live(HOUR_MS)
    const taken = receiver.received.slice(failed)
    expect(taken.map(({ body }) => JSON.parse(body).data.n).sort()).toEqual([0, 1, 2, 3, 4, 5])
    for (const request of taken) {
      expect(JSON.parse(request.body)).toMatchObject({ type: 'delivery.delivered' })
    }
    expect((await outgoing.webhooks.list(null))[0]).toMatchObject({ state: 'active', failingSince: null })
    expect(secret).toMatch(/^whsec_/)
  })

  test.each([
    ['an error', refuse(500), '500'],
    ['a redirect, which is not followed', refuse(302, { location: 'http://127.0.0.1:9/' }), '302'],
    [
      'a cut',
      ((_request, response) => void response.destroy()) as ReturnType<typeof refuse>,
      'und_err_socket',
    ],
    ['no answer', (() => undefined) as ReturnType<typeof refuse>, 'timeout'],
  ])('%s is tried again', async (_name, behaviour, code) => {
    await add()
    receiver.behave(behaviour)
    await record(database, { kind: 'delivery.delivered' })
    await outgoing.sender.runOnce()
    expect(await messages()).toEqual([`pending 1 ${code}`])
    receiver.behave(accept)
    clock.pass(11_000)
    await outgoing.sender.runOnce()
    expect(await messages()).toEqual(['sent 2 204'])
  })

  test('an answer that never ends is dropped, and the event counts as taken', async () => {
    await add()
    receiver.behave((_request, response) => {
      response.writeHead(200)
      response.write('x'.repeat(100_000))
    })
    await record(database, { kind: 'delivery.delivered' })
    await outgoing.sender.runOnce()
    expect(await messages()).toEqual(['sent 1 200'])
  })

  test('a Retry-After is waited for', async () => {
    await add()
    receiver.behave(refuse(429, { 'retry-after': '600' }))
    await record(database, { kind: 'delivery.delivered' }, { kind: 'delivery.dropped' })
    await outgoing.sender.runOnce()
    receiver.behave(accept)
    await live(9 * MINUTE_MS)
    expect(receiver.received).toHaveLength(2)
    await live(2 * MINUTE_MS)
    expect((await messages()).filter((one) => one.startsWith('sent'))).toHaveLength(2)
  })

  test('one event is given up after a day, and stays readable', async () => {
    await add()
    receiver.behave(refuse(503))
    await record(database, { kind: 'delivery.delivered', body: { runId: 'run_1' } })
    await live(26 * HOUR_MS, 20 * MINUTE_MS)
    expect(await messages()).toEqual(['failed 11 503'])
    const { events } = await outgoing.receipts(null, { after: null, limit: 10 })
    expect(events.map(({ data }) => data.runId)).toEqual(['run_1'])
  })

  test('after three days of failure an endpoint is disabled, with an event, and enabled by hand', async () => {
    const bad = await add()
    const other = await startReceiver()
    await add({ url: other.url, kinds: ['endpoint.disabled'] })
    receiver.behave(refuse(500))
    for (let day = 0; day < 4; day += 1) {
      await record(database, { kind: 'delivery.delivered', body: { day } })
      await live(24 * HOUR_MS, 2 * HOUR_MS)
    }
    await allCommitted(database)
    await outgoing.sender.runOnce()
    const [shown] = await outgoing.webhooks.list(null)
    expect(shown).toMatchObject({ id: bad.endpoint.id, state: 'disabled', stateCode: '500' })
    expect(other.received.map(({ body }) => JSON.parse(body).data)).toEqual([
      { endpointId: bad.endpoint.id, code: '500', failingSince: expect.any(String) },
    ])

    const before = receiver.received.length
    receiver.behave(accept)
    await record(database, { kind: 'delivery.dropped', body: { missed: true } })
    await live(HOUR_MS)
    expect(receiver.received).toHaveLength(before)
    await outgoing.webhooks.enable(bad.endpoint.id, null)
    await outgoing.sender.runOnce()
    await live(5 * MINUTE_MS)
    expect(receiver.received.slice(before).map(({ body }) => JSON.parse(body).data)).toContainEqual({
      missed: true,
    })
    await other.close()
  })

  test('410 disables an endpoint at once', async () => {
    await add()
    receiver.behave(refuse(410))
    await record(database, { kind: 'delivery.delivered' })
    await outgoing.sender.runOnce()
    expect((await outgoing.webhooks.list(null))[0]).toMatchObject({ state: 'disabled', stateCode: '410' })
  })

  test('a slow endpoint does not keep another one waiting', async () => {
    const slow = await startReceiver()
    slow.behave(() => undefined)
    await add({ url: slow.url })
    await add()
    await record(database, ...Array.from({ length: 40 }, () => ({ kind: 'delivery.delivered' })))
    const first = outgoing.sender.runOnce()
    const second = outgoing.sender.runOnce()
    await Promise.all([first, second])
    expect(receiver.received.length).toBeGreaterThanOrEqual(16)
    await slow.close()
  })

  test('an address beside us is not spoken to unless the endpoint may be one', async () => {
    const poster = createPoster({ now: Date.now })
    const result = await poster.post(
      { url: receiver.url, secret: `whsec_${'A'.repeat(43)}=`, mayBePrivate: false },
      { id: 'evt_1', type: 'webhook.test', timestamp: new Date().toISOString(), data: {} },
    )
    expect(result).toEqual({ kind: 'refused', code: 'private_address', retryAfterMs: null })
    expect(receiver.received).toEqual([])
    await poster.close()
  })
})
