import { Queue, QueueEvents } from 'bullmq'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LastwordError } from '../../src/errors.js'
import { type BullmqDoor, openBullmqDoor } from '../../src/intake/bullmq.js'
import { createLogger } from '../../src/log.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { acceptor, installBoth } from '../support/doors.js'
import { startRedis } from '../support/redis.js'
import { aRun } from '../support/runs.js'

const redis = await startRedis()

// Where no Redis can be had the suite says so in its name; with CI=true it has failed by now.
const suite = redis === null ? describe.runIf(false) : describe
suite('the BullMQ door', () => {
  let database: TestDatabase
  let queue: Queue
  let events: QueueEvents
  let door: BullmqDoor
  let faultsLeft = 0

  beforeAll(async () => {
    database = await createTestDatabase()
    await installBoth(database.db)
    const { hostname: host, port } = new URL(redis?.url ?? '')
    const connection = { host, port: Number(port), maxRetriesPerRequest: null }
    queue = new Queue('runs', { connection })
    events = new QueueEvents('runs', { connection })
    await events.waitUntilReady()
    const accept = acceptor(database.db)
    door = await openBullmqDoor({
      redisUrl: redis?.url ?? '',
      queueName: 'runs',
      log: createLogger('silent'),
      producerByKey: async (key) =>
        key === 'lw_lark'
          ? {
              name: 'lark only',
              may: () => true,
              mayPostTo: (id) => id.startsWith('lark'),
              installationIds: [],
            }
          : null,
      accept: async (value, producer) => {
        if (faultsLeft > 0) {
          faultsLeft -= 1
          throw new LastwordError('database_unreachable')
        }
        return accept(value, producer)
      },
    })
  })

  afterAll(async () => {
    await door.stop()
    await events.close()
    await queue.close()
    await database.close()
    await redis?.close()
  })

  const deliveriesOf = (runId: string) =>
    database.db.selectFrom('deliveries').select('id').where('run_id', '=', runId).execute()

  test('a job is completed with the delivery id, which is committed by then', async () => {
    const job = await queue.add('run', aRun({ runId: 'bull-1' }))
    const { deliveryId } = await job.waitUntilFinished(events)
    expect(await deliveriesOf('bull-1')).toEqual([{ id: deliveryId }])
  })

  test('the same run twice is one delivery', async () => {
    const jobs = await Promise.all([1, 2].map(() => queue.add('run', aRun({ runId: 'bull-2' }))))
    const [first, second] = await Promise.all(jobs.map((job) => job.waitUntilFinished(events)))
    expect(first).toEqual(second)
    expect(await deliveriesOf('bull-2')).toHaveLength(1)
  })

  test.each([
    [
      'a run that cannot be read',
      { runId: 'bull-3', oops: 1 },
      /invalid_run.*\/oops: expected no such field/,
    ],
    ['a key for another installation', { ...aRun({ runId: 'bull-4' }), apiKey: 'lw_lark' }, /^forbidden/],
    ['a key that is not ours', { ...aRun({ runId: 'bull-5' }), apiKey: 'lw_nobody' }, /^unauthorized/],
  ])('%s goes to the failed set with the reason, at once', async (_name, data, reason) => {
    const job = await queue.add('run', data, { attempts: 5 })
    await expect(job.waitUntilFinished(events)).rejects.toThrow(reason)
    const [failed] = await queue.getFailed(0, 0)
    expect(failed?.attemptsMade).toBe(1)
  })

  test('a passing fault costs the job nothing, not even its only attempt', async () => {
    faultsLeft = 1
    const job = await queue.add('run', aRun({ runId: 'bull-6' }), { attempts: 1 })
    await job.waitUntilFinished(events)
    expect(await deliveriesOf('bull-6')).toHaveLength(1)
  })
})
