import { EventEmitter, once } from 'node:events'
import type { PgBoss } from 'pg-boss'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { LastwordError } from '../../src/errors.js'
import { openQueueDoor, type QueueDoorOptions } from '../../src/intake/queue.js'
import { RUNS_QUEUE } from '../../src/intake/queue-jobs.js'
import { createLogger } from '../../src/log.js'
import { tryQueueLock } from '../../src/store/advisory-lock.js'
import { openBoss } from '../../src/store/boss.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { acceptor, installBoth } from '../support/doors.js'
import { aRun } from '../support/runs.js'

const RUNS = 200
const log = createLogger('silent')
const opened: { readonly database: TestDatabase; readonly boss: PgBoss }[] = []

afterAll(async () => {
  for (const { database, boss } of opened) {
    await boss.stop({ graceful: false })
    await database.close()
  }
})

let database: TestDatabase
let boss: PgBoss
/** Says `all` when that many runs were accepted, by however many doors. */
let progress: EventEmitter
let accepted: number

beforeEach(async () => {
  database = await createTestDatabase()
  await installBoth(database.db)
  boss = await openBoss(database.pool, log)
  opened.push({ database, boss })
  progress = new EventEmitter()
  accepted = 0
})

type Accept = QueueDoorOptions['accept']

function aDoor(accept: Accept) {
  return openQueueDoor({
    boss,
    log,
    producerByKey: async () => null,
    takeTurn: () => tryQueueLock(database.pool),
    async accept(value, producer) {
      const answer = await accept(value, producer)
      if (answer.isNew) accepted += 1
      if (accepted === RUNS) progress.emit('all')
      return answer
    },
  })
}

async function sendRuns(): Promise<void> {
  await (await aDoor(acceptor(database.db))).stop()
  for (let n = 0; n < RUNS; n += 1) await boss.send(RUNS_QUEUE, aRun({ runId: `run-${n}` }))
}

async function orderOfAcceptance(): Promise<readonly string[]> {
  const rows = await database.db.selectFrom('deliveries').select('run_id').orderBy('seq').execute()
  return rows.map(({ run_id }) => run_id)
}

const inOrder = Array.from({ length: RUNS }, (_, n) => `run-${n}`)

test('runs of one conversation are taken off the queue in the order they were put there, by three processes', async () => {
  await sendRuns()
  const accept = acceptor(database.db)
  const all = once(progress, 'all')
  // Some take longer than others, as they do over many connections.
  const unevenly: Accept = async (value, producer) => {
    if (accepted % 3 === 0) await database.db.selectFrom('lanes').select('key').execute()
    return accept(value, producer)
  }
  const doors = await Promise.all([aDoor(unevenly), aDoor(unevenly), aDoor(unevenly)])
  await all
  await Promise.all(doors.map((door) => door.stop()))
  expect(await orderOfAcceptance()).toEqual(inOrder)
})

const passing = [
  { name: 'overload', fault: () => new LastwordError('overloaded') },
  {
    name: 'a database that restarts',
    fault: () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
  },
] as const
test.each(passing)('$name holds runs up and changes no order', async ({ fault }) => {
  await sendRuns()
  const accept = acceptor(database.db)
  const all = once(progress, 'all')
  let refusals = 0
  const door = await aDoor(async (value, producer) => {
    if (accepted % 50 === 7 && refusals++ % 2 === 0) throw fault()
    return accept(value, producer)
  })
  await all
  await door.stop()
  expect(refusals).toBeGreaterThan(2)
  expect(await orderOfAcceptance()).toEqual(inOrder)
})

/** A door that the first run does not get through, until `open`; `tried` resolves with its first try. */
async function aStuckDoor() {
  const accept = acceptor(database.db)
  const tries = new EventEmitter()
  const tried = once(tries, 'tried')
  let isStuck = true
  const door = await aDoor(async (value, producer) => {
    const isFirst = JSON.stringify(value).includes('"run-0"')
    if (isFirst) tries.emit('tried')
    if (isFirst && isStuck) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    return accept(value, producer)
  })
  await tried
  return {
    door,
    open: () => {
      isStuck = false
    },
  }
}

test('a process that lost its turn while it waited is passed by, and nothing is passed over', async () => {
  await sendRuns()
  const all = once(progress, 'all')
  const stuck = await aStuckDoor()
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 7240102
        and database = (select oid from pg_database where datname = current_database())`,
  )
  const other = await aDoor(acceptor(database.db))
  await all
  stuck.open()
  await Promise.all([stuck.door.stop(), other.stop()])
  expect(await orderOfAcceptance()).toEqual(inOrder)
})

test('a process that stops while it waits leaves its jobs to the next, which begins with them', async () => {
  await sendRuns()
  const all = once(progress, 'all')
  const stuck = await aStuckDoor()
  await stuck.door.stop()
  const next = await aDoor(acceptor(database.db))
  await all
  await next.stop()
  expect(await orderOfAcceptance()).toEqual(inOrder)
})
