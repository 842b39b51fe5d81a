import type { Pool, PoolClient } from 'pg'

/** Whoever changes the shape of the database holds this: processes that start at once take turns. */
const SCHEMA_LOCK = 7_240_101
/** Whoever takes runs off the queue holds this. */
const QUEUE_LOCK = 7_240_102

/** A lock that lasts as long as its connection. */
export interface HeldLock {
  readonly isLost: () => boolean
  release(): Promise<void>
}

/** The right to take runs off the queue, or null while another process has it. */
export async function tryQueueLock(pool: Pool): Promise<HeldLock | null> {
  const lender = await borrow(pool)
  try {
    const { rows } = await lender.client.query<{ isOurs: boolean }>(
      'select pg_try_advisory_lock($1) as "isOurs"',
      [QUEUE_LOCK],
    )
    if (rows[0]?.isOurs === true) return { isLost: lender.isBroken, release: () => lender.unlock(QUEUE_LOCK) }
  } catch (error) {
    lender.giveBack()
    throw error
  }
  lender.giveBack()
  return null
}

/** Does `work` while no other process changes the schema. */
export async function whileSchemaIsOurs<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const lender = await borrow(pool)
  try {
    await lender.client.query('select pg_advisory_lock($1)', [SCHEMA_LOCK])
    return await work(lender.client)
  } finally {
    await lender.unlock(SCHEMA_LOCK)
  }
}

/** A connection of the pool with somebody who listens: out of the pool, a lost connection would end the process. */
async function borrow(pool: Pool) {
  const client = await pool.connect()
  let fault: Error | undefined
  const note = (error: Error) => {
    fault = error
  }
  client.on('error', note)
  // A connection that broke, or may still hold a lock, is closed.
  const giveBack = () => {
    client.off('error', note)
    client.release(fault)
  }
  return {
    client,
    isBroken: () => fault !== undefined,
    giveBack,
    async unlock(key: number) {
      if (fault === undefined) await client.query('select pg_advisory_unlock($1)', [key]).catch(note)
      giveBack()
    },
  }
}
