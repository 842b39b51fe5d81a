import type { StreamFacts } from './facts.js'
import type { FieldCheck, JsonObject } from './fields.js'
import {
  dictionaryOf,
  isFlag,
  isInteger,
  isNumber,
  isObject,
  isText,
  objectOf,
  shape,
  textField,
} from './fields.js'
import type { MessageShapes } from './turn.js'

const usage = objectOf(
  shape({
    input_tokens: isInteger,
    output_tokens: isInteger,
    cache_read_input_tokens: isInteger,
    cache_creation_input_tokens: isInteger,
  }),
)

const modelUsage = dictionaryOf(
  objectOf(
    shape({
      inputTokens: isInteger,
      outputTokens: isInteger,
      cacheReadInputTokens: isInteger,
      cacheCreationInputTokens: isInteger,
    }),
  ),
)

/** The fields that claude, codebuddy and qwen all rely on. */
export const COMMON_FIELDS = {
  type: isText,
  subtype: isText,
  session_id: isText,
  model: isText,
  result: isText,
  is_error: isFlag,
  usage,
} as const satisfies Record<string, FieldCheck>

/** The fields claude and codebuddy rely on. */
export const CLAUDE_FIELDS = {
  ...COMMON_FIELDS,
  duration_ms: isNumber,
  num_turns: isInteger,
  modelUsage,
  log: objectOf(shape({ level: isText, message: isText })),
  request_id: isText,
} as const satisfies Record<string, FieldCheck>

const BLOCK_FIELDS = { type: isText, text: isText, id: isText, name: isText, tool_use_id: isText } as const

const message = shape({ role: isText, model: isText, usage })

export const CLAUDE_MESSAGE: MessageShapes = { message, block: shape(BLOCK_FIELDS) }
export const QWEN_MESSAGE: MessageShapes = { message, block: shape({ ...BLOCK_FIELDS, thinking: isText }) }

/** Whether an event is the main agent's and not one of a sub-agent that a tool call started. */
export function isMainAgent(event: JsonObject): boolean {
  return textField(event, 'parent_tool_use_id') === ''
}

/** Takes the text of a partial message; these come before the message they belong to. */
export function readStreamEvent(event: JsonObject, facts: StreamFacts): void {
  const { event: part } = event
  if (!isMainAgent(event) || !isObject(part) || part.type !== 'content_block_delta') return
  if (isObject(part.delta) && part.delta.type === 'text_delta') facts.takeDelta(textField(part.delta, 'text'))
}

/** Why the model stopped, as a terminal event says it. */
export function readStopReason(event: JsonObject): string | null {
  const stopReason = textField(event, 'stop_reason')
  return stopReason === '' ? null : stopReason
}

/** Whether a subtype names an error, whatever the error flag says. */
export function isErrorSubtype(subtype: string): boolean {
  return subtype === 'error' || subtype === 'failed' || subtype.startsWith('error_')
}
