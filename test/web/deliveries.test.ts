import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { Delivery } from '../../src/web/delivery-schema.js'
import { Event } from '../../src/web/receipt-schema.js'
import { type ApiUnderTest, producerWith, startApi } from '../support/api.js'
import { aRun, failing, inLark, inSlack, LARK_INSTALLATION, SLACK_INSTALLATION } from '../support/engine.js'
import { allCommitted } from '../support/outgoing.js'

let api: ApiUnderTest

const Answer = z.looseObject({
  code: z.string().optional(),
  errors: z.array(z.object({ path: z.string() })).default([]),
  deliveries: z.array(Delivery).default([]),
  events: z.array(Event).default([]),
  next: z.union([z.number(), z.string()]).nullable().default(null),
  hasMore: z.boolean().default(false),
})
type Page = z.infer<typeof Answer>

beforeAll(async () => {
  api = await startApi({
    everything: producerWith(null),
    slack: producerWith([SLACK_INSTALLATION]),
    lark: producerWith([LARK_INSTALLATION]),
    nothing: producerWith([]),
    reader: producerWith(null, ['deliveries:read']),
    writer: producerWith(null, ['runs:write']),
  })
})
afterAll(async () => {
  await api.close()
})

async function get(path: string, key = 'everything') {
  const response = await api.call(key, 'GET', path)
  return { status: response.status, body: Answer.parse(await response.json()) }
}

async function deliverTo(change: object = {}): Promise<string> {
  const settled = await api.engine.deliver(aRun(inSlack(api.engine.channel()), change))
  return settled.deliveryId
}

/** A delivery that waits for its parked installation. */
async function waiting(): Promise<{ readonly id: string; readonly revive: () => Promise<void> }> {
  const { pool } = api.engine.database
  const set = (state: string) =>
    pool.query('update installations set state = $1 where id = $2', [state, LARK_INSTALLATION])
  await set('parked')
  const [id = ''] = await api.engine.accept(aRun(inLark(api.engine.group())))
  return { id, revive: async () => void (await set('active')) }
}

