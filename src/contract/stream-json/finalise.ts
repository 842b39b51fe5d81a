import type { RunStatus } from '../outcome.js'
import type { ExitFacts } from '../settlement.js'
import { describeDuration, exitErrorText } from './exit.js'
import type { StreamFacts } from './facts.js'
import { withStderrTail } from './stderr-tail.js'

/** How a run ended. `output` is empty unless completed, `error` is empty if completed. */
export interface Ending {
  readonly status: RunStatus
  readonly output: string
  readonly error: string
}

export type Failure = { readonly status: Exclude<RunStatus, 'completed'>; readonly error: string }

export interface FinaliseOptions {
  /** The runtime's name in error texts. */
  readonly label: string
  /** Whether the prompt goes through standard input, so that a write error can mean a run that never began. */
  readonly readsStdin: boolean
}

/**
 * The ending of a claude, codebuddy or qwen run. A terminal error beats everything; a deadline, a cancel or a bad exit
 * beats a good result, because the runtime itself did not vouch for it. A completed run may be empty.
 */
export function finaliseStream(facts: StreamFacts, exit: ExitFacts, options: FinaliseOptions): Ending {
  const failure = findFailure(facts, exit, options)
  if (failure !== null) {
    return {
      status: failure.status,
      output: '',
      error: withStderrTail(failure.error, options.label, exit.stderr),
    }
  }
  const result = facts.terminal?.text ?? ''
  return { status: 'completed', output: result === '' ? facts.fallback : result, error: '' }
}

/** The first reason, in order of precedence, why the run did not complete. */
function findFailure(facts: StreamFacts, exit: ExitFacts, options: FinaliseOptions): Failure | null {
  const { label } = options
  if (facts.terminal !== null && facts.terminal.failure !== null) return failed(facts.terminal.failure)
  const interruption = findInterruption(exit, label)
  if (interruption !== null) return interruption
  if (exit.writeError !== null && options.readsStdin && facts.sessionId === '') {
    return failed(`write ${label} input: ${exit.writeError}`)
  }
  const exitError = exitErrorText(exit)
  if (exitError !== null) return failed(`${label} exited with error: ${exitError}`)
  if (facts.terminal === null) return failed(`${label} stream ended without terminal result`)
  if (facts.guard !== null) return failed(facts.guard)
  return null
}

/** What stopped the reading before the run was over: the deadline, a cancel or a broken stream. */
export function findInterruption(exit: ExitFacts, label: string): Failure | null {
  if (exit.runError === 'deadline') {
    return { status: 'timeout', error: `${label} timed out after ${describeDuration(exit.deadlineMs)}` }
  }
  if (exit.runError === 'canceled') return { status: 'aborted', error: 'execution cancelled' }
  if (exit.readError !== null) return failed(`${label} stdout read error: ${exit.readError}`)
  return null
}

export function failed(error: string): Failure {
  return { status: 'failed', error }
}

/** The error text of a terminal event that reports an error. */
export function errorResultText(label: string, text: string): string {
  return text === '' ? `${label} returned an error result without details` : text
}
