import {
  allowsSilence,
  checkNoticeClaim,
  type NoticeRecord,
  type NoticeRefusal,
  resolveNoticeRecord,
} from '../contract/silence/notice.js'
import type { Head, Ledger } from './ledger.js'

/** A notice as the ledger holds it, with the delivery that answered it. */
export interface LedgerNotice {
  readonly record: NoticeRecord
  readonly spentBy: string | null
}

/** What the ledger says of the notice a run claims. `null`: it claims none. */
export type NoticeFinding = 'accepted' | 'not_completion' | NoticeRefusal | null

/**
 * Resolves a run's claim against the ledger, in the process that decides. Only the record counts: nothing the run says
 * of the notice is read but its id. A delivery that is planned again finds the notice as it found it the first time,
 * even when it was this delivery that spent it.
 */
export async function findNotice(
  ledger: Pick<Ledger, 'notice'>,
  head: Pick<Head, 'id' | 'conversationKey'> & { readonly run: Pick<Head['run'], 'trigger'> },
): Promise<NoticeFinding> {
  const { trigger } = head.run
  if (trigger.kind !== 'completion_notice') return null
  const conversation = head.conversationKey
  const claim = checkNoticeClaim({ conversation, noticeId: trigger.noticeId })
  if (claim.kind === 'ordinary') return null
  if (claim.kind === 'refused') return claim.code
  const held = await ledger.notice(claim.noticeId)
  const record = held === null ? null : held.spentBy === head.id ? queuedAgain(held.record) : held.record
  const resolution = resolveNoticeRecord({ conversation, noticeId: claim.noticeId }, record)
  if (resolution.kind === 'refused') return resolution.code
  return allowsSilence(resolution.notice, conversation) ? 'accepted' : 'not_completion'
}

function queuedAgain(record: NoticeRecord): NoticeRecord {
  return { ...record, state: 'queued' }
}
