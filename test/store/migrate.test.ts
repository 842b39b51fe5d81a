import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openQueueDoor } from '../../src/intake/queue.js'
import { createLogger } from '../../src/log.js'
import { openBoss } from '../../src/store/boss.js'
import { openDatabase } from '../../src/store/database.js'
import { migrate } from '../../src/store/migrate.js'
import { MIGRATIONS } from '../../src/store/migrations/index.js'

const name = `test_${randomBytes(8).toString('hex')}`
const root = () => inject('postgresUrl')

async function asOwner(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: root() })
  await client.connect()
  await client.query(sql)
  await client.end()
}

beforeAll(() => asOwner(`create database ${name}`))
afterAll(() => asOwner(`drop database ${name} with (force)`))

test('processes that start at once migrate an empty database once, and a later one finds nothing to do', async () => {
  const url = root().replace(/\/[^/]+$/, `/${name}`)
  const databases = Array.from({ length: 4 }, () => openDatabase(url, createLogger('silent'), 2))
  const applied = await Promise.all(databases.map(({ pool }) => migrate(pool)))
  expect(applied.filter((names) => names.length > 0)).toEqual([MIGRATIONS.map((migration) => migration.name)])
  const [first] = databases
  expect(first === undefined ? null : await migrate(first.pool)).toEqual([])
  await Promise.all(databases.map((database) => database.close()))
})

test('migrations have names in their order, each once', () => {
  const names = MIGRATIONS.map((migration) => migration.name)
  expect(names).toEqual([...new Set(names)].sort())
})

test('processes that open the run queue at once on an empty database all open it', async () => {
  const log = createLogger('silent')
  const url = root().replace(/\/[^/]+$/, `/${name}`)
  const databases = Array.from({ length: 4 }, () => openDatabase(url, log, 4))
  const bosses = await Promise.all(databases.map(({ pool }) => openBoss(pool, log)))
  const accept = () => Promise.reject(new TypeError('nothing was sent'))
  const doors = await Promise.all(
    bosses.map((boss) =>
      openQueueDoor({ boss, accept, producerByKey: async () => null, log, takeTurn: async () => null }),
    ),
  )
  expect(doors).toHaveLength(4)
  await Promise.all(doors.map((door) => door.stop()))
  await Promise.all(bosses.map((boss) => boss.stop({ graceful: false })))
  await Promise.all(databases.map((database) => database.close()))
})
