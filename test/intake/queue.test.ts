import { EventEmitter, once } from 'node:events'
import type { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openQueueDoor, type QueueDoor } from '../../src/intake/queue.js'
import { DEAD_RUNS_QUEUE, RUNS_QUEUE } from '../../src/intake/queue-jobs.js'
import { createLogger } from '../../src/log.js'
import { tryQueueLock } from '../../src/store/advisory-lock.js'
import { openBoss } from '../../src/store/boss.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { acceptor, EVERYWHERE, installBoth } from '../support/doors.js'
import { aRun } from '../support/runs.js'

let database: TestDatabase
let boss: PgBoss
let door: QueueDoor
/** Says `taken` after each accepted run and `refused` after each that was not. */
const progress = new EventEmitter()

beforeAll(async () => {
  database = await createTestDatabase()
  await installBoth(database.db)
  const log = createLogger('silent')
  boss = await openBoss(database.pool, log)
  const accept = acceptor(database.db)
  door = await openQueueDoor({
    boss,
    log,
    takeTurn: () => tryQueueLock(database.pool),
    producerByKey: async (key) =>
      key === 'lw_known'
        ? { name: 'known', may: () => true, mayPostTo: (id) => id.startsWith('lark'), installationIds: [] }
        : null,
    accept: (value, producer) =>
      accept(value, producer).then(
        (answer) => {
          progress.emit('taken')
          return answer
        },
        (error) => {
          progress.emit('refused')
          throw error
        },
      ),
  })
})

afterAll(async () => {
  await door.stop()
  await boss.stop({ graceful: false })
  await database.close()
})

async function stateOf(runId: string): Promise<{ count: number; producer: string | null }> {
  const rows = await database.db
    .selectFrom('deliveries')
    .select('producer')
    .where('run_id', '=', runId)
    .execute()
  return { count: rows.length, producer: rows[0]?.producer ?? null }
}

async function nextDeadLetter(jobId: string | null): Promise<unknown> {
  for (;;) {
    const [dead] = await boss.fetch<{ jobId: string }>(DEAD_RUNS_QUEUE)
    if (dead === undefined) {
      await new Promise((done) => setImmediate(done))
      continue
    }
    await boss.complete(DEAD_RUNS_QUEUE, dead.id)
    if (jobId === null || dead.data.jobId === jobId) return dead.data
  }
}

describe('the pg-boss door', () => {
  test('a run sent from Node becomes a delivery', async () => {
    const taken = once(progress, 'taken')
    await boss.send(RUNS_QUEUE, aRun({ runId: 'from-node' }))
    await taken
    expect(await stateOf('from-node')).toEqual({ count: 1, producer: 'database' })
  })

  test('a run inserted with plain SQL becomes a delivery', async () => {
    const taken = once(progress, 'taken')
    await database.pool.query('insert into pgboss.job (name, data) values ($1, $2)', [
      RUNS_QUEUE,
      JSON.stringify(aRun({ runId: 'from-sql' })),
    ])
    await taken
    expect(await stateOf('from-sql')).toEqual({ count: 1, producer: 'database' })
  })

  test('the same run twice in the queue is one delivery', async () => {
    for (const _ of [1, 2]) {
      const taken = once(progress, 'taken')
      await boss.send(RUNS_QUEUE, aRun({ runId: 'twice' }))
      await taken
    }
    expect(await stateOf('twice')).toEqual({ count: 1, producer: 'database' })
  })

  test('a run that cannot be read is put aside with the reason, and the next one is not held up', async () => {
    const taken = once(progress, 'taken')
    const jobId = await boss.send(RUNS_QUEUE, { runId: 'poison', oops: true })
    await boss.send(RUNS_QUEUE, aRun({ runId: 'after-poison' }))
    expect(await nextDeadLetter(jobId)).toMatchObject({
      jobId,
      code: 'invalid_run',
      faults: expect.arrayContaining([{ path: '/oops', expected: 'no such field' }]),
      data: { runId: 'poison', oops: true },
    })
    await taken
    expect(await stateOf('after-poison')).toMatchObject({ count: 1 })
  })

  test.each([
    ['a key that is not ours', { ...aRun({ runId: 'stranger' }), apiKey: 'lw_nobody' }, 'unauthorized'],
    ['a key for another installation', { ...aRun({ runId: 'not-there' }), apiKey: 'lw_known' }, 'forbidden'],
    ['no object', { apiKey: EVERYWHERE.name }, 'unauthorized'],
  ])('%s is put aside without the key', async (_name, message, code) => {
    const jobId = await boss.send(RUNS_QUEUE, message)
    const dead = await nextDeadLetter(jobId)
    expect(dead).toMatchObject({ code })
    expect(JSON.stringify(dead)).not.toContain(String(message.apiKey))
  })
})
