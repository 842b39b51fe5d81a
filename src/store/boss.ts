import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from '../log.js'
import { whileSchemaIsOurs } from './advisory-lock.js'

/** Schema of the queue that producers write to; pg-boss's own default, so that their client needs no setting. */
export const QUEUE_SCHEMA = 'pgboss'

/** pg-boss over our pool, started: its schema is made or migrated, and it looks after its own tables. */
export async function openBoss(pool: Pool, log: Logger): Promise<PgBoss> {
  const boss = new PgBoss({
    schema: QUEUE_SCHEMA,
    db: { executeSql: (text, values) => pool.query(text, values === undefined ? undefined : [...values]) },
    schedule: false,
  })
  boss.on('error', (err) => log.warn({ err }, 'the run queue met a database error; it goes on'))
  // Two first starts at once would both make the schema, and one would fail.
  await whileSchemaIsOurs(pool, () => boss.start())
  return boss
}
