import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
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
 * Every statement of ours finds its rows by an index. A plan that is kept from when a table was nearly empty would
 * read the whole of it for the minute until statistics arrive, so the other ways are priced out; and with such prices
 * the compiler (jit) would start for statements of a millisecond.
 */
const PLANNING = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'

/** A statement that opens with its name in a comment is prepared once a connection: to plan it costs more than to run it. */
const NAMED = /^\s*\/\* ([a-z ]+) \*\//

function preparing(pool: pg.Pool): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const prepared = known.get(client) ?? preparingClient(client)
      known.set(client, prepared)
      return prepared
    },
  }
}

function preparingClient(client: pg.PoolClient): PostgresPoolClient {
  const inner: PostgresPoolClient = client
  return Object.create(client, {
    query: {
      value: (text: string, values: unknown[]) => {
        const name = NAMED.exec(text)?.[1]
        return name === undefined ? inner.query(text, values) : client.query({ name, text, values })
      },
    },
  })
}

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
    options: `-c search_path=${SCHEMA},public ${PLANNING}`,
  })
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
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
