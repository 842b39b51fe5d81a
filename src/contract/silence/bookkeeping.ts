import type { RuntimeEffect } from './runtime.js'

/** Where one reply leaves traces. `row` is the stored transcript, `state` the agent's own list of messages. */
export interface ReplyRecord {
  readonly row: {
    readonly status: 'complete' | 'error' | 'aborted'
    readonly text: string | null
    readonly isVisible: boolean
  } | null
  readonly isLogged: boolean
  readonly isKeptInState: boolean
  /** The last message of the agent's state must be removed. */
  readonly removesLast: boolean
}

/**
 * How a runtime records the reply that caused `effect`. An accepted silence is a finished row that nobody sees; a silence
 * that is re-run leaves no row at all.
 * @param reply.isLastInState whether the last message of the agent's state is this very reply; only then may it be removed
 */
export function recordReply(
  effect: RuntimeEffect,
  reply: { readonly text: string; readonly isLastInState: boolean },
): ReplyRecord {
  const untold = { isLogged: false, isKeptInState: false, removesLast: reply.isLastInState }
  switch (effect.kind) {
    case 'append':
      return {
        row: { status: 'complete', text: reply.text, isVisible: true },
        isLogged: true,
        isKeptInState: true,
        removesLast: false,
      }
    case 'accept_silence':
      return { ...untold, row: { status: 'complete', text: null, isVisible: false } }
    case 'fail':
      return { ...untold, row: { status: 'error', text: null, isVisible: true } }
    case 'abort':
      return { ...untold, row: { status: 'aborted', text: reply.text, isVisible: true } }
    case 'rerun':
    case 'retry':
    case 'none':
      return { ...untold, row: null }
    default:
      return effect satisfies never
  }
}
