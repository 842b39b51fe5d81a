import type { ExitFacts } from '../settlement.js'
import type { StreamFacts } from './facts.js'
import type { Guard, JsonObject } from './fields.js'
import type { Ending } from './finalise.js'

export const STREAM_PROVIDERS = ['claude', 'codebuddy', 'qwen', 'cursor'] as const
export type StreamProviderName = (typeof STREAM_PROVIDERS)[number]

/** What one agent runtime writes to its stream, and nothing else: how it ends is the finaliser's business. */
export interface StreamProvider {
  /** Whether the fields that are relied on have their types. One that has not makes the whole event invalid. */
  readonly isEvent: Guard
  /** Drops what stands before the JSON of a trimmed line. */
  cleanLine(line: string): string
  /** Writes what an event of `type` says into `facts`. */
  read(event: JsonObject, type: string, facts: StreamFacts): void
  /** How the run ended, given all facts. */
  finalise(facts: StreamFacts, exit: ExitFacts): Ending
  /** Where a refused resume can be recognised; `nowhere` when the runtime does not tell. */
  readonly resumeEvidence: 'error' | 'error_and_stderr' | 'nowhere'
}

export function keepLine(line: string): string {
  return line
}
