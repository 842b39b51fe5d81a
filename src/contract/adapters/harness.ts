import type { JsonObject } from '../json-object.js'
import { objectField, stringField } from '../json-object.js'
import type { AssistantEvent } from '../selection/event.js'

/** One event of a session log, in neutral words. */
export type HarnessEvent =
  | { readonly kind: 'assistant'; readonly event: AssistantEvent }
  | { readonly kind: 'turn_start' }
  | { readonly kind: 'turn_end'; readonly reason: string | null }
  | { readonly kind: 'other' }

/**
 * Reads one event of a harness session log: separate chunk events (`assistant/chunk`) and streams embedded in messages
 * and attempts (`assistant/message`, `assistant/attempt`). Tool results and everything else say nothing.
 */
export function readHarnessEvent(raw: JsonObject): HarnessEvent {
  const data = objectField(raw, 'data') ?? {}
  switch (raw.type) {
    case 'assistant/message':
      return assistant({
        kind: 'assistant_message',
        content: objectField(data, 'message')?.content,
        stream: data.stream,
      })
    case 'assistant/attempt':
      return assistant({ kind: 'assistant_attempt', stream: data.stream })
    case 'assistant/chunk':
      return assistant({ kind: 'assistant_chunk', chunk: data.chunk })
    case 'turn/start':
      return { kind: 'turn_start' }
    case 'turn/end':
      return { kind: 'turn_end', reason: stringField(data, 'reason') ?? stringField(data, 'stopReason') }
    default:
      return { kind: 'other' }
  }
}

function assistant(event: AssistantEvent): HarnessEvent {
  return { kind: 'assistant', event }
}
