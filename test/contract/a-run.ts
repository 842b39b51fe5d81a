import type { Circumstances, Policy } from '../../src/contract/decision.js'
import type { Outcome } from '../../src/contract/outcome.js'
import type { Run, Trigger } from '../../src/contract/run.js'

export const NOW_MS = 1_760_000_000_000

/** A run that a person asked for in a Slack channel and that completed with an answer. */
export function aRun(
  changes: Partial<Omit<Run, 'outcome' | 'trigger'>> & {
    readonly outcome?: Partial<Outcome>
    readonly trigger?: Partial<Trigger>
  } = {},
): Run {
  return {
    runId: 'run-1',
    attempt: 1,
    conversation: {
      platform: 'slack',
      workspace: null,
      place: { kind: 'conversation', id: 'C1' },
      thread: null,
      surface: null,
    },
    taskKind: 'chat',
    locale: null,
    runUrl: null,
    mentions: [],
    supersededBy: null,
    retryPending: false,
    finishedAtMs: null,
    expiresAtMs: null,
    acknowledgement: null,
    buttons: [],
    traceparent: null,
    ...changes,
    outcome: anOutcome(changes.outcome),
    trigger: { kind: 'user', requester: 'U1', via: null, noticeId: null, ...changes.trigger },
  }
}

export function anOutcome(changes: Partial<Outcome> = {}): Outcome {
  return {
    status: 'completed',
    output: null,
    partialOutput: null,
    stopReason: null,
    errorCode: null,
    error: null,
    diagnostic: null,
    abortedBy: null,
    ...changes,
  }
}

export function inSurface(
  surface: Circumstances['surface'],
  changes: Partial<Circumstances> = {},
): Circumstances {
  return { surface, nowMs: NOW_MS, noticeAccepted: false, ...changes }
}

export const NO_TOKENS: Policy = { silenceTokens: [] }
export const WITH_TOKEN: Policy = { silenceTokens: ['NO_REPLY'] }
