import { isVisible } from '../visible-text.js'
import type { ResolvedNotice } from './notice.js'
import { allowsSilence } from './notice.js'

/** The code of an answer that stayed empty after its one re-run. Retriable. */
export const EMPTY_MODEL_RESPONSE = 'EMPTY_MODEL_RESPONSE'

/** One response of the model, settled. `error` is null unless `stop` is `error`. */
export interface ModelResponse {
  readonly kind: 'model_response'
  readonly text: string
  readonly toolCallCount: number
  readonly stop: string
  readonly error: string | null
  /** Whether the runtime may try the same attempt again: a retriable failure, or an overflow that it can compact. */
  readonly isRecoverable: boolean
}

/** What happens to a run, as its runtime sees it. */
export type RuntimeEvent =
  | ModelResponse
  | { readonly kind: 'tool_results' }
  /** A person's message was accepted; it waits in the queue. */
  | { readonly kind: 'steering_accepted' }
  /** That message is now part of what the model reads. */
  | { readonly kind: 'steering_enters_context' }

/** What the runtime must do about an event. */
export type RuntimeEffect =
  | { readonly kind: 'none' }
  | { readonly kind: 'append'; readonly role: 'assistant' | 'toolResult' | 'user' }
  /** Complete normally; the reply enters neither the log nor what later turns read. */
  | { readonly kind: 'accept_silence' }
  /** Remove the reply and ask once more, with a one-time instruction to answer. */
  | { readonly kind: 'rerun' }
  /** The attempt failed; the runtime may retry it under the same exemption. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'fail'; readonly code: string; readonly isRetriable: boolean }
  | { readonly kind: 'abort' }

/** A run in progress. `outcome` is how it would end if nothing more happened; null while a request is due. */
export interface RuntimeState {
  /** Silence may still be the answer to the notice that started this run. */
  readonly isExempt: boolean
  readonly isRerunSpent: boolean
  /** The failure of the attempt being retried. */
  readonly pendingError: string | null
  readonly outcome:
    | null
    | { readonly kind: 'complete' }
    | { readonly kind: 'aborted' }
    | { readonly kind: 'error'; readonly code: string; readonly isRetriable: boolean }
}

export interface RuntimeStep {
  readonly state: RuntimeState
  readonly effect: RuntimeEffect
}

/**
 * A new run in `conversation`. Every entry point starts here, so an exemption never survives the run it was given to.
 * @param notice what the resolver returned; null for every other way to start a run
 */
export function startRun(notice: ResolvedNotice | null, conversation: string): RuntimeState {
  const isExempt = allowsSilence(notice, conversation)
  return { isExempt, isRerunSpent: false, pendingError: null, outcome: null }
}

/** Whether a settled response shows nothing and asks for no tool. Failed and aborted responses are not silent. */
export function isSilent(response: ModelResponse): boolean {
  const isSettled = response.stop !== 'error' && response.stop !== 'aborted'
  return isSettled && response.toolCallCount === 0 && !isVisible(response.text)
}

/** What an event means for a run. Pure and total. */
export function stepRun(state: RuntimeState, event: RuntimeEvent): RuntimeStep {
  switch (event.kind) {
    case 'model_response':
      return takeResponse({ ...state, pendingError: null }, event)
    case 'tool_results':
      return { state, effect: { kind: 'append', role: 'toolResult' } }
    case 'steering_accepted':
      return { state, effect: { kind: 'none' } }
    case 'steering_enters_context':
      return {
        state: { ...state, isExempt: false, outcome: null },
        effect: { kind: 'append', role: 'user' },
      }
    default:
      return event satisfies never
  }
}

function takeResponse(state: RuntimeState, response: ModelResponse): RuntimeStep {
  if (response.stop === 'aborted') {
    return { state: { ...state, outcome: { kind: 'aborted' } }, effect: { kind: 'abort' } }
  }
  if (response.stop === 'error') return takeFailure(state, response)
  const spent = { ...state, isExempt: false }
  if (!isSilent(response)) {
    const outcome = response.toolCallCount > 0 ? null : { kind: 'complete' as const }
    return { state: { ...spent, outcome }, effect: { kind: 'append', role: 'assistant' } }
  }
  if (state.isExempt) {
    return { state: { ...spent, outcome: { kind: 'complete' } }, effect: { kind: 'accept_silence' } }
  }
  if (!state.isRerunSpent) {
    return { state: { ...spent, isRerunSpent: true, outcome: null }, effect: { kind: 'rerun' } }
  }
  const outcome = { kind: 'error', code: EMPTY_MODEL_RESPONSE, isRetriable: true } as const
  return { state: { ...spent, outcome }, effect: { ...outcome, kind: 'fail' } }
}

function takeFailure(state: RuntimeState, response: ModelResponse): RuntimeStep {
  const code = response.error ?? 'UNKNOWN'
  const outcome = { kind: 'error', code, isRetriable: response.isRecoverable } as const
  if (response.isRecoverable) {
    return { state: { ...state, pendingError: code, outcome }, effect: { kind: 'retry' } }
  }
  return { state: { ...state, outcome }, effect: { ...outcome, kind: 'fail' } }
}