describe('GET /v1/deliveries/:id', () => {
  test('shows the whole story, with a link to the message, and no text', async () => {
    const id = await deliverTo({ outcome: { status: 'completed', output: 'a very secret answer' } })
    const { status, body } = await get(`/v1/deliveries/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      state: 'delivered',
      decision: 'relay',
      parts: [{ state: 'sent', permalink: expect.stringMatching(/^https:/) }],
      attempts: [{ method: 'chat.postMessage', outcome: 'sent' }],
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  test('what a key may not see is not there', async () => {
    const id = await deliverTo()
    expect((await get(`/v1/deliveries/${id}`, 'slack')).status).toBe(200)
    for (const key of ['lark', 'nothing']) expect((await get(`/v1/deliveries/${id}`, key)).status).toBe(404)
    expect((await get('/v1/deliveries/dlv_none')).status).toBe(404)
  })

  test('a key without the right is told so, a stranger is not let in', async () => {
    expect((await get('/v1/deliveries', 'writer')).status).toBe(403)
    expect((await get('/v1/deliveries', 'stranger')).status).toBe(401)
  })
})

describe('GET /v1/deliveries', () => {
  test('pages go through everything once, newest first', async () => {
    for (let n = 0; n < 5; n += 1) await deliverTo()
    const ids: string[] = []
    let before: number | string | null = null
    do {
      const at: string = before === null ? '' : `&before=${before}`
      const { body } = await get(`/v1/deliveries?limit=2${at}`)
      ids.push(...body.deliveries.map((one) => one.id))
      before = body.next
    } while (before !== null)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(5)
    expect([...ids].sort().reverse()).toEqual(ids)
  })

  test('filters narrow', async () => {
    const channel = api.engine.channel()
    const run = { runId: 'run_filtered', ...failing() }
    const { deliveryId } = await api.engine.deliver(aRun(inSlack(channel), run))
    const { body } = await get('/v1/deliveries?run=run_filtered')
    expect(body.deliveries.map((one) => one.id)).toEqual([deliveryId])
    const [row] = body.deliveries
    if (row === undefined) throw new TypeError('no row')
    const same = [
      `state=delivered&run=run_filtered`,
      `conversation=${encodeURIComponent(row.conversationKey)}`,
      `installation=${encodeURIComponent(SLACK_INSTALLATION)}&run=run_filtered`,
      `since=${new Date(Date.parse(row.acceptedAt) - 1_000).toISOString()}&run=run_filtered`,
    ]
    for (const query of same) {
      expect((await get(`/v1/deliveries?${query}`)).body.deliveries.map((one) => one.id)).toEqual([
        deliveryId,
      ])
    }
    for (const query of ['state=dead', 'reason=nonsense', 'since=2099-01-01T00:00:00Z']) {
      expect((await get(`/v1/deliveries?run=run_filtered&${query}`)).body.deliveries).toEqual([])
    }
  })

  test('a key sees its own installations only', async () => {
    await deliverTo()
    const seen = async (key: string) =>
      new Set((await get('/v1/deliveries', key)).body.deliveries.map((one) => one.installationId))
    expect(await seen('slack')).toEqual(new Set([SLACK_INSTALLATION]))
    expect(await seen('nothing')).toEqual(new Set())
  })

  test.each(['limit=0', 'limit=100000', 'state=gone', 'colour=red', 'since=yesterday', 'before=x'])(
    '%s is refused at its path',
    async (query) => {
      const { status, body } = await get(`/v1/deliveries?${query}`)
      expect([status, body.code]).toEqual([400, 'invalid_request'])
      expect(body.errors[0]?.path).toBe(`/${query.split('=')[0]}`)
    },
  )
})

describe('POST /v1/deliveries/:id/cancel', () => {
  test('a waiting delivery is dropped with a receipt, and is never sent', async () => {
    const { id, revive } = await waiting()
    const response = await api.call('everything', 'POST', `/v1/deliveries/${id}/cancel`)
    expect(response.status).toBe(202)
    expect(await response.json()).toMatchObject({
      state: 'dropped',
      reason: 'cancelled_by_operator',
      attempts: [],
    })
    await revive()
    await api.engine.pass(60_000)
    expect(await api.engine.story(id)).toMatchObject({ state: 'dropped', parts: [] })
    expect(api.engine.events).toContainEqual(
      expect.objectContaining({ kind: 'settled', deliveryId: id, state: 'dropped' }),
    )
    expect(await api.engine.receipts('delivery.dropped')).toContainEqual(
      expect.objectContaining({ deliveryId: id, reason: 'cancelled_by_operator', decision: null }),
    )
  })

  test('the next delivery of the conversation goes on', async () => {
    const { id, revive } = await waiting()
    const story = await api.engine.story(id)
    const chat = story.conversationKey.split('|')[1] ?? ''
    const [next = ''] = await api.engine.accept(aRun(inLark(chat)))
    await api.call('everything', 'POST', `/v1/deliveries/${id}/cancel`)
    await revive()
    await api.engine.database.pool.query('update lanes set ready_at = now() where key = $1', [
      story.conversationKey,
    ])
    api.engine.app.worker.wake()
    expect(await api.engine.settled(next)).toMatchObject({ state: 'delivered' })
  })

  test('what has ended or is on its way cannot be cancelled', async () => {
    const ended = await deliverTo()
    expect((await api.call('everything', 'POST', `/v1/deliveries/${ended}/cancel`)).status).toBe(409)
    const { id, revive } = await waiting()
    await api.engine.database.pool.query(
      `insert into parts (delivery_id, index, part, state, attempt) values ($1, 0, '{}', 'unknown', 1)`,
      [id],
    )
    expect((await api.call('everything', 'POST', `/v1/deliveries/${id}/cancel`)).status).toBe(409)
    await api.engine.database.pool.query('delete from parts where delivery_id = $1', [id])
    await api.call('everything', 'POST', `/v1/deliveries/${id}/cancel`)
    await revive()
  })

  test('a key without the right, or of another installation, cannot', async () => {
    const { id, revive } = await waiting()
    expect((await api.call('reader', 'POST', `/v1/deliveries/${id}/cancel`)).status).toBe(403)
    expect((await api.call('slack', 'POST', `/v1/deliveries/${id}/cancel`)).status).toBe(404)
    expect((await api.engine.story(id)).settledAt).toBeNull()
    await api.call('lark', 'POST', `/v1/deliveries/${id}/cancel`)
    await revive()
  })
})

describe('POST /v1/deliveries/:id/replay', () => {
  test('a delivery that was given up is sent again, and told of again', async () => {
    const channel = api.engine.channel()
    api.engine.slack.faults.next('chat.postMessage', { kind: 'error', code: 'invalid_arguments' })
    const { deliveryId, state } = await api.engine.deliver(aRun(inSlack(channel)))
    expect(state).toBe('dead')
    const response = await api.call('everything', 'POST', `/v1/deliveries/${deliveryId}/replay`)
    expect(response.status).toBe(202)
    api.engine.app.worker.wake()
    await vi.waitFor(
      async () => expect(await api.engine.story(deliveryId)).toMatchObject({ state: 'delivered' }),
      {
        interval: 10,
        timeout: 10_000,
      },
    )
    const told = [
      ...(await api.engine.receipts('delivery.dead')),
      ...(await api.engine.receipts('delivery.delivered')),
    ]
    expect(told.filter((one) => one.deliveryId === deliveryId).map(({ state }) => state)).toEqual([
      'dead',
      'delivered',
    ])
  })

  test('what was delivered is not, and what is not seen is not there', async () => {
    const id = await deliverTo()
    expect((await api.call('everything', 'POST', `/v1/deliveries/${id}/replay`)).status).toBe(409)
    expect((await api.call('lark', 'POST', `/v1/deliveries/${id}/replay`)).status).toBe(404)
    expect((await api.call('reader', 'POST', `/v1/deliveries/${id}/replay`)).status).toBe(403)
  })
})

describe('GET /v1/receipts', () => {
  async function readAll(key: string, limit: number): Promise<readonly string[]> {
    await allCommitted(api.engine.database)
    const ids: string[] = []
    let after: number | string | null = null
    for (;;) {
      const at: string = after === null ? '' : `&after=${after}`
      const page: Page = (await get(`/v1/receipts?limit=${limit}${at}`, key)).body
      ids.push(...page.events.map(({ id }) => id))
      after = page.next
      if (!page.hasMore) return ids
    }
  }

  test('every end is read once, whatever the size of a page, with links to messages', async () => {
    const id = await deliverTo()
    const small = await readAll('everything', 2)
    expect(new Set(small).size).toBe(small.length)
    expect(await readAll('everything', 500)).toEqual(small)
    const page: Page = (await get('/v1/receipts?limit=500')).body
    const mine = page.events.find((event) => event.data.deliveryId === id)
    expect(mine).toMatchObject({
      type: 'delivery.delivered',
      data: { state: 'delivered', parts: [{ permalink: expect.stringMatching(/^https:/) }] },
    })
  })

  test('a key reads its own installations only', async () => {
    await deliverTo()
    const all = await readAll('everything', 500)
    const slack = await readAll('slack', 3)
    const lark = await readAll('lark', 500)
    expect(await readAll('nothing', 500)).toEqual([])
    expect(slack.length).toBeGreaterThan(0)
    expect(new Set([...slack, ...lark])).toEqual(new Set(all))
    expect(slack.filter((id) => lark.includes(id))).toEqual([])
  })

  test('a slow commit is never passed over by a cursor', async () => {
    const { pool, db } = api.engine.database
    const slow = await pool.connect()
    await slow.query('begin')
    await slow.query(`insert into receipts (kind, body) values ('delivery.dead', '{"n": "slow"}')`)
    await db.insertInto('receipts').values({ kind: 'delivery.dead', body: '{"n": "fast"}' }).execute()
    const read = (after: string | number | null) =>
      get(`/v1/receipts?limit=500${after === null ? '' : `&after=${after}`}`)
    const names = (page: Page) => page.events.map(({ data }) => ('n' in data ? data.n : null)).filter(Boolean)
    const early: Page = (await read(null)).body
    expect(names(early)).toEqual([])
    await slow.query('commit')
    slow.release()
    await allCommitted(api.engine.database)
    expect(names((await read(early.next)).body)).toEqual(['slow', 'fast'])
  })

  test.each(['after=x', 'after=1-2-3', 'limit=0', 'from=1'])('%s is refused', async (query) => {
    expect((await get(`/v1/receipts?${query}`)).status).toBe(400)
  })
})
