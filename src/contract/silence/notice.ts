/** The states of a recorded notice. Only a queued one may still start a run. */
export const NOTICE_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted'] as const
export type NoticeState = (typeof NOTICE_STATES)[number]

/** One message the ledger holds for a conversation. `kind` is open: only `completion` may be answered with silence. */
export interface NoticeRecord {
  readonly id: string
  readonly conversation: string
  readonly kind: string
  readonly content: string
  /** The work that the notice says is done. */
  readonly replyTo: string | null
  /** Who sent the work. */
  readonly source: string | null
  readonly state: NoticeState
}

/**
 * What a caller says about the message it wants to run. `noticeId` is absent for ordinary input; any other field that
 * would change the recorded message is refused.
 */
export interface NoticeClaim {
  readonly conversation: string
  readonly noticeId?: unknown
  readonly [field: string]: unknown
}

/** A message taken from the ledger. Content and origin are the record's; nothing the caller said is in it. */
export interface ResolvedNotice {
  readonly id: string
  readonly conversation: string
  readonly kind: string
  readonly content: string
  readonly replyTo: string | null
  readonly source: string | null
}

export const NOTICE_REFUSALS = ['not_found', 'wrong_conversation', 'not_queued', 'invalid_argument'] as const
export type NoticeRefusal = (typeof NOTICE_REFUSALS)[number]

export type NoticeResolution =
  /** The claim names no notice: ordinary input, whatever else it says. */
  | { readonly kind: 'ordinary' }
  | { readonly kind: 'resolved'; readonly notice: ResolvedNotice }
  | { readonly kind: 'refused'; readonly code: NoticeRefusal }

/** Fields that would edit, replace or add to a recorded message. Their mere presence is refused. */
const ALTERING_FIELDS = [
  'attachments',
  'edit',
  'editMessageId',
  'regenerate',
  'truncateBefore',
  'truncateFromMessageId',
] as const

/** Notices that were built here from a record. What a caller hands over is never one of them. */
const VOUCHED = new WeakSet<ResolvedNotice>()

/**
 * Checks a claim before the ledger is read.
 * @returns the id to look up, that the input is ordinary, or the refusal
 */
export function checkNoticeClaim(
  claim: NoticeClaim,
): { readonly kind: 'lookup'; readonly noticeId: string } | Exclude<NoticeResolution, { kind: 'resolved' }> {
  const { noticeId } = claim
  if (noticeId === undefined || noticeId === null) return { kind: 'ordinary' }
  if (typeof noticeId !== 'string' || noticeId.trim() === '') return refused('invalid_argument')
  if (ALTERING_FIELDS.some((field) => claim[field] !== undefined)) return refused('invalid_argument')
  return { kind: 'lookup', noticeId }
}

/** Resolves a checked claim against the record the ledger holds under its id; each refusal has its own code. */
export function resolveNoticeRecord(
  claim: { readonly conversation: string; readonly noticeId: string },
  record: NoticeRecord | null,
): Exclude<NoticeResolution, { kind: 'ordinary' }> {
  if (record === null || record.id !== claim.noticeId) return refused('not_found')
  if (record.conversation !== claim.conversation) return refused('wrong_conversation')
  if (record.state !== 'queued') return refused('not_queued')
  const { id, conversation, kind, content, replyTo, source } = record
  const notice: ResolvedNotice = Object.freeze({ id, conversation, kind, content, replyTo, source })
  VOUCHED.add(notice)
  return { kind: 'resolved', notice }
}

/** Resolves a claim with a ledger that can be read at once. The ledger is read only for a claim worth looking up. */
export function resolveNotice(
  claim: NoticeClaim,
  readRecord: (noticeId: string) => NoticeRecord | null,
): NoticeResolution {
  const check = checkNoticeClaim(claim)
  if (check.kind !== 'lookup') return check
  const { noticeId } = check
  return resolveNoticeRecord({ conversation: claim.conversation, noticeId }, readRecord(noticeId))
}

/**
 * Whether silence may be the answer to a notice: it is a completion notice for this conversation, names the work it is
 * about, and was built here from the ledger. Prompt text, copied framing and a caller's object never pass.
 */
export function allowsSilence(notice: ResolvedNotice | null, conversation: string): boolean {
  return (
    notice !== null &&
    VOUCHED.has(notice) &&
    notice.kind === 'completion' &&
    notice.conversation === conversation &&
    notice.id.trim() !== '' &&
    (notice.replyTo ?? '').trim() !== ''
  )
}

function refused(code: NoticeRefusal): { readonly kind: 'refused'; readonly code: NoticeRefusal } {
  return { kind: 'refused', code }
}
