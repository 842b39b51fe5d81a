import { sql } from 'kysely'
import type { DeliveryPatch, LaneWrite, StoredPart, WriteResult } from '../deliver/ledger.js'
import type { Database } from './database.js'

interface Column {
  readonly column: string
  readonly type: 'text' | 'int' | 'bool' | 'jsonb' | 'float8'
  /** A patch may empty it again. */
  readonly isNullable?: true
}

/** Patch fields to columns; `float8` ones are times in ms. */
const COLUMNS: Readonly<Record<keyof DeliveryPatch, Column>> = {
  state: { column: 'state', type: 'text' },
  reason: { column: 'reason', type: 'text', isNullable: true },
  decision: { column: 'decision', type: 'jsonb' },
  causeKey: { column: 'cause_key', type: 'text', isNullable: true },
  surface: { column: 'surface', type: 'text' },
  locale: { column: 'locale', type: 'text' },
  localeFrom: { column: 'locale_from', type: 'text' },
  conversationId: { column: 'conversation_id', type: 'text' },
  anchor: { column: 'anchor', type: 'text', isNullable: true },
  inTopic: { column: 'in_topic', type: 'bool' },
  notes: { column: 'notes', type: 'jsonb' },
  noticeFinding: { column: 'notice_finding', type: 'text', isNullable: true },
  tries: { column: 'tries', type: 'int' },
  unknownCount: { column: 'unknown_count', type: 'int' },
  plannedAtMs: { column: 'planned_at', type: 'float8' },
  settledAtMs: { column: 'settled_at', type: 'float8' },
}

const PATCH_FIELDS = Object.entries(COLUMNS)
  .map(([field, { type }]) => `"${field}" ${type}`)
  .join(', ')

/** `set` list of the delivery update: a field the patch does not name keeps its value, an explicit null clears it. */
const PATCH_SET = Object.entries(COLUMNS)
  .map(([field, { column, type, isNullable }]) => {
    const given = type === 'float8' ? `to_timestamp(f."${field}" / 1000)` : `f."${field}"`
    const kept = `coalesce(${given}, d.${column})`
    return `${column} = ${isNullable ? `case when '${field}' = any (f.cleared) then null else ${kept} end` : kept}`
  })
  .join(', ')

/** One write as the statement reads it: flat, since reaching into nested JSON copies it each time. */
function rowOf(
  { lane, deliveryId, patch, attempt, receipt, release }: LaneWrite,
  n: number,
  nowMs: number,
): object {
  return {
    ...attempt,
    ...patch,
    n,
    ...lane,
    deliveryId,
    isPatched: patch !== undefined,
    cleared:
      patch === undefined ? undefined : Object.entries(patch).flatMap(([k, v]) => (v === null ? k : [])),
    receiptKind: receipt?.kind,
    receiptBody: receipt?.body,
    releaseKind: release?.kind,
    // A wait, not a moment: whoever claims goes by the database's clock, which may not be ours.
    readyInMs: release?.kind === 'at' ? release.readyAtMs - nowMs : undefined,
  }
}

/** A part that is sent was stored before the call; its payload, which may be large, does not travel again. */
function partOf({ part, ...rest }: StoredPart, n: number): object {
  return rest.state === 'sent' ? { ...rest, n } : { ...rest, n, part }
}

/**
 * Applies one write for each of many lanes in one statement and one commit. A lane whose epoch or owner has changed
 * is left alone, as is a part that another epoch took meanwhile, and every lane of a worker that was declared dead: all
 * answer `lost`.
 *
 * `coalesce(settled_at is null, false)` is plain `settled_at is null` that no partial index answers: while there are
 * no statistics the planner would rather read all open deliveries than look up the few of this batch.
 */
