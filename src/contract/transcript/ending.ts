import type { RunStatus } from '../outcome.js'
import type { ExitFacts } from '../settlement.js'
import { exitErrorText } from '../stream-json/exit.js'
import { findInterruption } from '../stream-json/finalise.js'
import { withStderrTail } from '../stream-json/stderr-tail.js'
import type { TranscriptSource } from './source.js'

/** How a run ended. `error` is null when it completed. */
export interface TranscriptEnding {
  readonly status: RunStatus
  readonly stopReason: string | null
  readonly error: string | null
}

/**
 * Weighs what a transcript says against how its process ended, the same way for every source: a failure the transcript
 * reports beats everything; a deadline, a cancel or a bad exit beats a good answer, because the runtime did not vouch for it.
 */
export function endingOf(source: TranscriptSource, isMalformed: boolean, exit: ExitFacts): TranscriptEnding {
  const end = source.end()
  const stopReason = end?.stopReason ?? null
  const { label } = source
  const failure = (status: RunStatus, error: string): TranscriptEnding => ({
    status,
    stopReason,
    error: withStderrTail(error, label, exit.stderr),
  })
  if (end !== null && end.status !== 'completed' && end.status !== 'aborted') {
    return failure(end.status, end.error ?? `${label} run ended as ${end.status}`)
  }
  if (isMalformed) return failure('failed', `${label} transcript holds a malformed event`)
  const interruption = findInterruption(exit, label)
  const isCancelledLate = exit.runError === 'canceled' && end?.status === 'completed' && source.isEndFinal
  if (interruption !== null && !isCancelledLate) return failure(interruption.status, interruption.error)
  if (end?.status === 'aborted') return failure('aborted', end.error ?? 'execution cancelled')
  if (exit.writeError !== null && source.sessionId === null && end === null) {
    return failure('failed', `write ${label} input: ${exit.writeError}`)
  }
  const exitError = exitErrorText(exit)
  if (exitError !== null) return failure('failed', `${label} exited with error: ${exitError}`)
  if (end === null && source.withoutEnd === 'failed') {
    return failure('failed', `${label} stream ended without terminal result`)
  }
  return { status: 'completed', stopReason, error: null }
}
