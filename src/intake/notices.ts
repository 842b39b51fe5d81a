import { cleanJson } from '../contract/clean-text.js'
import type { NoticeState } from '../contract/silence/notice.js'
import { LastwordError } from '../errors.js'
import { type AcceptanceLedger, chooseInstallation, hashOfDocument, keyOf, type Producer } from './accept.js'
import { conversationOf } from './conversation.js'
import { readShape } from './faults.js'
import { type NoticeKind, RecordedNotice } from './notice-schema.js'

/** A notice as it enters the ledger. */
export interface NewNotice {
  readonly noticeId: string
  readonly installationId: string
  readonly conversationKey: string
  /** As the producer wrote it. */
  readonly conversation: unknown
  readonly kind: NoticeKind
  readonly content: unknown
  readonly origin: unknown
  readonly replyTo: string | null
  readonly producer: string
  /** Null: queued when it is new, as it stands when it is not. */
  readonly state: NoticeState | null
  /** Of everything a repeated notice must have in common with the first. */
  readonly bodyHash: string
}

/** A notice as it is shown to producers and operators. Times are RFC 3339. */
export interface Notice {
  readonly noticeId: string
  readonly installationId: string | null
  readonly conversation: unknown
  readonly kind: NoticeKind
  readonly content: unknown
  readonly origin: unknown
  readonly replyTo: string | null
  readonly producer: string | null
  readonly state: NoticeState
  /** The delivery whose settling spent it. */
  readonly spentBy: string | null
  readonly createdAt: string
  readonly endedAt: string | null
}

/** What the notices doors need of the store. */
export interface NoticeLedger {
  /**
   * Records a notice; the same one again is the one that stands, with its state changed when another is given.
   *
   * @throws {LastwordError} `notice_conflict`, `notice_wrong_conversation`, `notice_not_queued`
   */
  add(notice: NewNotice): Promise<{ readonly notice: Notice; readonly isNew: boolean }>
  find(id: string): Promise<Notice | null>
  /** @throws {LastwordError} `notice_not_found`, `notice_not_queued` */
  cancel(id: string): Promise<Notice>
}

/** The notices doors, as every way in shares them. */
export interface NoticeDoors {
  record(value: unknown, producer: Producer): ReturnType<typeof recordNotice>
  read(id: string, producer: Producer): Promise<Notice>
  cancel(id: string, producer: Producer): Promise<Notice>
}

/** The doors over a ledger. */
export function createNoticeDoors(options: NoticeOptions): NoticeDoors {
  return {
    record: (value, producer) => recordNotice(value, producer, options),
    read: (id, producer) => readNotice(id, producer, options.ledger),
    cancel: (id, producer) => withdrawNotice(id, producer, options.ledger),
  }
}

export interface NoticeOptions {
  readonly ledger: NoticeLedger & Pick<AcceptanceLedger, 'findInstallations'>
  /** Longest `content`, in UTF-8 bytes of its JSON. */
  readonly maxContentBytes: number
}

/**
 * Records a completion notice for a conversation, under the rules that hold for a run there.
 *
 * @throws {LastwordError} `invalid_notice`, `payload_too_large`, what choosing an installation and the ledger throw
 */
export async function recordNotice(
  value: unknown,
  producer: Producer,
  { ledger, maxContentBytes }: NoticeOptions,
): Promise<{ readonly notice: Notice; readonly isNew: boolean }> {
  mustWriteNotices(producer)
  const wire = readShape(RecordedNotice, value, 'invalid_notice')
  const content = cleanJson(wire.content)
  if (Buffer.byteLength(JSON.stringify(content)) > maxContentBytes) {
    throw new LastwordError('payload_too_large', undefined, {
      faults: [
        { path: '/content', expected: `at most ${maxContentBytes} bytes (LASTWORD_MAX_OUTPUT_BYTES)` },
      ],
    })
  }
  const conversation = conversationOf(wire.conversation)
  const installation = await chooseInstallation(conversation, producer, ledger)
  const kind = wire.origin?.kind ?? 'completion'
  const origin = { kind, source: wire.origin?.source ?? null }
  const replyTo = wire.replyTo ?? null
  return ledger.add({
    noticeId: wire.noticeId,
    installationId: installation.id,
    conversationKey: keyOf(installation.id, conversation),
    conversation: wire.conversation,
    kind,
    content,
    origin,
    replyTo,
    producer: producer.name,
    state: wire.state ?? null,
    bodyHash: hashOfDocument({ content, origin, replyTo }),
  })
}

/** @throws {LastwordError} `notice_not_found`, also for a notice of an installation that is not the producer's */
export async function readNotice(id: string, producer: Producer, ledger: NoticeLedger): Promise<Notice> {
  mustWriteNotices(producer)
  const notice = await ledger.find(noticeId(id))
  const isTheirs = notice?.installationId != null && producer.mayPostTo(notice.installationId)
  if (notice === null || !isTheirs) throw new LastwordError('notice_not_found')
  return notice
}

/** Withdraws a notice: nothing may be left unsaid for its sake any more. @throws {LastwordError} as `readNotice`, `notice_not_queued` */
export async function withdrawNotice(id: string, producer: Producer, ledger: NoticeLedger): Promise<Notice> {
  await readNotice(id, producer, ledger)
  return ledger.cancel(id)
}

function mustWriteNotices(producer: Producer): void {
  if (!producer.may('notices:write')) throw new LastwordError('forbidden')
}

/** Ids are printable ASCII; anything else names nothing, and some of it Postgres would refuse. */
function noticeId(id: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) throw new LastwordError('notice_not_found')
  return id
}
