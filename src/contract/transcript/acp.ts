import type { AcpEvent } from '../adapters/acp.js'
import { readAcpMessage } from '../adapters/acp.js'
import type { JsonObject } from '../json-object.js'
import { AssistantOutputFold } from '../selection/fold.js'
import { statusFromStopReason } from '../status.js'
import type { ReadEvent, TranscriptEnd, TranscriptSource } from './source.js'
import { OTHER_EVENT, UNHANDLED_EVENT } from './source.js'

/** JSON-RPC's code for a cancelled request, as language servers and ACP use it. */
const REQUEST_CANCELLED = -32_800

/** Message streams of the Agent Client Protocol. What stood before the last prompt belongs to an earlier turn. */
export class AcpSource implements TranscriptSource {
  readonly label = 'acp'
  readonly withoutEnd = 'failed'
  readonly isEndFinal = false
  sessionId: string | null = null
  #fold = new AssistantOutputFold()
  #end: TranscriptEnd | null = null

  collect() {
    return this.#fold.collect()
  }

  end(): TranscriptEnd | null {
    return this.#end
  }

  read(raw: JsonObject): ReadEvent {
    const message = readAcpMessage(raw)
    switch (message.kind) {
      case 'prompt':
        this.#fold = new AssistantOutputFold()
        this.#end = null
        return OTHER_EVENT
      case 'text':
        this.sessionId = message.sessionId ?? this.sessionId
        this.#fold.pushText(message.text)
        return { role: 'assistant', toolUseCount: 0 }
      case 'tool_call':
        return { role: 'other', toolUseCount: 1 }
      case 'session':
        this.sessionId = message.sessionId
        return OTHER_EVENT
      case 'stop':
      case 'error':
        this.#end = endOf(message)
        return OTHER_EVENT
      case 'known':
        return OTHER_EVENT
      case 'unknown':
        return UNHANDLED_EVENT
      default:
        return message satisfies never
    }
  }
}

function endOf(message: Extract<AcpEvent, { kind: 'stop' | 'error' }>): TranscriptEnd {
  if (message.kind === 'stop') {
    return { status: statusFromStopReason('acp', message.reason), stopReason: message.reason, error: null }
  }
  const status = message.code === REQUEST_CANCELLED ? 'aborted' : 'failed'
  return { status, stopReason: null, error: message.message }
}
