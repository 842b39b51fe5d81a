import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listReceipts } from '../../src/store/receipt-list.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'

const page = readFileSync(join(import.meta.dirname, '../../src/store/README.md'), 'utf8')
const [holdBack = '', renumber = ''] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map((match) => match[1])

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const listed = async (after: string | null) =>
  (await listReceipts(database.db, null, { after, limit: 10 })).events.map(({ id }) => id)

test('the page tells how to keep a restored ledger from saying everything again', async () => {
  await database.pool.query(`
    insert into installations (id, platform, tenant, source) values ('slack:T1', 'slack', 'T1', 'settings');
    insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash,
                            settled_at, expires_at)
    select 'dlv_' || n, 'l', 'slack:T1', 'run_' || n, 1, 'l', '{}', 'h', case when n = 1 then now() end,
           now() + interval '1 day' from generate_series(1, 3) n`)
  await database.pool.query(holdBack)
  const { rows } = await database.pool.query(
    'select id from deliveries where expires_at <= now() order by id',
  )
  expect(rows).toEqual([{ id: 'dlv_2' }, { id: 'dlv_3' }])
})

test('the page tells how to read receipts that come from another cluster', async () => {
  await database.pool.query(`
    insert into receipts (kind, body, transaction_id)
    select 'delivery.delivered', '{}', ('90000000' || n)::xid8 from generate_series(1, 3) n;
    insert into webhook_endpoints (id, url, secret, cursor_transaction, cursor_id)
    values ('behind', 'https://example.com/a', 's', '900000001', 1), ('ahead', 'https://example.com/b', 's', '900000003', 3)`)
  expect(await listed(null)).toEqual([])
  await database.pool.query(renumber)
  expect(await listed(null)).toEqual(['evt_1', 'evt_2', 'evt_3'])
  const { rows } = await database.pool.query(
    'select id, cursor_id as "cursorId" from webhook_endpoints order by id',
  )
  expect(rows).toEqual([
    { id: 'ahead', cursorId: 3 },
    { id: 'behind', cursorId: 1 },
  ])
})
