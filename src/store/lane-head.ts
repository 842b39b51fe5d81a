import { sql } from 'kysely'
import type { Head, LaneClaim, OpenState, StoredPart } from '../deliver/ledger.js'
import type { Database } from './database.js'

type HeadRow = Omit<Head, 'conversation' | 'parts'> & {
  readonly laneKey: string
  readonly parts: readonly StoredPart[] | null
  readonly memory: Head['conversation']
  readonly state: OpenState
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/**
 * The first unsettled delivery of each lane, oldest first, with its parts and what is remembered of its conversation.
 * Lanes without one are absent from the answer.
 */
export async function readHeads(
  db: Database,
  lanes: readonly LaneClaim[],
): Promise<ReadonlyMap<string, Head>> {
  const { rows } = await sql<HeadRow>`
    select d.lane_key as "laneKey", d.id, d.seq, d.run, d.state, d.conversation_key as "conversationKey", d.decision,
           d.cause_key as "causeKey", d.surface, d.locale, d.locale_from as "localeFrom",
           d.conversation_id as "conversationId", d.anchor, d.in_topic as "inTopic", d.notes, d.notice_finding as "noticeFinding", d.tries,
           d.unknown_count as "unknownCount", d.producer,
           ${ms('d.accepted_at')} as "acceptedAtMs", ${ms('d.expires_at')} as "expiresAtMs",
           case when d.state = 'accepted' then null else (
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
                      and u.attempt > d.attempt) as "hasLaterAttempt"
      from unnest(${lanes.map((lane) => lane.key)}::text[]) as claimed (key)
      cross join lateral (
        select * from deliveries
         where lane_key = claimed.key and settled_at is null
         order by seq limit 1) d
      left join conversations c
        on c.installation_id = d.installation_id
       and c.conversation_id = coalesce(d.conversation_id, d.run #>> '{conversation,place,id}')`.execute(db)
  return new Map(
    rows.map(({ laneKey, memory, parts, ...row }) => [
      laneKey,
      { ...row, parts: parts ?? [], conversation: memory },
    ]),
  )
}
