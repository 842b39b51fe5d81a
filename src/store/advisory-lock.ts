import type { Pool, PoolClient } from 'pg'

/** Whoever changes the shape of the database holds this: processes that start at once take turns. */
const SCHEMA_LOCK = 7_240_101

/** Does `work` while no other process changes the schema. */
export async function whileSchemaIsOurs<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [SCHEMA_LOCK])
    return await work(client)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [SCHEMA_LOCK]).catch(() => undefined)
    client.release()
  }
}
