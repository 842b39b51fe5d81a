import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOverview } from '../../src/store/console-overview.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'

const HOUR_MS = 3_600_000
const nowMs = Date.now()
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query(`
    insert into installations (id, platform, tenant, source, state, state_at) values
      ('slack:A', 'slack', 'A', 'install', 'active', now()), ('slack:B', 'slack', 'B', 'install', 'parked', now()),
      ('lark:c', 'lark', 'c', 'install', 'active', now()), ('slack:D', 'slack', 'D', 'install', 'active', now())`)
  await deliver('slack:B', 5 * HOUR_MS, 'parked')
  await deliver('slack:D', 4 * HOUR_MS, 'delivered')
  await deliver('slack:A', 3 * HOUR_MS, 'parked')
  const late = await deliver('slack:A', 1_800_000, 'delivering')
  await deliver('slack:A', 60_000, 'accepted')
  await deliver('lark:c', 30_000, 'accepted')
  await database.pool.query(`
    insert into receipts (kind, delivery_id, installation_id, body, created_at) values
      ('delivery.delivered', 'x', 'slack:A', '{"decision": "relay"}', now() - interval '10 minutes'),
      ('delivery.delivered', 'x', 'slack:D', '{"decision": "relay"}', now() - interval '2 hours'),
      ('delivery.dropped', 'x', 'lark:c', '{"decision": "drop", "why": "silent_channel", "reason": "silent_channel"}', now()),
      ('delivery.dead', 'x', 'slack:A', '{"decision": "relay", "reason": "old"}', now() - interval '2 days'),
      ('installation.parked', null, 'slack:B', '{}', now())`)
  await database.pool.query(`
    insert into gates (scope, installation_id, not_before, code) values
      ('slack:A', 'slack:A', now() + interval '1 minute', 'rate_limited'), ('lark:c', 'lark:c', now() - interval '1 minute', 'open')`)
  await database.pool.query(`
    insert into workers (id, lock_key, seen_at) values ('w1', 1, now()), ('w2', 2, now() - interval '5 minutes')`)
  oldestId = late
})

let oldestId = ''

afterAll(() => database.close())

async function deliver(installation: string, agoMs: number, state: string): Promise<string> {
  const id = `dlv_${(nowMs - agoMs).toString(16).padStart(12, '0')}${installation.replace(/\W/g, '')}`
  await database.pool.query(
    `insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash, state,
                             accepted_at, settled_at, expires_at)
     values ($1, $2, $2, $1, 1, $2, '{}', 'x', $3, $4::timestamptz, case when $3 = 'delivered' then now() end, now())`,
    [id, installation, state, new Date(nowMs - agoMs)],
  )
  return id
}

describe('the overview', () => {
  test('of everything', async () => {
    const overview = await readOverview(database.db, null, nowMs)
    expect(overview.oldest.map(({ platform }) => platform)).toEqual(['lark', 'slack'])
    // What is parked waits for somebody else: it is told elsewhere.
    expect(overview.oldest[1]?.deliveryId).toBe(oldestId)
    expect([overview.acceptedHour, overview.acceptedDay]).toEqual([
      { count: 3, precision: 'exact' },
      { count: 6, precision: 'exact' },
    ])
    expect(overview.ends).toMatchObject({
      isSample: false,
      groups: [
        { kind: 'delivery.delivered', decision: 'relay', dayCount: 2, hourCount: 1 },
        {
          kind: 'delivery.dropped',
          why: 'silent_channel',
          reason: 'silent_channel',
          dayCount: 1,
          hourCount: 1,
        },
      ],
    })
    expect(overview.gates.map(({ scope }) => scope)).toEqual(['slack:A'])
    expect(overview.inactive.map(({ id }) => id)).toEqual(['slack:B'])
    expect(overview.aliveWorkers).toBe(1)
  })

  test('of what a key may see, and of nothing else', async () => {
    const overview = await readOverview(database.db, ['lark:c', 'slack:D'], nowMs)
    expect(overview.oldest.map(({ platform }) => platform)).toEqual(['lark'])
    expect([overview.acceptedHour.count, overview.acceptedDay.count]).toEqual([1, 2])
    expect(overview.ends.groups.map(({ kind, dayCount }) => [kind, dayCount])).toEqual([
      ['delivery.delivered', 1],
      ['delivery.dropped', 1],
    ])
    expect([overview.gates, overview.inactive]).toEqual([[], []])
  })

  test('of an empty scope', async () => {
    const overview = await readOverview(database.db, [], nowMs)
    expect(overview).toMatchObject({
      oldest: [],
      acceptedDay: { count: 0 },
      ends: { groups: [], sinceMs: null },
    })
  })
})
