import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LaneClaim, Ledger } from '../../src/deliver/ledger.js'
import { armInstallation } from '../../src/store/installations.js'
import { createLedger } from '../../src/store/ledger.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'

let database: TestDatabase
let ledger: Ledger
beforeEach(async () => {
  database = await createTestDatabase()
  ledger = createLedger(database.db, Date.now)
  heldBy.clear()
})
afterEach(() => database.close())

/** An installation with due lanes; a run stands in each. */
async function install(id: string, lanes: number, state = 'active'): Promise<void> {
  await database.pool.query(
    `insert into installations (id, platform, tenant, source, state) values ($1, 'slack', $1, 'settings', $2)`,
    [id, state],
  )
  await database.pool.query(
    `insert into lanes (key, installation_id, ready_at)
     select $1 || '|' || n, $1, now() - interval '1 second' * ($2 - n) from generate_series(1, $2) n`,
    [id, lanes],
  )
}

/** Claims as a worker that lives; `held` are the keys it works on. */
async function claim(
  workerId: string,
  limit: number,
  held: readonly string[] = [],
  from = ledger,
): Promise<readonly LaneClaim[]> {
  await from.beat(workerId)
  return (await from.claim({ workerId, heldKeys: held }, limit)).lanes
}

/** Which installations a claim took from; what it took is kept as under work. */
const heldBy = new Map<string, string[]>()
async function owners(workerId: string, limit: number): Promise<readonly string[]> {
  const held = heldBy.get(workerId) ?? []
  const lanes = await claim(workerId, limit, held)
  heldBy.set(workerId, [...held, ...lanes.map(({ key }) => key)])
  return lanes.map(({ installationId }) => installationId)
}

test('a tenant with 20 000 lanes leaves a tenant with one its turn', async () => {
  await install('a-crowd', 20_000)
  await install('b-single', 1)
  expect(await owners('w1', 16)).toContain('b-single')
})

test('the longest due lane of an installation comes first', async () => {
  await install('one', 5)
  expect((await claim('w1', 2)).map(({ key }) => key).sort()).toEqual(['one|1', 'one|2'])
})

