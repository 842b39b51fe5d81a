import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createLogger } from '../../src/log.js'
import { type OpenDatabase, openDatabase } from '../../src/store/database.js'
import { TEMPLATE } from './global-setup.js'

export interface TestDatabase extends OpenDatabase {
  readonly url: string
}

/** A fresh, migrated database of its own on the run's Postgres; dropped on `close`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const root = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await query(root, `create database ${name} template ${TEMPLATE} strategy wal_log`)
  const url = root.replace(/\/[^/]+$/, `/${name}`)
  const opened = openDatabase(url, createLogger('silent'))
  return {
    ...opened,
    url,
    async close() {
      await opened.close()
      await query(root, `drop database if exists ${name} with (force)`)
    },
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
