import { sql } from 'kysely'
import { LastwordError } from '../errors.js'
import { eventId, type OutgoingEvent } from '../receipts/event.js'
import type { Database } from './database.js'
import type { InstallationScope } from './webhook-endpoints.js'
import { SETTLED_RECEIPTS } from './webhook-messages.js'

/** A page of events, oldest first, and where the next one begins. */
export interface ReceiptPage {
  readonly events: readonly (OutgoingEvent & { readonly deliveryId: string | null })[]
  /** Pass as `after`; the same as was given when there is nothing new. Null only before the first event. */
  readonly next: string | null
  /** More is there already. */
  readonly hasMore: boolean
}

interface Row {
  readonly id: number
  readonly transactionId: string
  readonly kind: string
  readonly body: Record<string, unknown>
  readonly createdAt: Date
  readonly deliveryId: string | null
}

/**
 * Events after a cursor, in an order that no later commit can get in front of: by transaction, and only those whose
 * transaction is older than every one that still runs.
 *
 * @throws {LastwordError} `invalid_request` when the cursor is not one of ours
 */
export async function listReceipts(
  db: Database,
  scope: InstallationScope,
  page: { readonly after: string | null; readonly limit: number },
): Promise<ReceiptPage> {
  const { transactionId, id } = parseCursor(page.after)
  const columns = sql.raw('r.id, r.transaction_id, r.kind, r.body, r.created_at, r.delivery_id')
  const after = sql`(r.transaction_id, r.id) > (${transactionId}::xid8, ${id}::bigint) and ${SETTLED_RECEIPTS}`
  const limit = page.limit + 1
  // One probe an installation, so that a key that sees little does not read what others wrote.
  const source =
    scope === null
      ? sql`(select ${columns} from receipts r where ${after} order by r.transaction_id, r.id limit ${limit})`
      : sql`(select r.* from unnest(${[...scope]}::text[]) as mine (installation_id) cross join lateral (
               select ${columns} from receipts r where r.installation_id = mine.installation_id and ${after}
                order by r.transaction_id, r.id limit ${limit}) r)`
  const { rows } = await sql<Row>`
    select r.id, r.transaction_id::text as "transactionId", r.kind, r.body, r.created_at as "createdAt",
           r.delivery_id as "deliveryId"
      from ${source} r order by r.transaction_id, r.id limit ${limit}`.execute(db)
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return {
    events: shown.map((row) => ({
      id: eventId(row.id),
      type: row.kind,
      timestamp: row.createdAt.toISOString(),
      deliveryId: row.deliveryId,
      data: row.body,
    })),
    next: last === undefined ? page.after : `${last.transactionId}-${last.id}`,
    hasMore: rows.length > page.limit,
  }
}

function parseCursor(cursor: string | null): { readonly transactionId: string; readonly id: string } {
  if (cursor === null) return { transactionId: '0', id: '0' }
  const [, transactionId, id] = /^(\d{1,18})-(\d{1,15})$/.exec(cursor) ?? []
  if (transactionId === undefined || id === undefined) {
    throw new LastwordError('invalid_request', undefined, {
      faults: [{ path: '/after', expected: 'a cursor that `next` of an earlier page gave' }],
    })
  }
  return { transactionId, id }
}
