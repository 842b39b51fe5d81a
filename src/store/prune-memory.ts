import { sql } from 'kysely'
import type { Database } from './database.js'

/**
 * Forgets up to `limit` of what is remembered of conversations and people and was not confirmed since a time: it is
 * asked again when it is needed. An open delivery reads its conversation's row, so such a row stays.
 *
 * @returns how many rows
 */
export async function pruneMemory(db: Database, checkedBeforeMs: number, limit: number): Promise<number> {
  const before = sql`to_timestamp(${checkedBeforeMs}::float8 / 1000)`
  const { rows } = await sql`
    with busy as materialized (
      select distinct installation_id, coalesce(conversation_id, run #>> '{conversation,place,id}') as place
        from deliveries where settled_at is null
         and exists (select 1 from conversations where checked_at < ${before})
    ),
    places as (
      delete from conversations where (installation_id, conversation_id) in (
        select c.installation_id, c.conversation_id from conversations c
         where c.checked_at < ${before}
           and (c.installation_id, c.conversation_id) not in (select installation_id, place from busy where place is not null)
         limit ${limit})
      returning 1
    ),
    readers as (
      delete from people where (installation_id, person_id) in (
        select installation_id, person_id from people where checked_at < ${before} limit ${limit})
      returning 1
    )
    select 1 from places union all select 1 from readers`.execute(db)
  return rows.length
}

/** Forgets up to `limit` completion notices that ended before a time; returns how many. */
export async function pruneNotices(db: Database, endedBeforeMs: number, limit: number): Promise<number> {
  const before = sql`to_timestamp(${endedBeforeMs}::float8 / 1000)`
  const { rows } = await sql`
    delete from notices where id in (
      select id from notices
       where created_at < ${before} and coalesce(spent_at, created_at) < ${before} and state not in ('queued', 'running')
       order by created_at limit ${limit})
    returning id`.execute(db)
  return rows.length
}
