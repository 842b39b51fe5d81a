import { sql } from 'kysely'
import type { Database } from './database.js'

/**
 * Deletes receipts that were recorded before a time, oldest first, with the webhook messages about them. Looks at the
 * first `limit` rows and no further, so that a round costs the same however many there are.
 *
 * @returns how many were deleted; fewer than `limit`: nothing older is left
 */
export async function pruneReceipts(db: Database, recordedBeforeMs: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from receipts where id in (
      select id from (select id, created_at from receipts order by id limit ${limit}) oldest
       where created_at < to_timestamp(${recordedBeforeMs}::float8 / 1000))
    returning id`.execute(db)
  return rows.length
}
