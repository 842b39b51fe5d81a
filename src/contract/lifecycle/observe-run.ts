import type { ChildResult } from '../child/result.js'
import type { Lifecycle } from './lifecycle.js'

/** A run that its provider has accepted. */
export interface AcceptedRun {
  readonly id: string
  readonly local: boolean
  readonly result: Promise<ChildResult>
}

export interface ObservedStart {
  readonly provider: string
  readonly scope?: string | undefined
  readonly start: () => Promise<AcceptedRun>
  /** A fresh id per accepted run; a child's own id may repeat. */
  readonly newRunId: () => string
}

/**
 * Starts a run and notifies its two edges. A start that is rejected has neither; start precedes end even when the result
 * was settled before; a result that rejects ends as `error` without output. The diagnostic is never part of an edge.
 * @throws whatever the provider's start rejects with
 */
export async function observeRun(
  lifecycle: Lifecycle,
  observed: ObservedStart,
): Promise<AcceptedRun & { readonly runId: string }> {
  const run = await observed.start()
  const runId = observed.newRunId()
  // Attached before the start is sent, and still run after it: a settled promise reports in a later turn.
  run.result.then(
    (result) => lifecycle.end(runId, { stopReason: result.stopReason, lastAssistantMessage: result.output }),
    () => lifecycle.end(runId, { stopReason: 'error' }),
  )
  lifecycle.start({ runId, provider: observed.provider, id: run.id, local: run.local }, observed.scope)
  return { ...run, runId }
}
