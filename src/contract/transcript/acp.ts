import { readAcpMessage } from '../adapters/acp.js'
import { AssistantOutputFold } from '../selection/fold.js'
import { statusFromStopReason } from '../status.js'
import type { TranscriptEnd, TranscriptSource } from './source.js'
import { OTHER_EVENT, UNHANDLED_EVENT } from './source.js'

/** JSON-RPC's code for a cancelled request, as language servers and ACP use it. */
const REQUEST_CANCELLED = -32_800

/** Message streams of the Agent Client Protocol. What stood before the last prompt belongs to an earlier turn. */
export function createAcpSource(): TranscriptSource {
  let fold = new AssistantOutputFold()
  let end: TranscriptEnd | null = null
  let sessionId: string | null = null
  return {
    label: 'acp',
    withoutEnd: 'failed',
    isEndFinal: false,
    get sessionId() {
      return sessionId
    },
    collect: () => fold.collect(),
    end: () => end,
    read: (raw) => {
      const message = readAcpMessage(raw)
      switch (message.kind) {
        case 'prompt':
          fold = new AssistantOutputFold()
          end = null
          return OTHER_EVENT
        case 'text':
          sessionId = message.sessionId ?? sessionId
          fold.pushText(message.text)
          return { role: 'assistant', toolUseCount: 0 }
        case 'tool_call':
          return { role: 'other', toolUseCount: 1 }
        case 'session':
          sessionId = message.sessionId
          return OTHER_EVENT
        case 'stop':
          end = {
            status: statusFromStopReason('acp', message.reason),
            stopReason: message.reason,
            error: null,
          }
          return OTHER_EVENT
        case 'error':
          end = {
            status: message.code === REQUEST_CANCELLED ? 'aborted' : 'failed',
            stopReason: null,
            error: message.message,
          }
          return OTHER_EVENT
        case 'known':
          return OTHER_EVENT
        case 'unknown':
          return UNHANDLED_EVENT
        default:
          return message satisfies never
      }
    },
  }
}
