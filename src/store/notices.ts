import { sql } from 'kysely'
import type { NoticeRecord, NoticeState } from '../contract/silence/notice.js'
import type { Ledger } from '../deliver/ledger.js'
import { LastwordError } from '../errors.js'
import type { NewNotice, Notice, NoticeLedger } from '../intake/notices.js'
import type { Database } from './database.js'

/** States from which a notice may still change. */
const OPEN: readonly NoticeState[] = ['queued', 'running']

/** Completion notices as the worker reads them. What spends them is the write that settles a delivery. */
export function noticeReading(db: Database): Pick<Ledger, 'notice'> {
  return {
    async notice(noticeId) {
      const row = await db
        .selectFrom('notices')
        .select(['id', 'conversation_key', 'kind', 'content', 'reply_to', 'origin', 'state', 'spent_by'])
        .where('id', '=', noticeId)
        .executeTakeFirst()
      if (row === undefined) return null
      const record: NoticeRecord = {
        id: row.id,
        conversation: row.conversation_key,
        kind: row.kind,
        content: typeof row.content === 'string' ? row.content : JSON.stringify(row.content),
        replyTo: row.reply_to,
        source: sourceOf(row.origin),
        state: row.state,
      }
      return { record, spentBy: row.spent_by }
    },
  }
}

/** Completion notices as producers and operators keep them. */
export function noticeLedger(db: Database): NoticeLedger {
  return {
    add: (given) => addNotice(db, given),
    find: (id) => findNotice(db, id),
    cancel: (id) => cancelNotice(db, id),
  }
}

export interface NoticeFilter {
  readonly state?: NoticeState | undefined
  /** Installations the reader may see; absent: all. */
  readonly installationIds?: readonly string[] | undefined
}

/** The newest notices. */
export async function listNotices(
  db: Database,
  filter: NoticeFilter,
  limit: number,
): Promise<readonly Notice[]> {
  let query = selectNotices(db).orderBy('created_at', 'desc').orderBy('id').limit(limit)
  if (filter.state !== undefined) query = query.where('state', '=', filter.state)
  if (filter.installationIds !== undefined)
    query = query.where('installation_id', 'in', [...filter.installationIds])
  return (await query.execute()).map(shown)
}

async function addNotice(
  db: Database,
  given: NewNotice,
): Promise<{ readonly notice: Notice; readonly isNew: boolean }> {
  const inserted = await db
    .insertInto('notices')
    .values({
      id: given.noticeId,
      installation_id: given.installationId,
      conversation_key: given.conversationKey,
      conversation: JSON.stringify(given.conversation),
      kind: given.kind,
      content: JSON.stringify(given.content),
      origin: JSON.stringify(given.origin),
      reply_to: given.replyTo,
      producer: given.producer,
      body_hash: given.bodyHash,
      state: given.state ?? 'queued',
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  const isNew = (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
  const standing = await mustFind(db, given.noticeId)
  if (isNew) return { notice: standing, isNew }
  await mustBeSame(db, given)
  const isChange = given.state !== null && given.state !== standing.state
  return { notice: isChange ? await changeState(db, given.noticeId, given.state) : standing, isNew }
}

async function mustBeSame(db: Database, given: NewNotice): Promise<void> {
  const row = await db
    .selectFrom('notices')
    .select(['conversation_key', 'body_hash'])
    .where('id', '=', given.noticeId)
    .executeTakeFirstOrThrow()
  if (row.conversation_key !== given.conversationKey) {
    throw new LastwordError('notice_wrong_conversation', undefined, {
      faults: [{ path: '/conversation', expected: 'the one this notice was recorded for' }],
    })
  }
  if (row.body_hash !== given.bodyHash) {
    throw new LastwordError('notice_conflict', undefined, {
      faults: [{ path: '/noticeId', expected: 'a new id: this one stands with another body' }],
    })
  }
}

async function findNotice(db: Database, id: string): Promise<Notice | null> {
  const row = await selectNotices(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : shown(row)
}

async function mustFind(db: Database, id: string): Promise<Notice> {
  const notice = await findNotice(db, id)
  if (notice === null) throw new LastwordError('notice_not_found')
  return notice
}

/** Withdrawing twice is withdrawing. */
async function cancelNotice(db: Database, id: string): Promise<Notice> {
  const notice = await mustFind(db, id)
  return notice.state === 'cancelled' && notice.spentBy === null ? notice : changeState(db, id, 'cancelled')
}

async function changeState(db: Database, id: string, state: NoticeState): Promise<Notice> {
  const { numUpdatedRows } = await db
    .updateTable('notices')
    .set({ state, ...(OPEN.includes(state) ? {} : { spent_at: sql<Date>`now()` }) })
    .where('id', '=', id)
    .where('state', 'in', [...OPEN])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LastwordError('notice_not_queued')
  return mustFind(db, id)
}

function selectNotices(db: Database) {
  return db
    .selectFrom('notices')
    .select([
      'id',
      'installation_id',
      'conversation',
      'kind',
      'content',
      'origin',
      'reply_to',
      'producer',
      'state',
      'spent_by',
      'created_at',
      'spent_at',
    ])
}

type NoticeRow = Awaited<ReturnType<ReturnType<typeof selectNotices>['executeTakeFirstOrThrow']>>

function shown(row: NoticeRow): Notice {
  return {
    noticeId: row.id,
    installationId: row.installation_id,
    conversation: row.conversation,
    kind: row.kind,
    content: row.content,
    origin: row.origin,
    replyTo: row.reply_to,
    producer: row.producer,
    state: row.state,
    spentBy: row.spent_by,
    createdAt: row.created_at.toISOString(),
    endedAt: row.spent_at?.toISOString() ?? null,
  }
}

function sourceOf(origin: unknown): string | null {
  if (typeof origin !== 'object' || origin === null || !('source' in origin)) return null
  return typeof origin.source === 'string' ? origin.source : null
}
