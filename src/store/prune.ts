import { sql } from 'kysely'
import type { Database } from './database.js'

/** What is old enough to be forgotten. */
export interface PruneFilter {
  /** Ended before, ms since the epoch. */
  readonly endedBeforeMs: number
  /** Also dead letters, which an operator may still want to replay. */
  readonly dead: boolean
}

/** How many deliveries `pruneBatch` would delete in all. */
export async function countPrunable(db: Database, filter: PruneFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries d where ${isOld(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Deletes up to `limit` old deliveries with their parts and attempts, and the lanes they leave empty. A run that is
 * posted again after that is a new delivery: ids are remembered as long as the ledger keeps them.
 *
 * @returns how many were deleted
 */
export async function pruneBatch(db: Database, filter: PruneFilter, limit: number): Promise<number> {
  const { rows } = await sql<{ lane_key: string }>`
    delete from deliveries where id in (
      select d.id from deliveries d where ${isOld(filter)} limit ${limit} for update skip locked)
    returning lane_key`.execute(db)
  const keys = [...new Set(rows.map((row) => row.lane_key))]
  await sql`
    delete from lanes where key in (
      select l.key from lanes l
       where l.key = any(${keys}) and l.owner is null and l.ready_at is null
         and not exists (select 1 from deliveries d where d.lane_key = l.key)
         for update skip locked)`.execute(db)
  return rows.length
}

function isOld({ endedBeforeMs, dead }: PruneFilter) {
  const states = dead ? ['delivered', 'dropped', 'expired', 'dead'] : ['delivered', 'dropped', 'expired']
  return sql<boolean>`d.settled_at < to_timestamp(${endedBeforeMs}::float8 / 1000) and d.end_state = any(${states})`
}
