import type { ContentBlock } from '../content.js'
import type { JsonObject } from '../json-object.js'
import { isJsonObject, objectField, stringField } from '../json-object.js'

/** One message or stream event of an Anthropic-style API, in neutral words. */
export type AnthropicEvent =
  | { readonly kind: 'message'; readonly content: readonly ContentBlock[]; readonly reason: string | null }
  | { readonly kind: 'delta'; readonly text: string }
  | { readonly kind: 'reason'; readonly reason: string | null }
  | { readonly kind: 'question' }
  | { readonly kind: 'failed'; readonly message: string | null; readonly reason: string | null }
  | { readonly kind: 'other' }

/**
 * Reads one entry: a message, or one event of a message stream. A user message that only carries tool results is no new
 * question. Source: https://docs.claude.com/en/api/messages and /messages-streaming
 */
export function readAnthropicEntry(raw: JsonObject): AnthropicEvent {
  if (raw.type === 'error') {
    const error = objectField(raw, 'error') ?? {}
    return { kind: 'failed', message: stringField(error, 'message'), reason: stringField(error, 'type') }
  }
  const delta = objectField(raw, 'delta') ?? {}
  if (raw.type === 'content_block_delta') {
    return { kind: 'delta', text: delta.type === 'text_delta' ? (stringField(delta, 'text') ?? '') : '' }
  }
  if (raw.type === 'message_delta') return { kind: 'reason', reason: stringField(delta, 'stop_reason') }
  if (raw.role === 'user') return { kind: isToolResults(raw.content) ? 'other' : 'question' }
  if (raw.role !== 'assistant') return { kind: 'other' }
  return { kind: 'message', content: contentBlocks(raw.content), reason: stringField(raw, 'stop_reason') }
}

function isToolResults(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((block: unknown) => isJsonObject(block) && block.type === 'tool_result')
  )
}

function contentBlocks(content: unknown): readonly ContentBlock[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw new TypeError('message content must be text or a list of blocks')
  return content.map((block: unknown) => {
    if (!isJsonObject(block)) throw new TypeError('a content block must be an object')
    const type = stringField(block, 'type')
    if (type === null) throw new TypeError('a content block must have a type')
    const text = stringField(block, 'text')
    return text === null ? { ...block, type, text: undefined } : { ...block, type, text }
  })
}
