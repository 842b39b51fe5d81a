import type { Guard, JsonObject } from './fields.js'
import { isObject, textOf } from './fields.js'

/** The body of a message event, read. */
export interface MessageBody {
  readonly blocks: readonly JsonObject[]
  /** Empty when the transcript names none. */
  readonly model: string
  readonly stopReason: string | null
}

/** What a provider relies on in a message and in each of its blocks. */
export interface MessageGuards {
  readonly isMessage: Guard
  readonly isBlock: Guard
}

const EMPTY_BODY: MessageBody = { blocks: [], model: '', stopReason: null }

/** Reads a message body; null when it does not parse. A `null` body or `null` content is an empty message. */
export function readMessage(message: unknown, guards: MessageGuards): MessageBody | null {
  if (message === null) return EMPTY_BODY
  if (!isObject(message) || !guards.isMessage(message)) return null
  const blocks = readBlocks(message.content, guards.isBlock)
  if (blocks === null) return null
  const stopReason = textOf(message.stop_reason)
  return { blocks, model: textOf(message.model), stopReason: stopReason === '' ? null : stopReason }
}

function readBlocks(content: unknown, isBlock: Guard): readonly JsonObject[] | null {
  if (content === undefined || content === null) return []
  if (!Array.isArray(content)) return null
  const blocks: JsonObject[] = []
  for (const value of content) {
    const entry = value === null ? {} : value
    if (!isObject(entry) || !isBlock(entry)) return null
    blocks.push(entry)
  }
  return blocks
}

/** One assistant event, seen through the only question it must answer: may an answer captured earlier survive it? */
export interface Turn {
  readonly text: string
  readonly toolUseCount: number
  readonly isUnderstood: boolean
}

const UNREADABLE_TURN: Turn = { text: '', toolUseCount: 0, isUnderstood: false }

const SILENT_BLOCKS: ReadonlySet<string> = new Set(['thinking'])
const SILENT_BLOCKS_LENIENT: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking'])

/**
 * Classifies a turn by its blocks. A block of a type nobody handles, or of none, makes the turn not understood.
 *
 * @param body null when the message did not parse
 * @param isStrict whether `redacted_thinking` counts as unhandled, as it does for the runtimes
 */
export function classifyTurn(body: MessageBody | null, isStrict: boolean): Turn {
  if (body === null) return UNREADABLE_TURN
  const silentBlocks = isStrict ? SILENT_BLOCKS : SILENT_BLOCKS_LENIENT
  let text = ''
  let toolUseCount = 0
  let isUnderstood = true
  for (const block of body.blocks) {
    const type = textOf(block.type)
    if (type === 'text') text += textOf(block.text)
    else if (type === 'tool_use') toolUseCount++
    else if (!silentBlocks.has(type)) isUnderstood = false
  }
  return { text, toolUseCount, isUnderstood }
}

/** The fallback answer after a turn: cleared by a tool use or by what we do not understand, replaced by text, else kept. */
export function fallbackAfter(turn: Turn, earlier: string): string {
  if (turn.toolUseCount > 0 || !turn.isUnderstood) return ''
  return turn.text === '' ? earlier : turn.text
}
