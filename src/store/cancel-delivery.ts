import { sql } from 'kysely'
import type { Decision } from '../contract/decision.js'
import type { PlatformName } from '../contract/run.js'
import type { OperatorReason } from '../deliver/operator-reason.js'
import { whyOf } from '../deliver/receipt.js'
import { LastwordError } from '../errors.js'
import type { Database } from './database.js'
import type { DeliveryState } from './tables.js'

const REASON: OperatorReason = 'cancelled_by_operator'

interface OpenDelivery {
  readonly id: string
  readonly laneKey: string
  readonly installationId: string
  readonly runId: string
  readonly attempt: number
  readonly platform: PlatformName
  readonly producer: string | null
  readonly conversationKey: string
  readonly conversationId: string | null
  readonly state: DeliveryState
  readonly decision: Decision | null
  readonly surface: string | null
  readonly locale: string | null
  readonly localeFrom: string | null
  readonly unknownCount: number
  readonly acceptedAt: Date
  readonly isFirst: boolean
  readonly isInFlight: boolean
}

/** A delivery that was just cancelled, for metrics and logs. */
export interface Cancelled {
  readonly deliveryId: string
  readonly runId: string
  readonly platform: PlatformName
  readonly reason: OperatorReason
  readonly acceptedAtMs: number
}

/**
 * Ends an open delivery as dropped, with its receipt, in one transaction. What of it stands in the chat already stays.
 *
 * The lane's row is locked first, as every write of a worker does. A delivery that a worker may have in hand is taken
 * from it by a new epoch: whatever the worker was about to do is refused.
 *
 * @throws {LastwordError} `not_found`; `not_replayable` when it has ended, or when a call for it is under way and
 * nobody knows yet whether it will be seen
 */
export async function cancelDelivery(db: Database, id: string, nowMs: number): Promise<Cancelled> {
  return db.transaction().execute(async (tx) => {
    const { rows: lanes } = await sql`
      select l.key from lanes l
       where l.key = (select lane_key from deliveries where id = ${id}) for no key update`.execute(tx)
    const delivery = lanes.length === 0 ? undefined : await readOpen(tx, id)
    if (delivery === undefined)
      throw new LastwordError('not_found', `there is no delivery ${JSON.stringify(id)}`)
    if (delivery.state === 'dropped' || isEnded(delivery.state))
      throw notCancellable('one that has not ended')
    if (delivery.isInFlight) throw notCancellable('one with no call under way; try again in a moment')
    const settledAt = new Date(nowMs)
    await tx
      .updateTable('deliveries')
      .set({ state: 'dropped', reason: REASON, settled_at: settledAt })
      .where('id', '=', id)
      .execute()
    if (delivery.isFirst) {
      await tx
        .updateTable('lanes')
        .set({ owner: null, epoch: sql<number>`epoch + 1`, ready_at: sql<Date>`now()` })
        .where('key', '=', delivery.laneKey)
        .execute()
    }
    await tx
      .insertInto('receipts')
      .values({
        kind: 'delivery.dropped',
        delivery_id: id,
        installation_id: delivery.installationId,
        producer: delivery.producer,
        body: JSON.stringify(await receiptBody(tx, delivery, settledAt)),
      })
      .execute()
    return {
      deliveryId: id,
      runId: delivery.runId,
      platform: delivery.platform,
      reason: REASON,
      acceptedAtMs: delivery.acceptedAt.getTime(),
    }
  })
}

async function readOpen(tx: Database, id: string): Promise<OpenDelivery | undefined> {
  const { rows } = await sql<OpenDelivery>`
    select d.id, d.lane_key as "laneKey", d.installation_id as "installationId", d.run_id as "runId", d.attempt,
           i.platform, d.producer, d.conversation_key as "conversationKey", d.conversation_id as "conversationId",
           d.state, d.decision, d.surface, d.locale, d.locale_from as "localeFrom",
           d.unknown_count as "unknownCount", d.accepted_at as "acceptedAt",
           not exists (select 1 from deliveries o where o.lane_key = d.lane_key and o.settled_at is null
                         and o.seq < d.seq) as "isFirst",
           exists (select 1 from parts p where p.delivery_id = d.id
                      and p.state in ('sending', 'unknown')) as "isInFlight"
      from deliveries d join installations i on i.id = d.installation_id where d.id = ${id}`.execute(tx)
  return rows[0]
}

function isEnded(state: DeliveryState): boolean {
  return state === 'delivered' || state === 'dead' || state === 'expired'
}

function notCancellable(expected: string): LastwordError {
  return new LastwordError('not_replayable', undefined, { faults: [{ path: '/id', expected }] })
}

/** The same shape as the receipt of a worker; ids, codes and times. */
async function receiptBody(tx: Database, delivery: OpenDelivery, settledAt: Date): Promise<unknown> {
  const { rows: parts } = await sql`
    select index, state, message_id as "messageId", attempt as attempts, part->>'rung' as rung,
           replaces is not null as edited
      from parts where delivery_id = ${delivery.id} order by index`.execute(tx)
  return {
    deliveryId: delivery.id,
    runId: delivery.runId,
    attempt: delivery.attempt,
    producer: delivery.producer,
    platform: delivery.platform,
    conversation: delivery.conversationKey,
    conversationId: delivery.conversationId,
    state: 'dropped',
    reason: REASON,
    decision: delivery.decision?.kind ?? null,
    why: whyOf(delivery.decision),
    silence: null,
    surface: delivery.surface,
    locale: delivery.locale,
    localeFrom: delivery.localeFrom,
    notes: null,
    parts,
    unknown: delivery.unknownCount,
    acceptedAt: delivery.acceptedAt.toISOString(),
    settledAt: settledAt.toISOString(),
  }
}
