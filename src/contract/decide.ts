import { classifyCause } from './cause.js'
import type { Cause, Circumstances, Decision, DropReason, Policy, SilenceKind } from './decision.js'
import { normalizeOutcome } from './normalize.js'
import type { Outcome } from './outcome.js'
import { readRetryHint } from './retry-hint.js'
import type { Run } from './run.js'
import { shownText } from './shown-text.js'
import { isVisible } from './visible-text.js'

/** Names of a platform other than ours. Feishu is Lark's name in China. */
const PLATFORM_ALIASES: ReadonlyMap<string, string> = new Map([['feishu', 'lark']])

/**
 * Decides what a conversation sees of a run. Pure and total: same arguments, same answer, never throws. The rows of
 * contract section 5 in their order, first match wins. Every text that reaches a chat passes here.
 */
export function decide(run: Run, circumstances: Circumstances, policy: Policy): Decision {
  const outcome = normalizeOutcome(run.outcome)
  const why = whyNotAtAll(run, outcome, circumstances)
  if (why !== null) return { kind: 'drop', why, silence: null }
  if (outcome.status === 'completed') return decideCompleted(run, outcome, circumstances, policy)
  return decideUnfinished(run, outcome, outcome.status, circumstances, policy)
}

function whyNotAtAll(run: Run, outcome: Outcome, circumstances: Circumstances): DropReason | null {
  if (run.supersededBy !== null) return 'superseded'
  if (run.expiresAtMs !== null && run.expiresAtMs <= circumstances.nowMs) return 'expired'
  if (cameFromElsewhere(run)) return 'other_surface'
  if (run.retryPending && outcome.status !== 'completed') return 'retry_pending'
  return null
}

/** A person's question is answered where it was asked; scheduled and system runs say where they want to be heard. */
function cameFromElsewhere(run: Run): boolean {
  if (run.trigger.kind !== 'user' || run.trigger.via === null) return false
  const via = run.trigger.via.trim().toLowerCase()
  return via !== '' && (PLATFORM_ALIASES.get(via) ?? via) !== run.conversation.platform
}

function decideCompleted(run: Run, outcome: Outcome, circumstances: Circumstances, policy: Policy): Decision {
  const shown = shownText(outcome.output, policy.silenceTokens)
  if (shown.kind === 'text') return { kind: 'relay', text: shown.text }
  const { silence } = shown
  const isVouchedNotice = run.trigger.kind === 'completion_notice' && circumstances.noticeAccepted
  if (isVouchedNotice) return drop('silent_notice', silence)
  if (run.trigger.kind === 'schedule' || run.trigger.kind === 'system')
    return drop('silent_unattended', silence)
  if (run.taskKind === 'issue') return drop('silent_issue', silence)
  if (circumstances.surface === 'channel') return drop('silent_channel', silence)
  return { kind: 'notice', notice: 'no_response', silence }
}

function decideUnfinished(
  run: Run,
  outcome: Outcome,
  status: Exclude<Outcome['status'], 'completed'>,
  circumstances: Circumstances,
  policy: Policy,
): Decision {
  const shown = shownText(outcome.partialOutput, policy.silenceTokens)
  const partial = shown.kind === 'text' ? shown.text : null
  if (partial === null && outcome.abortedBy === 'requester') {
    if (circumstances.surface === 'channel') return drop('cancelled_by_requester', null)
    return { kind: 'notice', notice: 'aborted', silence: null }
  }
  const cause = classifyCause({ ...outcome, status })
  const diagnostic = outcome.diagnostic !== null && isVisible(outcome.diagnostic) ? outcome.diagnostic : null
  const retryAfterMs = waitLeft(run, outcome, cause, circumstances.nowMs)
  return {
    kind: 'failure',
    status,
    cause,
    diagnostic,
    partial,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  }
}

/** Only where waiting helps is a wait told, and only what is left of it. */
function waitLeft(run: Run, outcome: Outcome, cause: Cause, nowMs: number): number | null {
  if (cause !== 'provider_overload' && cause !== 'provider_quota') return null
  const waitMs = outcome.retryAfterMs ?? readRetryHint(outcome.error ?? '')
  if (waitMs === null) return null
  const leftMs = run.finishedAtMs === null ? waitMs : run.finishedAtMs + waitMs - nowMs
  return leftMs > 0 ? Math.min(leftMs, waitMs) : null
}

function drop(why: DropReason, silence: SilenceKind | null): Decision {
  return { kind: 'drop', why, silence }
}
