import { sql } from 'kysely'
import { eventId } from '../receipts/event.js'
import type { MessageEnd, Outbox, OwedMessage } from '../receipts/outbox.js'
import type { Database } from './database.js'
import type { Sealer } from './sealing.js'
import { placeOfWebhook } from './webhook-endpoints.js'

/** Events looked at for one endpoint in one go. */
const FAN_OUT = 500

/** A claimed message whose process died is sent again after this, in ms; longer than any call may take. */
const CLAIM_MS = 60_000

/** Messages of one endpoint in one claim; a failing one is probed. */
const PER_ENDPOINT = { healthy: 16, failing: 1 } as const

/** Only what is wholly committed: a cursor that has passed a row can never have left a later commit behind. */
export const SETTLED_RECEIPTS = sql.raw('r.transaction_id < pg_snapshot_xmin(pg_current_snapshot())')

const at = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`

/** Messages to webhook endpoints as the sender claims and settles them. */
export function webhookOutbox(db: Database, sealer: Pick<Sealer, 'open'>): Outbox {
  return {
    fanOut: (nowMs) => fanOut(db, nowMs),
    async claim(options) {
      const rows = await claimRows(db, options)
      return Promise.all(rows.map((row) => openMessage(sealer, row)))
    },
    settle: (workerId, message, end, nowMs) => settle(db, workerId, message, end, nowMs),
    disable: (endpointId, code, nowMs) => disable(db, endpointId, code, nowMs),
  }
}

async function fanOut(db: Database, nowMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with e as materialized (
      select * from webhook_endpoints where state = 'active' order by id for update skip locked
    ),
    batch as materialized (
      select e.id as endpoint_id, r.id as receipt_id, r.transaction_id,
             (e.kinds is null or r.kind = any (e.kinds))
             and (e.installation_ids is null or r.installation_id = any (e.installation_ids)) as is_wanted
        from e cross join lateral (
          select id, transaction_id, kind, installation_id from receipts r
           where (r.transaction_id, r.id) > (e.cursor_transaction, e.cursor_id) and ${SETTLED_RECEIPTS}
           order by r.transaction_id, r.id limit ${FAN_OUT}) r
    ),
    moved as (
      update webhook_endpoints w set cursor_transaction = b.transaction_id, cursor_id = b.receipt_id
        from (select distinct on (endpoint_id) * from batch
               order by endpoint_id, transaction_id desc, receipt_id desc) b
       where w.id = b.endpoint_id
    ),
    owed as (
      insert into webhook_messages (endpoint_id, receipt_id, due_at)
      select endpoint_id, receipt_id, ${at(nowMs)} from batch where is_wanted
       order by transaction_id, receipt_id
      on conflict (endpoint_id, receipt_id) do nothing
    )
    select count(*)::int as count from batch`.execute(db)
  return rows[0]?.count ?? 0
}

interface ClaimedRow {
  readonly id: number
  readonly endpointId: string
  readonly attempt: number
  readonly url: string
  readonly secret: string
  readonly mayBePrivate: boolean
  readonly failingSince: Date | null
  readonly receiptId: number
  readonly kind: string
  readonly body: Record<string, unknown>
  readonly createdAt: Date
  readonly deliveryId: string | null
}

async function claimRows(
  db: Database,
  { workerId, nowMs, limit, busyEndpoints }: Parameters<Outbox['claim']>[0],
): Promise<readonly ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`
    with due as materialized (
      select m.id from webhook_endpoints e
       cross join lateral (
         select id, due_at from webhook_messages
          where endpoint_id = e.id and state = 'pending' and due_at <= ${at(nowMs)}
            and (claimed_until is null or claimed_until < ${at(nowMs)})
          order by due_at
          limit case when e.failing_since is null then ${PER_ENDPOINT.healthy}::int else ${PER_ENDPOINT.failing}::int end
            for update skip locked) m
       where e.state = 'active' and (e.not_before is null or e.not_before <= ${at(nowMs)})
         and e.id <> all (${[...busyEndpoints]}::text[])
       order by m.due_at limit ${limit}
    ),
    claimed as (
      update webhook_messages m
         set claimed_by = ${workerId}, claimed_until = ${at(nowMs + CLAIM_MS)}
        from due where m.id = due.id
      returning m.*
    )
    select c.id, c.endpoint_id as "endpointId", c.attempts + 1 as attempt, e.url, e.secret,
           e.may_be_private as "mayBePrivate", e.failing_since as "failingSince", r.id as "receiptId", r.kind, r.body,
           r.created_at as "createdAt", r.delivery_id as "deliveryId"
      from claimed c join webhook_endpoints e on e.id = c.endpoint_id join receipts r on r.id = c.receipt_id
     order by c.id`.execute(db)
  return rows
}

