import type { ExitFacts } from '../settlement.js'
import { exitErrorText, knownExitCode } from './exit.js'
import type { StreamFacts } from './facts.js'
import type { Ending, Failure } from './finalise.js'
import { errorResultText, failed, findInterruption } from './finalise.js'
import { redactSecrets } from './redact-secrets.js'
import { stderrTail, withStderrTail } from './stderr-tail.js'

const LABEL = 'cursor-agent'

const SIDE_EFFECTS = 'what the agent did before it ended may already have taken effect'

/**
 * The ending of a cursor run. A result is the protocol's boundary: whatever the process did after it does not count.
 * Error texts are redacted, because the runtime puts headers and environment into them.
 */
export function finaliseCursor(facts: StreamFacts, exit: ExitFacts): Ending {
  if (facts.terminal === null) return finaliseCutStream(facts, exit)
  const { text, failure } = facts.terminal
  if (failure !== null) {
    return { status: 'failed', output: '', error: redactSecrets(errorResultText(LABEL, failure)) }
  }
  return { status: 'completed', output: facts.streamed === '' ? text : facts.streamed, error: '' }
}

function finaliseCutStream(facts: StreamFacts, exit: ExitFacts): Ending {
  const { status, error } = findFailure(facts, exit)
  const redacted = redactSecrets(error)
  if (status !== 'failed') return { status, output: '', error: redacted }
  const diagnosis = `${redacted} (${describeStream(facts, exit)}); ${SIDE_EFFECTS}`
  return {
    status,
    output: '',
    error: withStderrTail(diagnosis, 'cursor', redactSecrets(stderrTail(exit.stderr))),
  }
}

function findFailure(facts: StreamFacts, exit: ExitFacts): Failure {
  const interruption = findInterruption(exit, LABEL)
  if (interruption !== null) return interruption
  if (facts.protocolError !== '') return failed(facts.protocolError)
  // Below the agent's own error: a child that ends early for its own reason breaks our write as a side effect.
  if (exit.writeError !== null) return failed(`${LABEL} prompt write failed: ${exit.writeError}`)
  const exitError = exitErrorText(exit)
  if (exitError !== null) return failed(`${LABEL} exited with error: ${exitError}`)
  return failed(`${LABEL} stream ended without terminal result`)
}

function describeStream(facts: StreamFacts, exit: ExitFacts): string {
  const { tally } = facts
  const exitCode = exitErrorText(exit) === null ? 0 : (knownExitCode(exit) ?? -1)
  return [
    'result_seen=false',
    `exit_code=${exitCode}`,
    `scanner_error=${exit.readError !== null}`,
    `event_count=${tally.eventCount}`,
    `invalid_event_count=${tally.invalidEventCount}`,
    `last_event_type=${tally.lastEventType ?? 'none'}`,
  ].join(', ')
}
