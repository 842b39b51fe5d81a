import { sql } from 'kysely'
import type { Head, LaneClaim, OpenState, StoredPart } from '../deliver/ledger.js'
import type { Database } from './database.js'

/** A head as the database answers it; all null where a lane has none. */
export type HeadRow = Omit<Head, 'id' | 'conversation' | 'parts'> & {
  readonly id: string | null
  readonly parts: readonly StoredPart[] | null
  readonly memory: Head['conversation']
  readonly state: OpenState
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** What a head is made of, of a delivery `d` and what is remembered of its conversation, `c`. */
export const HEAD_COLUMNS = sql`
  d.id, d.seq, d.run, d.state, d.conversation_key as "conversationKey", d.decision,
  d.cause_key as "causeKey", d.surface, d.locale, d.locale_from as "localeFrom",
  d.conversation_id as "conversationId", d.anchor, d.in_topic as "inTopic", d.notes,
  d.notice_finding as "noticeFinding", d.tries, d.unknown_count as "unknownCount", d.producer,
  ${ms('d.accepted_at')} as "acceptedAtMs", ${ms('d.expires_at')} as "expiresAtMs",
  case when d.planned_at is null then null else (
    select jsonb_agg(jsonb_build_object(
             'index', p.index, 'rendering', p.rendering, 'part', p.part, 'replaces', p.replaces,
             'state', p.state, 'attempt', p.attempt, 'messageId', p.message_id,
             'firstAttemptAtMs', ${ms('p.first_attempt_at')}, 'attemptAtMs', ${ms('p.attempt_at')})
           order by p.index)
      from parts p where p.delivery_id = d.id) end as parts,
  case when c.conversation_id is null then null else jsonb_build_object(
    'surface', c.surface, 'isTopicGroup', c.is_topic_group, 'locale', c.locale, 'state', c.state,
    'stateCode', c.state_code, 'checkedAtMs', ${ms('c.checked_at')}) end as memory,
  exists (select 1 from deliveries u
           where u.run_id = d.run_id and u.conversation_key = d.conversation_key
             and u.attempt > d.attempt) as "hasLaterAttempt"`

/** Joins the oldest unsettled delivery of `claimed.key` as `d`, and its conversation as `c`. */
export const HEAD_JOINS = sql`
  left join lateral (
    select * from deliveries
     where lane_key = claimed.key and settled_at is null
     order by seq limit 1) d on true
  left join lateral (
    select * from conversations
     where installation_id = d.installation_id
       and conversation_id = coalesce(d.conversation_id, d.run #>> '{conversation,place,id}') limit 1) c on true`

export function headOf({ id, memory, parts, ...row }: HeadRow): Head | null {
  return id === null ? null : { ...row, id, parts: parts ?? [], conversation: memory }
}

/**
 * The first unsettled delivery of each lane, oldest first, with its parts and what is remembered of its conversation.
 * Lanes without one are absent from the answer.
 */
export async function readHeads(
  db: Database,
  lanes: readonly LaneClaim[],
): Promise<ReadonlyMap<string, Head>> {
  const { rows } = await sql<HeadRow & { readonly laneKey: string }>`/* read heads */
    select claimed.key as "laneKey", ${HEAD_COLUMNS}
      from unnest(${lanes.map((lane) => lane.key)}::text[]) as claimed (key) ${HEAD_JOINS}`.execute(db)
  const heads = new Map<string, Head>()
  for (const { laneKey, ...row } of rows) {
    const head = headOf(row)
    if (head !== null) heads.set(laneKey, head)
  }
  return heads
}
