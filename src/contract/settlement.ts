import type { Content } from './content.js'
import type { RunStatus } from './outcome.js'

/**
 * Counts and sizes of one folded transcript: what an operator reads first when a known-good agent starts to return
 * empty outputs. Never text, tool input or output, URLs or environment values.
 */
export interface Observation {
  readonly eventCount: number
  readonly invalidEventCount: number
  readonly assistantEventCount: number
  readonly toolUseCount: number
  readonly unreadableAssistantCount: number
  readonly unhandledEventTypeCount: number
  /** Sanitised names with their counts, sorted: `name=2`. At most 16 names; the rest share `(overflow)`. */
  readonly unhandledEventTypes: readonly string[]
  readonly unhandledSubtypeCount: number
  readonly resultBytes: number
  readonly lastAssistantBytes: number
  readonly lastEventType: string | null
  readonly exitCode: number | null
}

/** How the process that wrote a transcript ended, as its runtime saw it. */
export interface ExitFacts {
  /** The runtime's own deadline or cancel, if one fired. */
  readonly runError: 'deadline' | 'canceled' | null
  readonly readError: string | null
  readonly writeError: string | null
  readonly exitError: string | null
  readonly exitCode: number | null
  readonly stderr: string | null
  /** The deadline that was set, for the error text. 0: none. */
  readonly deadlineMs: number
  /** The session id a resume was asked for. */
  readonly resume: string | null
}

/** What a transcript came to. `null` is the one form of empty. */
export interface Settlement {
  readonly status: RunStatus
  readonly output: Content | null
  readonly partialOutput: Content | null
  /** The runtime's error text. For the producer and the log of counts; never for a chat. */
  readonly error: string | null
  readonly stopReason: string | null
  readonly sessionId: string | null
  readonly resumeRejected: boolean
  readonly observation: Observation
}
