import { type RawBuilder, sql } from 'kysely'
import type { Head, LaneClaim, OpenState, StoredPart } from '../deliver/ledger.js'
import type { Database } from './database.js'

/** A head as the database answers it; all null where a lane has none, only `run` and `parts` where it is large. */
export type HeadRow = Omit<Head, 'id' | 'conversation' | 'parts' | 'run'> & {
  readonly id: string | null
  readonly run: Head['run'] | null
  readonly parts: readonly StoredPart[] | null
  readonly memory: Head['conversation']
  readonly state: OpenState
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** Bytes of a run as it is stored, compressed, above which it does not travel with others: a claim brings dozens of heads. */
const LARGE_BYTES = 16_384

/** What a head is made of, of a delivery `d` and what is remembered of its conversation, `c`. */
export const HEAD_COLUMNS = headColumns(sql.raw(`pg_column_size(d.run) <= ${LARGE_BYTES}`))
const WHOLE_HEAD_COLUMNS = headColumns(sql.raw('true'))

function headColumns(isComplete: RawBuilder<unknown>) {
  return sql`
  d.id, d.seq, case when ${isComplete} then d.run end as run, d.state, d.conversation_key as "conversationKey", d.decision,
  d.cause_key as "causeKey", d.surface, d.locale, d.locale_from as "localeFrom",
  d.conversation_id as "conversationId", d.anchor, d.in_topic as "inTopic", d.notes,
  d.notice_finding as "noticeFinding", d.tries, d.unknown_count as "unknownCount", d.producer,
  ${ms('d.accepted_at')} as "acceptedAtMs", ${ms('d.expires_at')} as "expiresAtMs",
  case when d.planned_at is null or not ${isComplete} then null else (
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
}

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

/** A head, or that it is too large to have come with others. */
export type FoundHead = Head | 'large'

export function headOf({ id, memory, parts, run, ...row }: HeadRow): FoundHead | null {
  if (id === null) return null
  return run === null ? 'large' : { ...row, id, run, parts: parts ?? [], conversation: memory }
}

/**
 * The first unsettled delivery of each lane, oldest first, with its parts and what is remembered of its conversation.
 * Lanes without one are absent from the answer.
 */
export async function readHeads(
  db: Database,
  lanes: readonly LaneClaim[],
): Promise<ReadonlyMap<string, FoundHead>> {
  const { rows } = await sql<LaneHeadRow>`/* read heads */ select ${laneHeads(lanes, HEAD_COLUMNS)}`.execute(
    db,
  )
  return byLane(rows)
}

/** The same, however large they are. */
export async function readLargeHeads(
  db: Database,
  lanes: readonly LaneClaim[],
): Promise<ReadonlyMap<string, FoundHead>> {
  const { rows } =
    await sql<LaneHeadRow>`/* read large heads */ select ${laneHeads(lanes, WHOLE_HEAD_COLUMNS)}`.execute(db)
  return byLane(rows)
}

type LaneHeadRow = HeadRow & { readonly laneKey: string }

function laneHeads(lanes: readonly LaneClaim[], columns: RawBuilder<unknown>) {
  return sql`claimed.key as "laneKey", ${columns}
      from unnest(${lanes.map((lane) => lane.key)}::text[]) as claimed (key) ${HEAD_JOINS}`
}

function byLane(rows: readonly LaneHeadRow[]): ReadonlyMap<string, FoundHead> {
  const heads = new Map<string, FoundHead>()
  for (const { laneKey, ...row } of rows) {
    const head = headOf(row)
    if (head !== null) heads.set(laneKey, head)
  }
  return heads
}
