import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRetention } from '../../src/app/retention.js'
import { createLogger } from '../../src/log.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'

const DAY_MS = 86_400_000
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query(`
    insert into installations (id, platform, tenant, source) values ('slack:T1', 'slack', 'T1', 'settings');
    insert into lanes (key, installation_id) values ('l', 'slack:T1');
    insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash, state,
                            settled_at, expires_at)
    select 'dlv_' || n, 'l', 'slack:T1', 'run_' || n, 1, 'l', '{}', 'h',
           case when n = 1 then 'dead' when n = 2 then 'accepted' else 'delivered' end,
           case when n <> 2 then now() - interval '40 days' + n * interval '1 second' end, now()
      from generate_series(1, 1200) n;
    insert into receipts (kind, delivery_id, body, created_at)
    select 'delivery.delivered', 'dlv_' || n, '{}', now() - interval '40 days' from generate_series(3, 1200) n;
    insert into receipts (kind, body) values ('installation.parked', '{}');`)
})
afterAll(async () => {
  await database.close()
})

async function left(): Promise<readonly number[]> {
  const { rows } = await database.pool.query(
    `select (select count(*)::int from deliveries) as deliveries, (select count(*)::int from receipts) as receipts`,
  )
  return [rows[0]?.deliveries, rows[0]?.receipts]
}

test('what ended long ago is forgotten with its receipts; dead letters, open work and what is new stay', async () => {
  const options = { db: database.db, retentionDays: 30, log: createLogger('silent') }
  const early = createRetention({ ...options, now: () => Date.now() - 20 * DAY_MS })
  expect(await early.runOnce()).toBe(0)
  const due = createRetention({ ...options, now: Date.now })
  expect(await due.runOnce()).toBe(2 * 1_198)
  expect(await left()).toEqual([2, 1])
  expect(await due.runOnce()).toBe(0)
})
