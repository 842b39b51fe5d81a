import { decide } from '../../src/contract/decide.js'
import type { Cause, Decision, Policy } from '../../src/contract/decision.js'
import type { ReportedOutcome } from '../../src/contract/normalize.js'
import { normalizeOutcome } from '../../src/contract/normalize.js'
import type { RunStatus } from '../../src/contract/outcome.js'
import type { Surface, Trigger } from '../../src/contract/run.js'
import { aRun, inSurface, NO_TOKENS } from './a-run.js'

/** Failures that users of such bots reported in public, by the ids of our collection: input and right decision. */
export interface Case {
  readonly id: string
  readonly name: string
  readonly reported: ReportedOutcome
  readonly surface: Surface
  readonly expected: Decision
  readonly policy?: Policy
  readonly trigger?: Partial<Trigger>
}

export const relay = (text: string): Decision => ({ kind: 'relay', text })
export const silentChannel: Decision = { kind: 'drop', why: 'silent_channel', silence: 'no_output' }
export const noResponse: Decision = { kind: 'notice', notice: 'no_response', silence: 'no_output' }
export const failure = (
  status: Exclude<RunStatus, 'completed'>,
  cause: Cause,
  partial: string | null = null,
): Decision => ({
  kind: 'failure',
  status,
  cause,
  diagnostic: null,
  partial,
})
export const completed = (output: string, stopReason = 'end_turn'): ReportedOutcome => ({
  status: 'completed',
  stopReason,
  output,
})

/** What a case's conversation would see. */
export function decideCase({ reported, surface, policy = NO_TOKENS, trigger = {} }: Case): Decision {
  return decide(aRun({ outcome: normalizeOutcome(reported), trigger }), inSurface(surface), policy)
}
