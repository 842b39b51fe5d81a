import type { ContentBlock } from '../content.js'
import { isJsonObject } from '../json-object.js'
import { readRecordText } from './stream-record.js'

/** One streamed piece: only `text-delta` carries words of an answer. */
export interface StreamPart {
  readonly type: string
  readonly text?: string | undefined
  readonly [field: string]: unknown
}

/**
 * What an agent's log says, in neutral words. `stream` holds streamed pieces or compact records, `records` only compact
 * records (`text-chunks`, `reasoning-chunks`, `tool-call-chunks`, `chunk`). Any other kind is ignored by the selection.
 */
export type AssistantEvent =
  | {
      readonly kind: 'assistant_message'
      readonly content: readonly ContentBlock[]
      readonly stream?: readonly StreamPart[] | undefined
      readonly interrupted?: boolean | undefined
    }
  | {
      readonly kind: 'assistant_attempt'
      readonly stream?: readonly StreamPart[] | undefined
      readonly records?: readonly StreamPart[] | undefined
    }
  | { readonly kind: 'assistant_chunk'; readonly chunk: StreamPart }
  | { readonly kind: 'raw_text'; readonly text: string }
  | { readonly kind: string; readonly [field: string]: unknown }

/** What one event adds to a selection: a message that may be the answer, streamed text, or neither. */
export interface Contribution {
  readonly message: readonly ContentBlock[]
  readonly text: string
}

const NOTHING: Contribution = { message: [], text: '' }

/**
 * Reads what one event adds to the selection.
 * @throws {TypeError} when a message, stream or compact record is malformed
 */
export function readContribution(event: AssistantEvent): Contribution {
  const fields: Readonly<Record<string, unknown>> = event
  switch (event.kind) {
    case 'assistant_message':
      return { message: readBlocks(fields.content), text: readStream(fields.stream, 'lenient') }
    case 'assistant_attempt':
      return {
        message: [],
        text: readStream(fields.stream, 'lenient') + readStream(fields.records, 'records'),
      }
    case 'assistant_chunk':
      return { message: [], text: readChunkText(fields.chunk) }
    case 'raw_text':
      return { message: [], text: typeof fields.text === 'string' ? fields.text : '' }
    default:
      return NOTHING
  }
}

function readBlocks(content: unknown): readonly ContentBlock[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw new TypeError('message content must be a list of blocks')
  return content.map(readBlock)
}

function readBlock(block: unknown): ContentBlock {
  if (!isJsonObject(block)) throw new TypeError('a content block must be an object')
  const { type, text } = block
  if (typeof type !== 'string') throw new TypeError('a content block must have a type')
  if (text !== undefined && typeof text !== 'string') {
    if (type === 'text') throw new TypeError('the text of a text block must be a string')
    return { ...block, type, text: undefined }
  }
  return { ...block, type, ...(text === undefined ? {} : { text }) }
}

function readStream(stream: unknown, mode: 'lenient' | 'records'): string {
  if (stream === undefined || stream === null) return ''
  if (!Array.isArray(stream)) throw new TypeError('a stream must be a list')
  let text = ''
  for (const part of stream) text += readRecordText(part, mode) ?? readChunkText(part)
  return text
}

/** The words of one streamed piece; everything but a text delta says nothing. */
export function readChunkText(chunk: unknown): string {
  if (!isJsonObject(chunk) || chunk.type !== 'text-delta') return ''
  return typeof chunk.text === 'string' ? chunk.text : ''
}