test('no lane is claimed twice, by however many', async () => {
  await install('one', 40)
  const claims = await Promise.all(['w1', 'w2', 'w3'].map((worker) => claim(worker, 20)))
  const keys = claims.flat().map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('hundreds of parked installations do not hide one that is active', async () => {
  for (let n = 0; n < 200; n += 1) await install(`a-parked-${String(n).padStart(3, '0')}`, 1, 'parked')
  await install('b-active', 3)
  expect(await owners('w1', 8)).toEqual(['b-active', 'b-active', 'b-active'])
  await install('a-first', 1)
  expect(await owners('w1', 8)).toEqual(['a-first'])
})

test('every one of many installations has its turn in a few claims', async () => {
  for (let n = 0; n < 100; n += 1) await install(`i${String(n).padStart(3, '0')}`, 3)
  const seen = new Set<string>()
  for (let n = 0; n < 8; n += 1) for (const id of await owners('w1', 16)) seen.add(id)
  expect(seen.size).toBe(100)
})

test('a closed gate is passed over; opened again it lets one lane in, then more', async () => {
  await install('one', 40)
  const gate = (shiftMs: number) =>
    database.pool.query(
      `insert into gates (scope, installation_id, not_before, code)
       values ('one', 'one', now() + $1 * interval '1 millisecond', '429')
       on conflict (scope) do update set not_before = excluded.not_before`,
      [shiftMs],
    )
  await gate(5_000)
  expect(await owners('w1', 16)).toHaveLength(0)
  await gate(-10)
  expect(await owners('w1', 16)).toHaveLength(1)
  expect(await owners('w2', 16)).toHaveLength(0)
  await gate(-1_010)
  expect(await owners('w1', 16)).toHaveLength(3)
  await gate(-3_100)
  expect(await owners('w1', 16)).toHaveLength(16)
})

test('a lane whose worker died is free again, and its old claim writes nothing', async () => {
  await install('one', 1)
  const [lane] = await claim('w1', 1)
  if (lane === undefined) throw new TypeError('nothing was claimed')
  expect(await ledger.reap(2_000, 12_000)).toBe(0)
  expect(await claim('w2', 1)).toEqual([])
  await database.pool.query(`update workers set seen_at = now() - interval '3 seconds' where id = 'w1'`)
  expect(await ledger.reap(2_000, 12_000)).toBe(1)
  expect(await ledger.claim({ workerId: 'w2', heldKeys: [] }, 1)).toEqual({
    lanes: [{ ...lane, epoch: lane.epoch + 1 }],
    takenOver: 1,
  })
  expect(await ledger.write('w1', { lane, release: { kind: 'when_told' } })).toBe('lost')
})

test('a worker that was declared dead writes and claims nothing, even before anybody took its lanes', async () => {
  await install('one', 2)
  const [lane] = await claim('w1', 1)
  if (lane === undefined) throw new TypeError('nothing was claimed')
  await database.pool.query('delete from workers')
  const write = { lane, release: { kind: 'at', readyAtMs: Date.now() } } as const
  expect(await ledger.write('w1', write)).toBe('lost')
  expect(await ledger.claim({ workerId: 'w1', heldKeys: [] }, 2)).toEqual({ lanes: [], takenOver: 0 })
  await ledger.beat('w1')
  expect(await ledger.write('w1', write)).toBe('released')
})

test('a lane that a process of the version before left behind is armed, whatever state its work is in', async () => {
  await install('one', 1)
  await database.pool.query(
    `insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash, state, accepted_at, expires_at)
     values ('d1', 'one|1', 'one', 'r1', 1, 'one|1', '{}', 'h', 'parked', now() - interval '1 hour', now() + interval '1 day')`,
  )
  await database.pool.query(`update lanes set owner = 'dead-worker-of-before', ready_at = null`)
  await ledger.beat('w1')
  expect(await claim('w1', 1)).toEqual([])
  expect(await ledger.sweep({ workerId: 'w1', heldKeys: [] })).toMatchObject({ rearmed: 1 })
  expect(await claim('w1', 1)).toHaveLength(1)
})

test('a lane that is ours without our knowing is claimed again, one that we work on is not', async () => {
  await install('one', 3)
  const [held, stray] = await claim('w1', 2)
  if (held === undefined || stray === undefined) throw new TypeError('nothing was claimed')
  const again = await ledger.claim({ workerId: 'w1', heldKeys: [held.key] }, 8)
  expect(again.takenOver).toBe(1)
  expect(again.lanes.map(({ key, epoch }) => [key, epoch]).sort()).toEqual([
    [stray.key, stray.epoch + 1],
    ['one|3', 1],
  ])
})

test('what is accepted or comes back while a lane is worked on is not forgotten at its release', async () => {
  await install('one', 1)
  const [lane] = await claim('w1', 1)
  if (lane === undefined) throw new TypeError('nothing was claimed')
  await database.pool.query(
    `insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash, expires_at)
     values ('d1', 'one|1', 'one', 'r1', 1, 'one|1', '{}', 'h', now() + interval '1 day')`,
  )
  await armInstallation(database.db, 'one')
  await ledger.write('w1', { lane, release: { kind: 'when_told' } })
  const [again] = await claim('w1', 1)
  if (again === undefined) throw new TypeError('the lane was not armed')
  await ledger.write('w1', { lane: again, release: { kind: 'when_told' } })
  expect(await claim('w1', 1)).toEqual([])
})

test('a claim leaves every index of the lanes as it was', async () => {
  await install('one', 32)
  await database.pool.query('vacuum lanes')
  await claim('w1', 64)
  await database.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await database.pool.query(
    `select n_tup_upd::int as updated, n_tup_hot_upd::int as "heapOnly" from pg_stat_user_tables where relname = 'lanes'`,
  )
  expect(rows).toEqual([{ updated: 32, heapOnly: 32 }])
})

test('a silent worker whose session lives keeps its lanes for a while', async () => {
  await install('one', 1)
  await claim('w1', 1)
  const session = await database.pool.connect()
  await session.query(`select pg_advisory_lock(hashtextextended('w1', 0))`)
  await database.pool.query(`update workers set seen_at = now() - interval '5 seconds'`)
  expect(await ledger.reap(2_000, 12_000)).toBe(0)
  expect(await claim('w2', 1)).toEqual([])
  await database.pool.query(`update workers set seen_at = now() - interval '13 seconds' where id = 'w1'`)
  expect(await ledger.reap(2_000, 12_000)).toBe(1)
  expect(await claim('w2', 1)).toHaveLength(1)
  await session.query(`select pg_advisory_unlock_all()`)
  session.release()
})

test('never more than was asked for, however many installations have work', async () => {
  for (let n = 0; n < 20; n += 1) await install(`i${String(n).padStart(2, '0')}`, 1)
  expect(await owners('w1', 4)).toHaveLength(4)
})

test('installations that only wait take no share of a claim', async () => {
  for (let n = 0; n < 40; n += 1) await install(`a-waits-${String(n).padStart(2, '0')}`, 2)
  await database.pool.query(`update lanes set ready_at = now() + interval '1 hour'`)
  await install('b-works', 40)
  expect(await owners('w1', 16)).toHaveLength(16)
})

test('a process whose clock is behind waits no shorter for it', async () => {
  await install('one', 1)
  const behind = () => Date.now() - 60_000
  const late = createLedger(database.db, behind)
  const [lane] = await claim('w1', 1, [], late)
  if (lane === undefined) throw new TypeError('nothing was claimed')
  await late.write('w1', { lane, release: { kind: 'at', readyAtMs: behind() + 30_000 } })
  expect(await claim('w1', 1, [], late)).toEqual([])
  await late.closeGate({ scope: 'one', installationId: 'one', notBeforeMs: behind() + 30_000, code: '429' })
  const [gate] = await ledger.gates()
  expect((gate?.notBeforeMs ?? 0) - Date.now()).toBeGreaterThan(20_000)
})

test('an installation that comes back while its lane is given up for parked finds the lane again', async () => {
  await install('one', 1)
  await database.pool.query(
    `insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash, state, expires_at)
     values ('d1', 'one|1', 'one', 'r1', 1, 'one|1', '{}', 'h', 'parked', now() + interval '1 day')`,
  )
  const [lane] = await claim('w1', 1)
  if (lane === undefined) throw new TypeError('nothing was claimed')
  await armInstallation(database.db, 'one')
  await ledger.write('w1', { lane, release: { kind: 'when_told' } })
  expect(await claim('w1', 1)).toHaveLength(1)
})

test('a lane that nobody arms is found behind a backlog that is armed already', async () => {
  await install('one', 2_500)
  await database.pool.query(
    `insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash, accepted_at, expires_at)
     select 'd' || n, 'one|' || n, 'one', 'r' || n, 1, 'one|' || n, '{}', 'h', now() - interval '1 hour',
            now() + interval '1 day'
       from generate_series(1, 2500) n`,
  )
  await database.pool.query(`update lanes set ready_at = null where key = 'one|999'`)
  let rearmed = 0
  for (let n = 0; n < 2; n += 1) rearmed += (await ledger.sweep({ workerId: 'w1', heldKeys: [] })).rearmed
  expect(rearmed).toBe(1)
})
