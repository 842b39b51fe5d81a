import type { ContentBlock } from '../content.js'
import type { JsonObject } from '../json-object.js'
import { isJsonObject, objectField, stringField } from '../json-object.js'

/** One message, response or streamed chunk of an OpenAI-style API, in neutral words. */
export type OpenAiEvent =
  | { readonly kind: 'message'; readonly content: readonly ContentBlock[]; readonly reason: string | null }
  | { readonly kind: 'delta'; readonly text: string; readonly reason: string | null }
  | { readonly kind: 'question' }
  | { readonly kind: 'failed'; readonly message: string | null; readonly reason: string | null }
  | { readonly kind: 'other' }

/**
 * Reads one entry: a chat message, a `chat.completion` or its streamed chunk, or a Responses object or item.
 * Source: https://platform.openai.com/docs/api-reference/chat and /responses
 */
export function readOpenAiEntry(raw: JsonObject): OpenAiEvent {
  if (isJsonObject(raw.error))
    return { kind: 'failed', message: stringField(raw.error, 'message'), reason: 'error' }
  if (Array.isArray(raw.choices)) return readChoice(raw.choices[0])
  if (raw.object === 'response') return readResponse(raw)
  const message = objectField(raw, 'message')
  if (message !== null && raw.role === undefined)
    return readOpenAiEntry({ ...message, finish_reason: raw.finish_reason })
  if (raw.role === 'user') return { kind: 'question' }
  if (raw.role !== 'assistant') return { kind: 'other' }
  return {
    kind: 'message',
    content: messageBlocks(raw),
    reason: refusalOr(raw, stringField(raw, 'finish_reason')),
  }
}

function readChoice(choice: unknown): OpenAiEvent {
  if (!isJsonObject(choice)) return { kind: 'other' }
  const reason = stringField(choice, 'finish_reason')
  const message = objectField(choice, 'message')
  if (message !== null) {
    return { kind: 'message', content: messageBlocks(message), reason: refusalOr(message, reason) }
  }
  const delta = objectField(choice, 'delta') ?? {}
  return { kind: 'delta', text: stringField(delta, 'content') ?? '', reason: refusalOr(delta, reason) }
}

function readResponse(response: JsonObject): OpenAiEvent {
  const error = objectField(response, 'error')
  if (error !== null)
    return { kind: 'failed', message: stringField(error, 'message'), reason: stringField(error, 'code') }
  const items = Array.isArray(response.output) ? response.output.filter(isJsonObject) : []
  const content = items.map(itemBlocks).findLast((blocks) => blocks.length > 0) ?? []
  const incomplete = objectField(response, 'incomplete_details')
  const reason = incomplete === null ? stringField(response, 'status') : stringField(incomplete, 'reason')
  return { kind: 'message', content, reason }
}

function itemBlocks(item: JsonObject): readonly ContentBlock[] {
  if (item.type === 'message') return messageBlocks(item)
  return item.type === 'function_call' ? [{ ...item, type: 'tool-call' }] : []
}

function messageBlocks(message: JsonObject): readonly ContentBlock[] {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : []
  return [...contentBlocks(message.content), ...calls.map((call) => ({ ...call, type: 'tool-call' }))]
}

function contentBlocks(content: unknown): readonly ContentBlock[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw new TypeError('message content must be text or a list of parts')
  return content.map((part: unknown) => {
    if (!isJsonObject(part)) throw new TypeError('a content part must be an object')
    const type = stringField(part, 'type') ?? 'unknown'
    const text = stringField(part, 'text')
    const isText = (type === 'text' || type === 'output_text') && text !== null
    return isText ? { type: 'text', text } : { ...part, type, text: undefined }
  })
}

/** A `refusal` text beside the content means the model declined, whatever the finish reason says. */
function refusalOr(message: JsonObject, reason: string | null): string | null {
  return typeof message.refusal === 'string' && message.refusal !== '' ? 'refusal' : reason
}
