import { sql } from 'kysely'
import type { Decision } from '../contract/decision.js'
import { whyOf } from '../deliver/receipt.js'
import type { Part } from '../render/part.js'
import type { Database } from './database.js'
import { type DeliveryStory, showDelivery } from './delivery-list.js'

/** Calls and receipts of one delivery shown at most; the newest are kept. */
export const JOURNAL_LIMIT = 200

/** A frozen part, for the preview of what a reader saw. Holds text: for the console alone. */
export interface FrozenPart {
  readonly index: number
  readonly part: Part
}

/** An event that producers were told of, and what became of it at their endpoints. */
export interface ToldEvent {
  readonly id: number
  readonly kind: string
  readonly atMs: number
  readonly messages: readonly ToldMessage[]
}

export interface ToldMessage {
  readonly endpointId: string
  readonly state: 'pending' | 'sent' | 'failed'
  readonly attempts: number
  readonly code: string | null
  /** When it ended, or is due next. */
  readonly atMs: number
}

export interface PressedButton {
  readonly button: string
  readonly person: string
  readonly atMs: number
}

/** One delivery with everything the ledger knows of it. */
export interface ConsoleStory extends DeliveryStory {
  readonly platform: 'slack' | 'lark'
  readonly installationName: string | null
  readonly producer: string | null
  readonly trigger: string | null
  readonly requester: string | null
  readonly status: string | null
  readonly stopReason: string | null
  readonly runUrl: string | null
  /** The detail of the decision: which notice, which cause, which reason to drop. */
  readonly why: string | null
  readonly silence: string | null
  readonly noticeId: string | null
  readonly noticeFinding: string | null
  readonly conversationId: string | null
  readonly unknownCount: number
  readonly maskedSecrets: number
  readonly neutralisedMentions: number
  readonly plannedAt: string | null
  readonly frozen: readonly FrozenPart[]
  readonly told: readonly ToldEvent[]
  readonly presses: readonly PressedButton[]
  /** Calls before the ones in `attempts` that are not shown. */
  readonly isJournalCut: boolean
}

interface FactRow {
  readonly platform: 'slack' | 'lark'
  readonly installationName: string | null
  readonly producer: string | null
  readonly trigger: string | null
  readonly requester: string | null
  readonly status: string | null
  readonly stopReason: string | null
  readonly runUrl: string | null
  readonly decision: Decision | null
  readonly noticeId: string | null
  readonly noticeFinding: string | null
  readonly conversationId: string | null
  readonly unknownCount: number
  readonly notes: { readonly maskedSecrets: number; readonly neutralisedMentions: number } | null
  readonly plannedAt: Date | null
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** The whole story of one delivery, or null. */
export async function readConsoleStory(db: Database, id: string): Promise<ConsoleStory | null> {
  const [story, facts, frozen, told, presses] = await Promise.all([
    showDelivery(db, id),
    readFacts(db, id),
    db.selectFrom('parts').select(['index', 'part']).where('delivery_id', '=', id).orderBy('index').execute(),
    readTold(db, id),
    readPresses(db, id),
  ])
  if (story === null || facts === null) return null
  const { decision, notes, plannedAt, ...rest } = facts
  return {
    ...story,
    ...rest,
    why: whyOf(decision),
    silence: decision !== null && 'silence' in decision ? decision.silence : null,
    maskedSecrets: notes?.maskedSecrets ?? 0,
    neutralisedMentions: notes?.neutralisedMentions ?? 0,
    plannedAt: plannedAt?.toISOString() ?? null,
    frozen,
    told,
    presses,
    attempts: story.attempts.slice(-JOURNAL_LIMIT),
    isJournalCut: story.attempts.length > JOURNAL_LIMIT,
  }
}

async function readFacts(db: Database, id: string): Promise<FactRow | null> {
  const { rows } = await sql<FactRow>`
    select i.platform, i.name as "installationName", d.producer, d.run #>> '{trigger,kind}' as trigger,
           d.run #>> '{trigger,requester}' as requester, d.run #>> '{outcome,status}' as status,
           d.run #>> '{outcome,stopReason}' as "stopReason", d.run->>'runUrl' as "runUrl", d.decision,
           d.notice_id as "noticeId", d.notice_finding as "noticeFinding", d.conversation_id as "conversationId",
           d.unknown_count as "unknownCount", d.notes, d.planned_at as "plannedAt"
      from deliveries d join installations i on i.id = d.installation_id where d.id = ${id}`.execute(db)
  return rows[0] ?? null
}

async function readTold(db: Database, id: string): Promise<readonly ToldEvent[]> {
  const { rows } = await sql<ToldEvent>`
    select r.id, r.kind, ${ms('r.created_at')} as "atMs",
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'endpointId', m.endpoint_id, 'state', m.state, 'attempts', m.attempts, 'code', m.code,
                     'atMs', ${ms('coalesce(m.ended_at, m.due_at)')}) order by m.id), '[]')
              from webhook_messages m where m.receipt_id = r.id) as messages
      from receipts r where r.delivery_id = ${id} order by r.id desc limit ${JOURNAL_LIMIT}`.execute(db)
  return [...rows].reverse()
}

async function readPresses(db: Database, id: string): Promise<readonly PressedButton[]> {
  const { rows } = await sql<PressedButton>`
    select button, person, ${ms('pressed_at')} as "atMs" from button_presses
     where delivery_id = ${id} order by pressed_at limit ${JOURNAL_LIMIT}`.execute(db)
  return rows
}
