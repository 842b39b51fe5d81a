import type { RunStatus } from './outcome.js'
import { statusFromStopReason } from './status.js'

/** How a child run ended, in the words its caller knows. Backends may say other words; those are failures. */
export const CHILD_STOP_REASONS = ['completed', 'aborted', 'error', 'max-tokens', 'refusal'] as const
export type ChildStopReason = (typeof CHILD_STOP_REASONS)[number]

const BY_STATUS = {
  completed: 'completed',
  truncated: 'max-tokens',
  refused: 'refusal',
  failed: 'error',
  timeout: 'error',
  aborted: 'aborted',
} as const satisfies Record<RunStatus, ChildStopReason>

/** What a backend knows about a child's end. Absent facts did not happen. */
export type ChildEnd =
  | {
      readonly source: 'in-process'
      /** The reason of the turn that accounts for the run; null when there was none. */
      readonly turnEnd: string | null
      readonly isCancelled?: boolean | undefined
      /** A structured value was asked for, and whether one came. */
      readonly structured?: 'captured' | 'missing' | undefined
    }
  | {
      readonly source: 'sdk'
      readonly turnEnd: string | null
      readonly isCancelled?: boolean | undefined
      readonly isTransportLost?: boolean | undefined
    }
  | {
      readonly source: 'acp'
      readonly reason: string | null
      readonly isCancelled?: boolean | undefined
      readonly isTransportLost?: boolean | undefined
    }
  | {
      readonly source: 'continuable'
      readonly turnEnd: string | null
      /** Accepted work was cancelled without a turn over it. */
      readonly isWorkDropped?: boolean | undefined
      readonly isTeardownFailed?: boolean | undefined
    }

/** The stop reason a caller is told. Total: anything unrecognised is `error`. */
export function childStopReason(end: ChildEnd): ChildStopReason {
  switch (end.source) {
    case 'in-process':
      return inProcess(end)
    case 'sdk':
      return end.isCancelled === true ? 'aborted' : remote(end.isTransportLost, 'sdk', end.turnEnd)
    case 'acp':
      if (end.isCancelled === true) return 'aborted'
      // A turn limit is the child's own rule and not the model's; its caller treats it as an error.
      return end.reason === 'max_turn_requests' ? 'error' : remote(end.isTransportLost, 'acp', end.reason)
    case 'continuable':
      return continuable(end)
    default:
      return end satisfies never
  }
}

function remote(
  isTransportLost: boolean | undefined,
  source: 'sdk' | 'acp',
  reason: string | null,
): ChildStopReason {
  return isTransportLost === true ? 'error' : BY_STATUS[statusFromStopReason(source, reason)]
}

function inProcess(end: Extract<ChildEnd, { source: 'in-process' }>): ChildStopReason {
  const reason = BY_STATUS[statusFromStopReason('in-process', end.turnEnd)]
  const isAnswered = reason === 'completed' && end.structured !== 'missing'
  if (isAnswered) return 'completed'
  if (end.isCancelled === true) return 'aborted'
  return reason === 'completed' ? 'error' : reason
}

function continuable(end: Extract<ChildEnd, { source: 'continuable' }>): ChildStopReason {
  if (end.isTeardownFailed === true) return 'error'
  const reason =
    end.turnEnd === null ? 'completed' : BY_STATUS[statusFromStopReason('continuable', end.turnEnd)]
  return reason === 'completed' && end.isWorkDropped === true ? 'aborted' : reason
}

/** The stop reason a caller is told for a run status. */
export function stopReasonOfStatus(status: RunStatus): ChildStopReason {
  return BY_STATUS[status]
}
