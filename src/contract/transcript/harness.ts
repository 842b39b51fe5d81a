import { readHarnessEvent } from '../adapters/harness.js'
import { createSdkFilter } from '../adapters/sdk.js'
import type { JsonObject } from '../json-object.js'
import { stringField } from '../json-object.js'
import { readContribution } from '../selection/event.js'
import { AssistantOutputFold } from '../selection/fold.js'
import { statusFromStopReason } from '../status.js'
import { countToolUses } from './content-block.js'
import type { ReadEvent, TranscriptEnd, TranscriptSource } from './source.js'
import { OTHER_EVENT } from './source.js'

/**
 * Session logs of the harness, or the SDK notifications that carry them. A log whose turn has no end is a failure; an
 * extract that holds messages and no turns at all cannot say so, and counts as complete.
 */
export class HarnessSource implements TranscriptSource {
  readonly label = 'harness'
  readonly isEndFinal = true
  sessionId: string | null = null
  readonly #fold = new AssistantOutputFold()
  readonly #ownEvent = createSdkFilter({ sessionId: null })
  #seedLeft: number
  #hasTurns = false
  #end: TranscriptEnd | null = null

  /** @param seedLength how many events at the start belong to a parent or to an earlier epoch */
  constructor(seedLength: number) {
    this.#seedLeft = seedLength
  }

  get withoutEnd(): 'completed' | 'failed' {
    return this.#hasTurns || this.collect() === null ? 'failed' : 'completed'
  }

  collect() {
    return this.#fold.collect()
  }

  end(): TranscriptEnd | null {
    return this.#end
  }

  read(raw: JsonObject): ReadEvent {
    const isNotification = raw.method !== undefined
    const event = isNotification ? this.#ownEvent(raw) : raw
    if (event === null) return OTHER_EVENT
    this.sessionId ??= stringField(event, 'sessionId')
    if (this.#seedLeft > 0) {
      this.#seedLeft -= 1
      return OTHER_EVENT
    }
    return this.#take(event, isNotification ? 'sdk' : 'in-process')
  }

  #take(event: JsonObject, reader: 'sdk' | 'in-process'): ReadEvent {
    const read = readHarnessEvent(event)
    switch (read.kind) {
      case 'turn_start':
        this.#hasTurns = true
        this.#end = null
        return OTHER_EVENT
      case 'turn_end':
        this.#hasTurns = true
        this.#end = {
          status: statusFromStopReason(reader, read.reason),
          stopReason: read.reason,
          error: null,
        }
        return OTHER_EVENT
      case 'assistant': {
        const contribution = readContribution(read.event)
        this.#fold.add(contribution)
        return { role: 'assistant', toolUseCount: countToolUses(contribution.message) }
      }
      case 'other':
        return OTHER_EVENT
      default:
        return read satisfies never
    }
  }
}
