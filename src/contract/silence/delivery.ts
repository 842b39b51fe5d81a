import type { NoticeRecord } from './notice.js'
import type { RuntimeState } from './runtime.js'

/** How a run that a recorded message started leaves that message. */
export interface MessageSettlement {
  readonly state: 'completed' | 'failed' | 'cancelled'
  readonly error: string | null
  /** The completion notice to record for the sender; null when none was asked for. */
  readonly callback: CompletionCallback | null
}

/** A completion notice about to be recorded. It never asks for a notice of its own, so silence starts no chain. */
export interface CompletionCallback {
  readonly kind: 'completion'
  readonly replyTo: string
  readonly notifyOnCompletion: false
}

/** Settles the recorded message that a run answered. A completion notice is never answered with another. */
export function settleMessage(
  message: Pick<NoticeRecord, 'id' | 'kind'>,
  outcome: NonNullable<RuntimeState['outcome']>,
  notifyOnCompletion: boolean,
): MessageSettlement {
  const asksForNotice = notifyOnCompletion && message.kind !== 'completion'
  const callback = asksForNotice
    ? ({ kind: 'completion', replyTo: message.id, notifyOnCompletion: false } as const)
    : null
  switch (outcome.kind) {
    case 'complete':
      return { state: 'completed', error: null, callback }
    case 'aborted':
      return { state: 'cancelled', error: null, callback }
    case 'error':
      return { state: 'failed', error: outcome.code, callback }
    default:
      return outcome satisfies never
  }
}

/** A person's message to a run that is under way. It has no origin in the ledger, whatever its sender claims. */
export function steeringInput(input: { readonly text: string; readonly origin?: unknown }): {
  readonly text: string
  readonly origin: null
} {
  return { text: input.text, origin: null }
}