export async function writeLanes(
  db: Database,
  workerId: string,
  writes: readonly LaneWrite[],
  nowMs: number,
): Promise<readonly WriteResult[]> {
  const parts = writes.flatMap((write, n) => (write.parts ?? []).map((part) => partOf(part, n)))
  const { rows } = await sql<{ n: number; isReleased: boolean }>`/* write lanes */
    with input as (
      select * from json_to_recordset(${JSON.stringify(writes.map((write, n) => rowOf(write, n, nowMs)))}::json) as w (
        n int, key text, epoch bigint, "installationId" text, "deliveryId" text,
        "isPatched" bool, cleared text[], ${sql.raw(PATCH_FIELDS)},
        "partIndex" int, number int, rendering int, method text, "startedAtMs" float8, "endedAtMs" float8,
        outcome text, code text, "waitMs" int, "vendorLogId" text,
        "receiptKind" text, "receiptBody" jsonb, "releaseKind" text, "readyInMs" float8)
    ),
    alive as materialized (
      -- Who was declared dead writes nothing, whether or not its lanes have been taken yet.
      select id from workers where id = ${workerId} for key share
    ),
    f as materialized (
      -- Locked, so that nobody takes the lane between this look and the commit; in the order of keys, as acceptance
      -- locks them, so that the two never wait for each other in a circle.
      select i.* from alive cross join input i
        join lanes l on l.key = i.key and l.epoch = i.epoch and l.owner = alive.id
       order by l.key for no key update of l
    ),
    patched as (
      update deliveries d set ${sql.raw(PATCH_SET)}
        from f
       where d.id = f."deliveryId" and f."isPatched" and coalesce(d.settled_at is null, false)
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
    given_parts as materialized (
      select f."deliveryId", f.epoch, p.*
        from json_to_recordset(${JSON.stringify(parts)}::json) as p (
          n int, index int, rendering int, part jsonb, replaces text, state text, attempt int,
          "firstAttemptAtMs" float8, "attemptAtMs" float8, "messageId" text)
        join f on f.n = p.n
    ),
    stored as (
      insert into parts (delivery_id, index, rendering, part, replaces, state, attempt, epoch,
                         first_attempt_at, attempt_at, message_id)
      select "deliveryId", index, rendering, part, replaces, state, attempt, epoch,
             to_timestamp("firstAttemptAtMs" / 1000), to_timestamp("attemptAtMs" / 1000), "messageId"
        from given_parts where state <> 'sent'
      on conflict (delivery_id, index) do update
         set rendering = excluded.rendering, part = excluded.part, replaces = excluded.replaces, state = excluded.state,
             attempt = excluded.attempt, epoch = excluded.epoch, first_attempt_at = excluded.first_attempt_at,
             attempt_at = excluded.attempt_at, message_id = excluded.message_id
       where parts.attempt < excluded.attempt or (parts.attempt = excluded.attempt and parts.epoch <= excluded.epoch)
      returning delivery_id, index
    ),
    sent as (
      update parts p
         set rendering = g.rendering, replaces = g.replaces, state = 'sent', attempt = g.attempt, epoch = g.epoch,
             sent_at = coalesce(p.sent_at, now()), message_id = g."messageId"
        from given_parts g
       where g.state = 'sent' and p.delivery_id = g."deliveryId" and p.index = g.index
         and (p.attempt < g.attempt or (p.attempt = g.attempt and p.epoch <= g.epoch))
      returning p.delivery_id, p.index
    ),
    taken as (
      select n from given_parts
       where ("deliveryId", index) not in (select delivery_id, index from stored union all
                                           select delivery_id, index from sent)
    ),
    journal as (
      insert into attempts (delivery_id, part_index, number, rendering, method, started_at, ended_at, outcome, code,
                            wait_ms, vendor_log_id, worker)
      select "deliveryId", "partIndex", number, rendering, method, to_timestamp("startedAtMs" / 1000),
             to_timestamp("endedAtMs" / 1000), outcome, code, "waitMs", "vendorLogId", ${workerId}
        from f where outcome is not null
    ),
    told as (
      insert into receipts (kind, delivery_id, installation_id, producer, body)
      select "receiptKind", "deliveryId", "installationId", "receiptBody"->>'producer', "receiptBody"
        from f where "receiptKind" is not null
    ),
    released as (
      update lanes l
         set owner = null,
             ready_at = coalesce(now() + f."readyInMs" * interval '1 millisecond', case when l.is_told then now() end)
        from f
       where f."releaseKind" is not null and l.key = f.key and l.epoch = f.epoch
         and (f."releaseKind" <> 'if_idle'
              or not exists (select 1 from deliveries o
                              where o.lane_key = f.key and o.settled_at is null and o.id <> f."deliveryId"))
      returning f.n
    )
    select n, n in (select n from released) as "isReleased" from f where n not in (select n from taken)`.execute(
    db,
  )
  const written = new Map(rows.map((row) => [row.n, row.isReleased]))
  return writes.map((_, n) => {
    const isReleased = written.get(n)
    return isReleased === undefined ? 'lost' : isReleased ? 'released' : 'written'
  })
}
