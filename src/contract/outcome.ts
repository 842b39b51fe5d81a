import type { Content } from './content.js'

/** How a run ended, normalised. Contract section 2 defines each. */
export const RUN_STATUSES = ['completed', 'truncated', 'refused', 'failed', 'timeout', 'aborted'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Who stopped an aborted run. `requester` is the person who had asked. */
export type AbortedBy = 'requester' | 'system'

/**
 * The normalised end of a run. `null` is the one form of "nothing"; an empty string or list never occurs.
 * `output` is null unless `status` is `completed`; what a cut run had written is `partialOutput`.
 */
export interface Outcome {
  readonly status: RunStatus
  readonly output: Content | null
  readonly partialOutput: Content | null
  readonly stopReason: string | null
  /** The producer's own code for a failure; classified, never shown. */
  readonly errorCode: string | null
  /** Raw error text; classified, never shown. */
  readonly error: string | null
  /** Safe text from the producer, shown under the header. */
  readonly diagnostic: string | null
  readonly abortedBy: AbortedBy | null
  /** How long after its end the provider wants to be left alone, in ms. Absent: it did not say. */
  readonly retryAfterMs?: number
}
