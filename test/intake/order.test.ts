import { EventEmitter, once } from 'node:events'
import type { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openQueueDoor, RUNS_QUEUE } from '../../src/intake/queue.js'
import { createLogger } from '../../src/log.js'
import { openBoss } from '../../src/store/boss.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { acceptor, installBoth } from '../support/doors.js'
import { aRun } from '../support/runs.js'

const RUNS = 60
const log = createLogger('silent')
let database: TestDatabase
let boss: PgBoss

beforeAll(async () => {
  database = await createTestDatabase()
  await installBoth(database.db)
  boss = await openBoss(database.pool, log)
})

afterAll(async () => {
  await boss.stop({ graceful: false })
  await database.close()
})

test('runs of one conversation are taken off the queue in the order they were put there', async () => {
  const accept = acceptor(database.db)
  const progress = new EventEmitter()
  const producerByKey = async () => null
  await (await openQueueDoor({ boss, log, producerByKey, accept })).stop()
  for (let n = 0; n < RUNS; n += 1) await boss.send(RUNS_QUEUE, aRun({ runId: `run-${n}` }))
  let taken = 0
  const all = once(progress, 'all')
  const door = await openQueueDoor({
    boss,
    log,
    producerByKey,
    // Some take longer than others, as they do over many connections.
    async accept(value, producer) {
      if (taken % 3 === 0) await database.db.selectFrom('lanes').select('key').execute()
      const answer = await accept(value, producer)
      taken += 1
      if (taken === RUNS) progress.emit('all')
      return answer
    },
  })
  await all
  await door.stop()
  const rows = await database.db.selectFrom('deliveries').select('run_id').orderBy('seq').execute()
  expect(rows.map(({ run_id }) => run_id)).toEqual(Array.from({ length: RUNS }, (_, n) => `run-${n}`))
})
