import type { JsonObject } from '../../../src/contract/json-object.js'
import { stringField } from '../../../src/contract/json-object.js'
import type { ResolvedNotice } from '../../../src/contract/silence/notice.js'
import { resolveNotice } from '../../../src/contract/silence/notice.js'
import type { ModelResponse, RuntimeEffect, RuntimeState } from '../../../src/contract/silence/runtime.js'
import { startRun, stepRun } from '../../../src/contract/silence/runtime.js'
import type { SilenceRow } from '../vectors/rows.js'

export const SESSION = 'session-1'

/** What one run of a sequence showed, in the words of the rows. */
export interface RunReport {
  readonly armed: boolean
  readonly requests: number
  readonly silentReruns: number
  readonly recoveryRetries: number
  readonly acceptedSilences: number
  readonly contextAppends: readonly string[]
  readonly outcome: string | null
  readonly error: string | null
  readonly retriable: boolean
  readonly exceptionLeft: boolean
  readonly emptyAssistantInAnyRequest: boolean
  readonly state: RuntimeState
  readonly effects: readonly RuntimeEffect[]
}

/** A notice as the row says it came about: through the ledger, or as an object somebody handed over. */
export function noticeOf(provenance: JsonObject | null): ResolvedNotice | null {
  if (provenance === null) return null
  const notice: ResolvedNotice = {
    id: stringField(provenance, 'messageId') ?? '',
    conversation: stringField(provenance, 'targetSessionId') ?? '',
    kind: stringField(provenance, 'kind') ?? '',
    content: 'ledger text',
    replyTo: stringField(provenance, 'replyToMessageId'),
    source: stringField(provenance, 'sourceSessionId'),
  }
  if (provenance.resolvedBy !== 'host-ledger') return notice
  const claim = { conversation: notice.conversation, noticeId: notice.id }
  const resolution = resolveNotice(claim, () => ({ ...notice, state: 'queued' }))
  return resolution.kind === 'resolved' ? resolution.notice : null
}

function responseOf(step: JsonObject, isLastOfRun: boolean): ModelResponse {
  const isRecoverable = step.retriable === true || step.overflow === true
  return {
    kind: 'model_response',
    text: stringField(step, 'text') ?? '',
    toolCallCount: typeof step.toolCalls === 'number' ? step.toolCalls : 0,
    stop: stringField(step, 'stop') ?? 'stop',
    error: stringField(step, 'error'),
    // A row that ends with the failure says that the runtime had no way to try again.
    isRecoverable: isRecoverable && !isLastOfRun,
  }
}

/** Plays a row's sequence; one report for each run in it. */
export function playRow(row: SilenceRow): readonly RunReport[] {
  const runs: {
    readonly provenance: JsonObject | null
    readonly steps: (JsonObject & { step: string })[]
  }[] = [{ provenance: row.provenance, steps: [] }]
  for (const step of row.sequence) {
    if (step.step === 'new_run') runs.push({ provenance: provenanceOf(step), steps: [] })
    else runs.at(-1)?.steps.push({ ...step })
  }
  return runs.map(({ provenance, steps }) => playRun(provenance, steps))
}

function provenanceOf(step: JsonObject): JsonObject | null {
  const { provenance } = step
  return typeof provenance === 'object' && provenance !== null ? { ...provenance } : null
}

function playRun(
  provenance: JsonObject | null,
  steps: readonly (JsonObject & { step: string })[],
): RunReport {
  let state = startRun(noticeOf(provenance), SESSION)
  const armed = state.isExempt
  const effects: RuntimeEffect[] = []
  /** What each request would carry: the text of every assistant entry so far. */
  const assistants: { readonly text: string; readonly toolCallCount: number }[] = []
  let emptyAssistantInAnyRequest = false
  steps.forEach((step, index) => {
    const event = eventOf(step, index === steps.length - 1)
    if (event.kind === 'model_response') {
      emptyAssistantInAnyRequest ||= assistants.some(
        (said) => said.text.trim() === '' && said.toolCallCount === 0,
      )
    }
    const stepped = stepRun(state, event)
    state = stepped.state
    effects.push(stepped.effect)
    if (event.kind === 'model_response' && stepped.effect.kind === 'append') assistants.push(event)
  })
  const count = (kind: RuntimeEffect['kind']): number =>
    effects.filter((effect) => effect.kind === kind).length
  return {
    armed,
    requests: steps.filter(({ step }) => step === 'model_response').length,
    silentReruns: count('rerun'),
    recoveryRetries: count('retry'),
    acceptedSilences: count('accept_silence'),
    contextAppends: effects.flatMap((effect) => (effect.kind === 'append' ? [effect.role] : [])),
    outcome: state.outcome?.kind ?? null,
    error: state.outcome?.kind === 'error' ? state.outcome.code : null,
    retriable: state.outcome?.kind === 'error' && state.outcome.isRetriable,
    exceptionLeft: state.isExempt,
    emptyAssistantInAnyRequest,
    state,
    effects,
  }
}

function eventOf(step: JsonObject & { step: string }, isLastOfRun: boolean) {
  switch (step.step) {
    case 'model_response':
      return responseOf(step, isLastOfRun)
    case 'tool_results':
    case 'steering_accepted':
    case 'steering_enters_context':
      return { kind: step.step } as const
    default:
      throw new TypeError(`no such step: ${step.step}`)
  }
}
