import type { Pool } from 'pg'
import { MIGRATIONS } from './migrations/index.js'

/** Any two processes that migrate the same database wait for each other on this key. */
const MIGRATION_LOCK = 7_240_101

/** Name of the schema that holds every table of ours. */
export const SCHEMA = 'lastword'

/**
 * Brings the schema up to date. Safe when several processes start at once: one migrates, the others wait and find
 * nothing to do. Each migration is its own transaction.
 */
export async function migrate(pool: Pool): Promise<readonly string[]> {
  const client = await pool.connect()
  const applied: string[] = []
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`create schema if not exists ${SCHEMA}`)
    await client.query(
      `create table if not exists ${SCHEMA}.migrations (name text primary key, applied_at timestamptz not null default now())`,
    )
    const { rows } = await client.query<{ name: string }>(`select name from ${SCHEMA}.migrations`)
    const done = new Set(rows.map((row) => row.name))
    for (const migration of MIGRATIONS) {
      if (done.has(migration.name)) continue
      await client.query('begin')
      try {
        await client.query(migration.sql)
        await client.query(`insert into ${SCHEMA}.migrations (name) values ($1)`, [migration.name])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
      applied.push(migration.name)
    }
    return applied
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined)
    client.release()
  }
}
