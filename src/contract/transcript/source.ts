import type { ContentBlock } from '../content.js'
import type { JsonObject } from '../json-object.js'
import type { RunStatus } from '../outcome.js'

/** How a transcript itself says that its run ended. */
export interface TranscriptEnd {
  readonly status: RunStatus
  /** The source's own word. */
  readonly stopReason: string | null
  /** The source's error text; for the producer, never for a chat. */
  readonly error: string | null
}

/** What one event was, for the counts. */
export interface ReadEvent {
  readonly role: 'assistant' | 'other' | 'unhandled'
  readonly toolUseCount: number
}

export const OTHER_EVENT: ReadEvent = { role: 'other', toolUseCount: 0 }
export const UNHANDLED_EVENT: ReadEvent = { role: 'unhandled', toolUseCount: 0 }

/** One kind of transcript, read event by event. Created anew for each transcript. */
export interface TranscriptSource {
  /** The name in error texts. */
  readonly label: string
  /**
   * Takes the next event.
   * @throws {TypeError} when the event is of a known kind and malformed
   */
  read(event: JsonObject): ReadEvent
  /** The agent's output so far, by its own events only. */
  collect(): readonly ContentBlock[] | null
  /** How the transcript says the run ended; null while it does not say. */
  end(): TranscriptEnd | null
  readonly sessionId: string | null
  /** What a transcript that just stops means. */
  readonly withoutEnd: 'completed' | 'failed'
  /** Whether a recorded completion stands although the runtime cancelled the run. */
  readonly isEndFinal: boolean
}
