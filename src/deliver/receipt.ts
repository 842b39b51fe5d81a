import type { Decision } from '../contract/decision.js'
import type { EndState, Head, ReceiptRecord, StoredPart } from './ledger.js'

/** What a producer is told when a delivery ends. Ids, codes and times; never text. */
export function deliveryReceipt(
  head: Head,
  end: {
    readonly state: EndState
    readonly reason: string | null
    readonly decision: Decision | null
    readonly parts: readonly StoredPart[]
    readonly settledAtMs: number
  },
): ReceiptRecord {
  return {
    kind: `delivery.${end.state}`,
    body: {
      deliveryId: head.id,
      runId: head.run.runId,
      attempt: head.run.attempt,
      producer: head.producer,
      platform: head.run.conversation.platform,
      conversation: head.conversationKey,
      conversationId: head.conversationId,
      state: end.state,
      reason: end.reason,
      decision: end.decision?.kind ?? null,
      why: whyOf(end.decision),
      silence: end.decision !== null && 'silence' in end.decision ? end.decision.silence : null,
      notice: head.run.trigger.noticeId,
      noticeFinding: head.noticeFinding,
      surface: head.surface,
      locale: head.locale,
      localeFrom: head.localeFrom,
      notes: head.notes,
      parts: end.parts.map((part) => ({
        index: part.index,
        state: part.state,
        messageId: part.messageId,
        attempts: part.attempt,
        rung: part.part.rung,
        edited: part.replaces !== null,
        // The rest of a very long answer is shown nowhere.
        isCut: part.part.kind === 'message' && part.part.isCut === true,
      })),
      unknown: head.unknownCount,
      acceptedAt: new Date(head.acceptedAtMs).toISOString(),
      settledAt: new Date(end.settledAtMs).toISOString(),
    },
  }
}

/** The detail of a decision that is not text: which notice, which cause, which reason to drop. */
export function whyOf(decision: Decision | null): string | null {
  switch (decision?.kind) {
    case undefined:
    case 'relay':
      return null
    case 'notice':
      return decision.notice
    case 'failure':
      return `${decision.status}.${decision.cause}`
    case 'drop':
      return decision.why
    default:
      throw new TypeError(`unhandled decision: ${JSON.stringify(decision satisfies never)}`)
  }
}
