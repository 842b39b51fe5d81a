import type { Pool, PoolClient } from 'pg'

/** Whoever changes the shape of the database holds this: processes that start at once take turns. */
const SCHEMA_LOCK = 7_240_101

/** Whoever takes runs off the queue holds this, batch by batch. */
const QUEUE_LOCK = 7_240_102

/**
 * Does `work` unless another process is taking runs off the queue at this moment; null then. Whoever loses the
 * connection that holds the lock finishes what is at hand.
 */
export async function whileQueueIsOurs<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  const client = await pool.connect()
  let fault: Error | undefined
  const note = (error: Error) => {
    fault = error
  }
  // Out of the pool, nobody else listens.
  client.on('error', note)
  try {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
      QUEUE_LOCK,
    ])
    if (rows[0]?.isOurs !== true) return null
    return await work().finally(() => client.query('select pg_advisory_unlock($1)', [QUEUE_LOCK]).catch(note))
  } finally {
    client.off('error', note)
    // A connection that may still hold the lock is closed.
    client.release(fault)
  }
}

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
