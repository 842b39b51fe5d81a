import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Engine } from '../../src/deliver/engine.js'
import type { LaneClaim, LaneWrite, Ledger } from '../../src/deliver/ledger.js'
import { createWorker, WORKER_TIMES, type Worker } from '../../src/deliver/worker.js'
import { type EngineUnderTest, startEngine } from '../support/engine.js'

const LANE: LaneClaim = { key: 'one|C1|', epoch: 7, installationId: 'one' }

let under: EngineUnderTest
let worker: Worker
/** Lets the lanes under work go on to their end. */
let goOn: (() => void)[] = []

/** A database that may be away, and what a worker asked of it. */
const database = {
  isAway: false,
  claimable: [] as LaneClaim[],
  owned: [] as LaneClaim[],
  writes: [] as LaneWrite[],
  reaps: 0,
}

function reachable<Answer>(answer: () => Answer): Promise<Answer> {
  return database.isAway ? Promise.reject(new Error('the database is away')) : Promise.resolve(answer())
}

function ledgerOf(real: Ledger): Ledger {
  return {
    ...real,
    claim: (_, limit) => reachable(() => database.claimable.splice(0, limit)),
    head: () => new Promise((resolve) => void goOn.push(() => resolve(null))),
    write: (_, write) =>
      reachable(() => {
        database.writes.push(write)
        database.owned = database.owned.filter(({ key }) => key !== write.lane.key)
        return 'released'
      }),
    owned: () => reachable(() => [...database.owned]),
    beat: () => reachable(() => true),
    reap: () =>
      reachable(() => {
        database.reaps += 1
        return 0
      }),
    sweep: () => reachable(() => ({ woken: 0, rearmed: 0, overdue: [] })),
    gates: () => reachable(() => []),
  }
}

beforeEach(async () => {
  goOn = []
  under = await startEngine({ app: { roles: new Set(['intake']) } })
  Object.assign(database, { isAway: false, claimable: [], owned: [], writes: [], reaps: 0 })
  const engine: Engine = { ...under.app.engine, ledger: ledgerOf(under.app.engine.ledger) }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] })
  worker = createWorker(engine, { concurrency: 16 })
  await worker.start()
})
afterEach(async () => {
  database.isAway = false
  for (const go of goOn) go()
  await worker.stop()
  vi.useRealTimers()
  await under.close()
})

test('a lane whose claim never reached the worker is given back', async () => {
  database.owned = [LANE]
  await vi.advanceTimersByTimeAsync(WORKER_TIMES.sweepMs)
  expect(database.writes).toEqual([])
  await vi.advanceTimersByTimeAsync(WORKER_TIMES.sweepMs)
  expect(database.writes).toMatchObject([{ lane: LANE, release: { kind: 'at' } }])
})

test('a lane whose release failed while the database was away is given back', async () => {
  database.claimable = [LANE]
  database.owned = [LANE]
  worker.wake()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(1))
  database.isAway = true
  for (const go of goOn) go()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(0))
  database.isAway = false
  await vi.advanceTimersByTimeAsync(2 * WORKER_TIMES.sweepMs)
  expect(database.writes).toMatchObject([{ lane: LANE }])
})

test('a lane under work is kept, however long it takes', async () => {
  database.claimable = [LANE]
  database.owned = [LANE]
  worker.wake()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(1))
  await vi.advanceTimersByTimeAsync(4 * WORKER_TIMES.sweepMs)
  expect(database.writes).toEqual([])
})

test('nobody is taken for dead right after an outage of the database, which silenced everybody', async () => {
  await vi.advanceTimersByTimeAsync(3 * WORKER_TIMES.beatMs)
  const before = database.reaps
  expect(before).toBeGreaterThan(1)
  database.isAway = true
  await vi.advanceTimersByTimeAsync(5 * WORKER_TIMES.beatMs)
  database.isAway = false
  await vi.advanceTimersByTimeAsync(2 * WORKER_TIMES.beatMs)
  expect(database.reaps).toBe(before)
  await vi.advanceTimersByTimeAsync(2 * WORKER_TIMES.beatMs)
  expect(database.reaps).toBeGreaterThan(before)
})

test('the last free place is not kept free while the others hold on', async () => {
  const lanes = Array.from({ length: 16 }, (_, n) => ({ ...LANE, key: `one|C${n}|` }))
  database.claimable = lanes.slice(0, 15)
  database.owned = lanes
  worker.wake()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(15))
  database.claimable = lanes.slice(15)
  await vi.advanceTimersByTimeAsync(WORKER_TIMES.pollMs)
  expect(worker.activeLanes()).toBe(16)
})
