import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Engine } from '../../src/deliver/engine.js'
import type { LaneClaim, Ledger } from '../../src/deliver/ledger.js'
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
  /** The lanes that the last claim named as under work. */
  heldKeys: [] as readonly string[],
  reaps: 0,
}

function reachable<Answer>(answer: () => Answer): Promise<Answer> {
  return database.isAway ? Promise.reject(new Error('the database is away')) : Promise.resolve(answer())
}

function ledgerOf(real: Ledger): Ledger {
  return {
    ...real,
    claim: ({ heldKeys }, limit) =>
      reachable(() => {
        database.heldKeys = heldKeys
        return { lanes: database.claimable.splice(0, limit), takenOver: 0 }
      }),
    head: () => new Promise((resolve) => void goOn.push(() => resolve(null))),
    write: () => reachable(() => 'released'),
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
  Object.assign(database, { isAway: false, claimable: [], heldKeys: [], reaps: 0 })
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

test('a claim names the lanes that are under work, however long they take, and no others', async () => {
  const lanes = [LANE, { ...LANE, key: 'one|C2|' }]
  database.claimable = [...lanes]
  worker.wake()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(2))
  await vi.advanceTimersByTimeAsync(20 * WORKER_TIMES.pollMs)
  expect(database.heldKeys).toEqual(lanes.map(({ key }) => key))
  goOn[0]?.()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(1))
  await vi.advanceTimersByTimeAsync(WORKER_TIMES.pollMs)
  expect(database.heldKeys).toEqual(['one|C2|'])
})

test('a lane whose release failed while the database was away is no longer named as under work', async () => {
  database.claimable = [LANE]
  worker.wake()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(1))
  database.isAway = true
  for (const go of goOn) go()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(0))
  database.isAway = false
  await vi.advanceTimersByTimeAsync(WORKER_TIMES.pollMs)
  expect(database.heldKeys).toEqual([])
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
  worker.wake()
  await vi.waitFor(() => expect(worker.activeLanes()).toBe(15))
  database.claimable = lanes.slice(15)
  await vi.advanceTimersByTimeAsync(WORKER_TIMES.pollMs)
  expect(worker.activeLanes()).toBe(16)
})

test('a worker that cannot beat and has lost its session gives up its right to speak, and has it back with the next beat', async () => {
  const { lease } = under.app.engine
  database.isAway = true
  lease.sessionHeld(false)
  await vi.advanceTimersByTimeAsync(2 * WORKER_TIMES.beatMs)
  expect(lease.isLapsed()).toBe(true)
  database.isAway = false
  await vi.advanceTimersByTimeAsync(WORKER_TIMES.beatMs)
  expect(lease.isLapsed()).toBe(false)
})
