import type { StreamFacts } from './facts.js'
import type { JsonObject } from './fields.js'
import {
  isObject,
  isOptionalDictionary,
  isOptionalFlag,
  isOptionalInteger,
  isOptionalNumber,
  isOptionalObject,
  isOptionalText,
  textField,
  textOf,
} from './fields.js'
import type { MessageGuards } from './turn.js'

function isUsage(usage: JsonObject): boolean {
  return (
    isOptionalInteger(usage.input_tokens) &&
    isOptionalInteger(usage.output_tokens) &&
    isOptionalInteger(usage.cache_read_input_tokens) &&
    isOptionalInteger(usage.cache_creation_input_tokens)
  )
}

function isModelUsage(usage: JsonObject): boolean {
  return (
    isOptionalInteger(usage.inputTokens) &&
    isOptionalInteger(usage.outputTokens) &&
    isOptionalInteger(usage.cacheReadInputTokens) &&
    isOptionalInteger(usage.cacheCreationInputTokens)
  )
}

function isLogEntry(log: JsonObject): boolean {
  return isOptionalText(log.level) && isOptionalText(log.message)
}

/** The fields that claude, codebuddy and qwen all rely on. */
export function isCommonEvent(event: JsonObject): boolean {
  return (
    isOptionalText(event.type) &&
    isOptionalText(event.subtype) &&
    isOptionalText(event.session_id) &&
    isOptionalText(event.model) &&
    isOptionalText(event.result) &&
    isOptionalFlag(event.is_error) &&
    isOptionalObject(event.usage, isUsage)
  )
}

/** The fields claude and codebuddy rely on. */
export function isClaudeEvent(event: JsonObject): boolean {
  return (
    isCommonEvent(event) &&
    isOptionalNumber(event.duration_ms) &&
    isOptionalInteger(event.num_turns) &&
    isOptionalDictionary(event.modelUsage, isModelUsage) &&
    isOptionalObject(event.log, isLogEntry) &&
    isOptionalText(event.request_id)
  )
}

function isMessage(message: JsonObject): boolean {
  return (
    isOptionalText(message.role) && isOptionalText(message.model) && isOptionalObject(message.usage, isUsage)
  )
}

function isBlock(block: JsonObject): boolean {
  return (
    isOptionalText(block.type) &&
    isOptionalText(block.text) &&
    isOptionalText(block.id) &&
    isOptionalText(block.name) &&
    isOptionalText(block.tool_use_id)
  )
}

export const CLAUDE_MESSAGE: MessageGuards = { isMessage, isBlock }

/** Qwen reads the text of a thinking block where claude does not. */
export const QWEN_MESSAGE: MessageGuards = {
  isMessage,
  isBlock: (block) => isBlock(block) && isOptionalText(block.thinking),
}

/** Whether an event is the main agent's and not one of a sub-agent that a tool call started. */
export function isMainAgent(event: JsonObject): boolean {
  return textOf(event.parent_tool_use_id) === ''
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
