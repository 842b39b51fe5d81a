import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../src/log.js'
import { openSession } from '../../src/store/session.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const options = { channel: 'lastword_work', workerId: 'w1', log: createLogger('silent') }

test('a session that cannot be opened says so, once, and nothing goes on behind it', async () => {
  const troubles: unknown[] = []
  const hear = (error: unknown) => void troubles.push(error)
  process.on('uncaughtException', hear)
  const url = database.url.replace(/\/[^/]+$/, '/no_such_database')
  await expect(openSession({ ...options, url, onNotice: () => {}, onHeld: () => {} })).rejects.toMatchObject({
    code: '3D000',
  })
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  process.off('uncaughtException', hear)
  expect(troubles).toEqual([])
})

test('a session that was cut off listens again, and holds its lock', async () => {
  let notices = 0
  const held: boolean[] = []
  let heard: () => void = () => {}
  const session = await openSession({
    ...options,
    url: database.url,
    onNotice: () => {
      notices += 1
      heard()
    },
    onHeld: (isHeld) => void held.push(isHeld),
  })
  const again = new Promise<void>((resolve) => (heard = resolve))
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lastword session' and datname = current_database()`,
  )
  await again
  expect(notices).toBe(2)
  expect(held).toEqual([true, false, true])
  const { rows } = await database.pool.query(`select pg_try_advisory_lock(hashtextextended('w1', 0)) as free`)
  expect(rows).toEqual([{ free: false }])
  await session.close()
})
