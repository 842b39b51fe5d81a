import { sql } from 'kysely'
import type { DeliveryPatch, LaneWrite, WriteResult } from '../deliver/ledger.js'
import type { Database } from './database.js'

/** Patch fields to columns; `time` columns are given in ms. */
const COLUMNS: Readonly<
  Record<
    keyof DeliveryPatch,
    { readonly column: string; readonly type: 'text' | 'int' | 'bool' | 'json' | 'time' }
  >
> = {
  state: { column: 'state', type: 'text' },
  reason: { column: 'reason', type: 'text' },
  decision: { column: 'decision', type: 'json' },
  causeKey: { column: 'cause_key', type: 'text' },
  surface: { column: 'surface', type: 'text' },
  locale: { column: 'locale', type: 'text' },
  localeFrom: { column: 'locale_from', type: 'text' },
  conversationId: { column: 'conversation_id', type: 'text' },
  anchor: { column: 'anchor', type: 'text' },
  inTopic: { column: 'in_topic', type: 'bool' },
  notes: { column: 'notes', type: 'json' },
  noticeFinding: { column: 'notice_finding', type: 'text' },
  tries: { column: 'tries', type: 'int' },
  unknownCount: { column: 'unknown_count', type: 'int' },
  plannedAtMs: { column: 'planned_at', type: 'time' },
  settledAtMs: { column: 'settled_at', type: 'time' },
}

const READ = { text: '->>', int: '->>', bool: '->>', time: '->>', json: '->' } as const
const CAST = { text: '', int: '::int', bool: '::bool', json: '', time: '::float8' } as const

/** `set` list of the delivery update: a field the patch does not name keeps its value, an explicit null clears it. */
const PATCH_SET = Object.entries(COLUMNS)
  .map(([field, { column, type }]) => {
    const raw = `(f.w->'patch'${READ[type]}'${field}')${CAST[type]}`
    const value = type === 'time' ? `to_timestamp(${raw} / 1000)` : raw
    return `${column} = case when f.w->'patch' ? '${field}' then ${value} else d.${column} end`
  })
  .join(', ')

/**
 * Applies one write for each of many lanes in one statement and one commit. A lane whose epoch or owner has changed
 * is left alone, as is a part that another epoch took meanwhile: both answer `lost`.
 */
export async function writeLanes(
  db: Database,
  workerId: string,
  writes: readonly LaneWrite[],
): Promise<readonly WriteResult[]> {
  const { rows } = await sql<{ key: string; isReleased: boolean }>`
    with input as (
      select w, w->'lane'->>'key' as key, (w->'lane'->>'epoch')::bigint as epoch, w->>'deliveryId' as delivery_id
        from jsonb_array_elements(${JSON.stringify(writes)}::jsonb) as w
    ),
    f as materialized (
      -- Locked, so that nobody takes the lane between this look and the commit; in the order of keys, as acceptance
      -- locks them, so that the two never wait for each other in a circle.
      select i.* from input i join lanes l on l.key = i.key and l.epoch = i.epoch and l.owner = ${workerId}
       order by l.key for no key update of l
    ),
    patched as (
      update deliveries d set ${sql.raw(PATCH_SET)}
        from f where d.id = f.delivery_id and f.w ? 'patch' and d.settled_at is null
      returning d.id, d.conversation_key, d.notice_id, d.settled_at, d.reason,
                case when d.notice_id is not null then d.run #>> '{outcome,status}' end as run_status
    ),
    spent as (
      -- The first settled reply to a notice spends it; an attempt that its producer will retry is none.
      update notices n
         set state = case p.run_status when 'completed' then 'completed' when 'aborted' then 'cancelled' else 'failed' end,
             spent_by = p.id, spent_at = p.settled_at
        from patched p
       where p.notice_id is not null and p.settled_at is not null and p.reason is distinct from 'retry_pending'
         and n.id = p.notice_id and n.conversation_key = p.conversation_key and n.state in ('queued', 'running')
    ),
    given_parts as (
      select f.key, f.delivery_id, f.epoch, p.* from f
        cross join lateral jsonb_to_recordset(f.w->'parts') as p (
          index int, rendering int, part jsonb, replaces text, state text, attempt int,
          "firstAttemptAtMs" float8, "attemptAtMs" float8, "messageId" text)
       where f.w ? 'parts'
    ),
    written_parts as (
      insert into parts (delivery_id, index, rendering, part, replaces, state, attempt, epoch,
                         first_attempt_at, attempt_at, sent_at, message_id)
      select delivery_id, index, rendering, part, replaces, state, attempt, epoch,
             to_timestamp("firstAttemptAtMs" / 1000), to_timestamp("attemptAtMs" / 1000),
             case when state = 'sent' then now() end, "messageId"
        from given_parts
      on conflict (delivery_id, index) do update
         set rendering = excluded.rendering, part = excluded.part, replaces = excluded.replaces, state = excluded.state,
             attempt = excluded.attempt, epoch = excluded.epoch, first_attempt_at = excluded.first_attempt_at,
             attempt_at = excluded.attempt_at, sent_at = coalesce(excluded.sent_at, parts.sent_at),
             message_id = excluded.message_id
       where parts.attempt < excluded.attempt or (parts.attempt = excluded.attempt and parts.epoch <= excluded.epoch)
      returning delivery_id, index
    ),
    journal as (
      insert into attempts (delivery_id, part_index, number, rendering, method, started_at, ended_at, outcome, code,
                            wait_ms, vendor_log_id, worker)
      select f.delivery_id, a."partIndex", a.number, a.rendering, a.method, to_timestamp(a."startedAtMs" / 1000),
             to_timestamp(a."endedAtMs" / 1000), a.outcome, a.code, a."waitMs", a."vendorLogId", ${workerId}
        from f cross join lateral jsonb_to_record(f.w->'attempt') as a (
          "partIndex" int, number int, rendering int, method text, "startedAtMs" float8, "endedAtMs" float8,
          outcome text, code text, "waitMs" int, "vendorLogId" text)
       where f.w ? 'attempt'
    ),
    told as (
      insert into receipts (kind, delivery_id, installation_id, producer, body)
      select f.w->'receipt'->>'kind', f.delivery_id, f.w->'lane'->>'installationId',
             f.w->'receipt'->'body'->>'producer', f.w->'receipt'->'body'
        from f where f.w ? 'receipt'
    ),
    released as (
      update lanes l
         set owner = null,
             ready_at = coalesce(to_timestamp((f.w->'release'->>'readyAtMs')::float8 / 1000), l.ready_at)
        from f
       where f.w ? 'release' and l.key = f.key and l.epoch = f.epoch
         and (f.w->'release'->>'kind' <> 'if_idle'
              or not exists (select 1 from deliveries o
                              where o.lane_key = f.key and o.settled_at is null and o.id <> f.delivery_id))
      returning l.key
    )
    select f.key, exists (select 1 from released r where r.key = f.key) as "isReleased" from f
     where (select count(*) from given_parts g where g.key = f.key)
         = (select count(*) from given_parts g join written_parts p on p.delivery_id = g.delivery_id and p.index = g.index
             where g.key = f.key)`.execute(db)
  const written = new Map(rows.map((row) => [row.key, row.isReleased]))
  return writes.map(({ lane }) => {
    const isReleased = written.get(lane.key)
    return isReleased === undefined ? 'lost' : isReleased ? 'released' : 'written'
  })
}
