import { sql } from 'kysely'
import type { Database } from './database.js'
import type { DeliveryState } from './tables.js'

/** One delivery as lists show it. Never text. */
export interface DeliveryRow {
  readonly id: string
  readonly seq: number
  readonly runId: string
  readonly attempt: number
  readonly installationId: string
  readonly conversationKey: string
  readonly state: DeliveryState
  readonly reason: string | null
  readonly decision: string | null
  readonly surface: string | null
  readonly locale: string | null
  readonly localeFrom: string | null
  readonly partCount: number
  readonly sentCount: number
  readonly acceptedAt: string
  readonly settledAt: string | null
  readonly expiresAt: string
}

/** How far the clock of a process that accepts may be from the one of another, in ms. */
const CLOCK_SLACK_MS = 600_000

export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly reason?: string | undefined
  readonly runId?: string | undefined
  readonly installationId?: string | undefined
  readonly conversationKey?: string | undefined
  readonly sinceMs?: number | undefined
  /** Installations the reader may see; absent: all. */
  readonly installationIds?: readonly string[] | undefined
}

/** Where a delivery ends; all other states are open. */
const END_STATES: ReadonlySet<DeliveryState> = new Set(['delivered', 'dropped', 'dead', 'expired'])

/** A page of deliveries, newest first. Keyset: the cost does not depend on how far one has paged. */
export async function listDeliveries(
  db: Database,
  filter: DeliveryFilter,
  page: { readonly limit: number; readonly beforeSeq?: number | undefined },
): Promise<readonly DeliveryRow[]> {
  if (filter.installationIds?.length === 0) return []
  let query = deliveryRows(db).orderBy('d.seq', 'desc').limit(page.limit)
  if (page.beforeSeq !== undefined) query = query.where('d.seq', '<', page.beforeSeq)
  if (filter.state !== undefined) {
    query = END_STATES.has(filter.state)
      ? query.where('d.end_state', '=', filter.state)
      : query.where('d.settled_at', 'is', null).where('d.state', '=', filter.state)
  }
  if (filter.reason !== undefined) query = query.where('d.reason', '=', filter.reason)
  if (filter.runId !== undefined) query = query.where('d.run_id', '=', filter.runId)
  if (filter.installationId !== undefined)
    query = query.where('d.installation_id', '=', filter.installationId)
  if (filter.conversationKey !== undefined)
    query = query.where('d.conversation_key', '=', filter.conversationKey)
  if (filter.sinceMs !== undefined) {
    query = query
      .where('d.accepted_at', '>=', new Date(filter.sinceMs))
      .where(
        'd.seq',
        '>=',
        sql<number>`(select seq from deliveries where id >= ${firstIdSince(filter.sinceMs)} order by id limit 1)`,
      )
  }
  if (filter.installationIds !== undefined)
    query = query.where('d.installation_id', 'in', [...filter.installationIds])
  return (await query.execute()).map(rowOf)
}

/** Ids begin with the time of acceptance: where to stop reading, without an index on that time. */
function firstIdSince(sinceMs: number): string {
  return firstIdAt(sinceMs - CLOCK_SLACK_MS)
}

/** The least id of a delivery accepted at this moment, by the clock of the process that took it in. */
export function firstIdAt(atMs: number): string {
  return `dlv_${Math.max(0, Math.floor(atMs)).toString(16).padStart(12, '0')}`
}

function deliveryRows(db: Database) {
  return db
    .selectFrom('deliveries as d')
    .select([
      'd.id',
      'd.seq',
      'd.run_id as runId',
      'd.attempt',
      'd.installation_id as installationId',
      'd.conversation_key as conversationKey',
      'd.state',
      'd.reason',
      sql<string | null>`d.decision->>'kind'`.as('decision'),
      'd.surface',
      'd.locale',
      'd.locale_from as localeFrom',
      sql<number>`(select count(*) from parts p where p.delivery_id = d.id)::int`.as('partCount'),
      sql<number>`(select count(*) from parts p where p.delivery_id = d.id and p.state = 'sent')::int`.as(
        'sentCount',
      ),
      'd.accepted_at',
      'd.settled_at',
      'd.expires_at',
    ])
}

type SelectedRow = Awaited<ReturnType<ReturnType<typeof deliveryRows>['executeTakeFirstOrThrow']>>

function rowOf({ accepted_at, settled_at, expires_at, ...row }: SelectedRow): DeliveryRow {
  return {
    ...row,
    acceptedAt: accepted_at.toISOString(),
    settledAt: settled_at?.toISOString() ?? null,
    expiresAt: expires_at.toISOString(),
  }
}

/** One part of a delivery's story. */
export interface PartRow {
  readonly index: number
  readonly rendering: number
  readonly kind: string
  readonly rung: string
  readonly state: string
  readonly attempt: number
  readonly messageId: string | null
  readonly permalink: string | null
  readonly sentAt: string | null
  readonly edits: boolean
}

export interface AttemptRow {
  readonly partIndex: number
  readonly number: number
  readonly rendering: number
  readonly method: string
  readonly startedAt: string
  readonly endedAt: string
  readonly outcome: string
  readonly code: string | null
  readonly waitMs: number | null
  readonly vendorLogId: string | null
}

export interface DeliveryStory extends DeliveryRow {
  readonly parts: readonly PartRow[]
  readonly attempts: readonly AttemptRow[]
}

/** One delivery with its parts and attempts, or null. Never text. */
export async function showDelivery(db: Database, id: string): Promise<DeliveryStory | null> {
  const found = await deliveryRows(db).where('d.id', '=', id).executeTakeFirst()
  if (found === undefined) return null
  const row = rowOf(found)
  const parts = await db
    .selectFrom('parts')
    .select([
      'index',
      'rendering',
      sql<string>`part->>'kind'`.as('kind'),
      sql<string>`part->>'rung'`.as('rung'),
      'state',
      'attempt',
      'message_id as messageId',
      'permalink',
      'sent_at',
      sql<boolean>`replaces is not null`.as('edits'),
    ])
    .where('delivery_id', '=', id)
    .orderBy('index')
    .execute()
  const attempts = await db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', id)
    .orderBy('id')
    .execute()
  return {
    ...row,
    parts: parts.map(({ sent_at, ...part }) => ({ ...part, sentAt: sent_at?.toISOString() ?? null })),
    attempts: attempts.map((attempt) => ({
      partIndex: attempt.part_index,
      number: attempt.number,
      rendering: attempt.rendering,
      method: attempt.method,
      startedAt: attempt.started_at.toISOString(),
      endedAt: attempt.ended_at.toISOString(),
      outcome: attempt.outcome,
      code: attempt.code,
      waitMs: attempt.wait_ms,
      vendorLogId: attempt.vendor_log_id,
    })),
  }
}
