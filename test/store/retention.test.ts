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

test('ended notices and what was remembered of chats and people go too; what is open or was confirmed since stays', async () => {
  await database.pool.query(`
    insert into notices (id, conversation_key, state, created_at)
    select 'n' || n, 'l', case when n = 1 then 'queued' else 'completed' end,
           now() - case when n = 2 then interval '1 day' else interval '40 days' end from generate_series(1, 600) n;
    insert into conversations (installation_id, conversation_id, checked_at)
    select 'slack:T1', 'C' || n, now() - case when n = 2 then interval '1 day' else interval '40 days' end
      from generate_series(1, 600) n;
    update deliveries set conversation_id = 'C1' where settled_at is null;
    insert into people (installation_id, person_id, checked_at)
    select 'slack:T1', 'U' || n, now() - case when n = 1 then interval '1 day' else interval '40 days' end
      from generate_series(1, 600) n`)
  const due = createRetention({
    db: database.db,
    retentionDays: 30,
    now: Date.now,
    log: createLogger('silent'),
  })
  expect(await due.runOnce()).toBe(598 + 598 + 599)
  const { rows } = await database.pool.query(
    `select (select jsonb_agg(id order by id) from notices) as notices,
            (select jsonb_agg(conversation_id order by conversation_id) from conversations) as conversations,
            (select jsonb_agg(person_id) from people) as people`,
  )
  expect(rows).toEqual([{ notices: ['n1', 'n2'], conversations: ['C1', 'C2'], people: ['U1'] }])
})
