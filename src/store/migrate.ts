import type { Pool, PoolClient } from 'pg'
import { whileSchemaIsOurs } from './advisory-lock.js'
import { MIGRATIONS } from './migrations/index.js'

/** Name of the schema that holds every table of ours. */
export const SCHEMA = 'lastword'

/**
 * Brings the schema up to date. Safe when several processes start at once: one migrates, the others wait and find
 * nothing to do. Each migration is its own transaction.
 */
export async function migrate(pool: Pool): Promise<readonly string[]> {
  return whileSchemaIsOurs(pool, async (client) => {
    await client.query(`create schema if not exists ${SCHEMA}`)
    await client.query(
      `create table if not exists ${SCHEMA}.migrations (name text primary key, applied_at timestamptz not null default now())`,
    )
    const { rows } = await client.query<{ name: string }>(`select name from ${SCHEMA}.migrations`)
    const done = new Set(rows.map((row) => row.name))
    const missing = MIGRATIONS.filter((migration) => !done.has(migration.name))
    for (const migration of missing) await apply(client, migration)
    return missing.map((migration) => migration.name)
  })
}

async function apply(client: PoolClient, migration: (typeof MIGRATIONS)[number]): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query(`insert into ${SCHEMA}.migrations (name) values ($1)`, [migration.name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