async function openMessage(sealer: Pick<Sealer, 'open'>, row: ClaimedRow): Promise<OwedMessage> {
  const secret = await sealer.open(row.secret, placeOfWebhook(row.endpointId)).catch(() => null)
  return {
    id: row.id,
    endpointId: row.endpointId,
    attempt: row.attempt,
    target: secret === null ? null : { url: row.url, secret, mayBePrivate: row.mayBePrivate },
    event: {
      id: eventId(row.receiptId),
      type: row.kind,
      timestamp: row.createdAt.toISOString(),
      data: row.body,
    },
    deliveryId: row.deliveryId,
    failingSinceMs: row.failingSince?.getTime() ?? null,
  }
}

async function settle(
  db: Database,
  workerId: string,
  message: OwedMessage,
  end: MessageEnd,
  nowMs: number,
): Promise<void> {
  const isOver = end.kind !== 'again'
  const state = { sent: 'sent', again: 'pending', given_up: 'failed' }[end.kind]
  const mine = sql`m.id = ${message.id} and m.claimed_by = ${workerId} and m.attempts = ${message.attempt - 1}`
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      update webhook_messages m
         set state = ${state}, attempts = ${message.attempt}, code = ${end.code}, claimed_by = null,
             claimed_until = null, due_at = ${at(end.kind === 'again' ? end.dueAtMs : nowMs)},
             ended_at = ${isOver ? at(nowMs) : null}
       where ${mine}`.execute(tx)
    if (numAffectedRows === 0n) return
    await (end.kind === 'sent'
      ? succeeded(tx, message.endpointId, nowMs)
      : failed(tx, message.endpointId, end.notBeforeMs, nowMs))
  })
}

/** The endpoint's row is written once a minute while all is well. One that came back gets what waits, spread out. */
async function succeeded(tx: Database, endpointId: string, nowMs: number): Promise<void> {
  await sql`
    with back as (
      update webhook_endpoints
         set failing_since = null, not_before = null, last_success_at = ${at(nowMs)}
       where id = ${endpointId}
         and (failing_since is not null or last_success_at is null
              or last_success_at < ${at(nowMs - 60_000)})
      returning id, (select failing_since from webhook_endpoints w where w.id = ${endpointId}) as was_failing_since
    )
    update webhook_messages m
       set due_at = least(m.due_at, ${at(nowMs)} + random() * interval '30 seconds')
      from back
     where m.endpoint_id = back.id and back.was_failing_since is not null and m.state = 'pending'`.execute(tx)
}

async function failed(tx: Database, endpointId: string, notBeforeMs: number, nowMs: number): Promise<void> {
  await sql`
    update webhook_endpoints
       set failing_since = coalesce(failing_since, ${at(nowMs)}), not_before = ${at(notBeforeMs)}
     where id = ${endpointId}`.execute(tx)
}

async function disable(db: Database, endpointId: string, code: string, nowMs: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('webhook_endpoints')
      .set({ state: 'disabled', state_code: code, state_at: sql<Date>`${at(nowMs)}` })
      .where('id', '=', endpointId)
      .where('state', '=', 'active')
      .returning(['failing_since', 'installation_ids'])
      .executeTakeFirst()
    if (row === undefined) return false
    const body = { endpointId, code, failingSince: row.failing_since?.toISOString() ?? null }
    await tx
      .insertInto('receipts')
      .values({ kind: 'endpoint.disabled', body: JSON.stringify(body) })
      .execute()
    return true
  })
}
