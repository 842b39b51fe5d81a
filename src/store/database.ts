import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from '../log.js'
import { SCHEMA } from './migrate.js'
import type { Tables } from './tables.js'

export type Database = Kysely<Tables>

export interface OpenDatabase {
  readonly db: Database
  readonly pool: pg.Pool
  close(): Promise<void>
}

// Sequence numbers stay far below 2^53; a number is what the rest of the code wants.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text))

/**
 * Opens a pool on our schema. Errors of idle connections are logged, never thrown: the next query reconnects.
 *
 * @param url a `postgres://` address
 * @param maxConnections the pool's size
 */
export function openDatabase(url: string, log: Logger, maxConnections = 12): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: 'lastword',
    connectionTimeoutMillis: 10_000,
    options: `-c search_path=${SCHEMA},public`,
  })
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    async close() {
      // Kysely ends the pool only when a query of its own had used it.
      await db.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}
