import { matchCauseText } from './cause-rules.js'
import type { Cause } from './decision.js'
import type { Outcome, RunStatus } from './outcome.js'
import { canonicalReason } from './status.js'

/** What a classification reads. Codes and raw text go no further than this. */
export type FailureFacts = Pick<Outcome, 'stopReason' | 'errorCode' | 'error'> & {
  readonly status: Exclude<RunStatus, 'completed'>
}

/**
 * The cause a chat may be told of a run that did not complete. What ended it decides first; a failure is then read by its
 * code, its stop reason and last its raw text. Total: anything unrecognised is `unknown`.
 */
export function classifyCause(facts: FailureFacts): Cause {
  switch (facts.status) {
    case 'timeout':
      return 'timeout'
    case 'aborted':
      return 'cancelled'
    case 'refused':
      return 'refused'
    case 'truncated':
      return limitOf(facts)
    case 'failed':
      return firstCause(facts) ?? 'unknown'
    default:
      return facts.status satisfies never
  }
}

/** Which limit cut a run: blaming the wrong one sends people to the wrong remedy. */
function limitOf(facts: FailureFacts): Cause {
  const cause = firstCause(facts)
  return cause === 'context_window' || cause === 'turn_limit' ? cause : 'output_limit'
}

function firstCause(facts: FailureFacts): Cause | null {
  // Codes and reasons are written as one word; reading them as words lets one set of rules serve all three.
  const asWords = [facts.errorCode, facts.stopReason].map((code) =>
    code === null ? null : canonicalReason(code).replaceAll('_', ' '),
  )
  for (const text of [...asWords, facts.error]) {
    const cause = text === null ? null : matchCauseText(text)
    if (cause !== null) return cause
  }
  return null
}
