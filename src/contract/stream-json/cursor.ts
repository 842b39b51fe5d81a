import { finaliseCursor } from './cursor-finalise.js'
import type { StreamFacts } from './facts.js'
import type { JsonObject } from './fields.js'
import {
  isObject,
  isOptionalFlag,
  isOptionalInteger,
  isOptionalNumber,
  isOptionalObject,
  isOptionalText,
  textField,
} from './fields.js'
import { trimSpace } from './parse-line.js'
import type { StreamProvider } from './provider.js'
import type { MessageGuards } from './turn.js'
import { readMessage } from './turn.js'

/** cursor-agent's stream. Its answer is everything the assistant wrote, and a result ends the run at once. */
export const cursor: StreamProvider = {
  isEvent,
  cleanLine: (line) => trimSpace(line.replace(/^(?:stdout|stderr)[\t\n\f\r ]*[:=]?/i, '')),
  read: readEvent,
  finalise: finaliseCursor,
  resumeEvidence: 'nowhere',
}

function isEvent(event: JsonObject): boolean {
  return (
    isOptionalText(event.type) &&
    isOptionalText(event.subtype) &&
    isOptionalText(event.session_id) &&
    isOptionalText(event.model) &&
    isOptionalText(event.text) &&
    isOptionalText(event.tool_name) &&
    isOptionalText(event.tool_id) &&
    isOptionalText(event.call_id) &&
    isOptionalText(event.output) &&
    isOptionalText(event.result) &&
    isOptionalFlag(event.is_error) &&
    isOptionalNumber(event.total_cost_usd) &&
    isOptionalText(event.error) &&
    isOptionalText(event.detail) &&
    hasTokenCounts(event) &&
    isOptionalObject(event.usage, isUsage)
  )
}

/** Token counts came at the top of an event, then in its `usage`, in two spellings. */
function hasTokenCounts(object: JsonObject): boolean {
  return (
    isOptionalInteger(object.inputTokens) &&
    isOptionalInteger(object.outputTokens) &&
    isOptionalInteger(object.cacheReadTokens) &&
    isOptionalInteger(object.cacheWriteTokens)
  )
}

function isUsage(usage: JsonObject): boolean {
  return (
    hasTokenCounts(usage) &&
    isOptionalInteger(usage.input_tokens) &&
    isOptionalInteger(usage.output_tokens) &&
    isOptionalInteger(usage.cached_input_tokens)
  )
}

const CURSOR_MESSAGE: MessageGuards = {
  isMessage: (message) => isOptionalText(message.model) && isOptionalObject(message.usage, isUsage),
  isBlock: (block) =>
    isOptionalText(block.type) &&
    isOptionalText(block.text) &&
    isOptionalText(block.id) &&
    isOptionalText(block.name),
}

function readEvent(event: JsonObject, type: string, facts: StreamFacts): void {
  facts.sessionId = trimSpace(textField(event, 'session_id')) || facts.sessionId
  switch (type) {
    case 'system':
      readSystem(event, facts)
      return
    case 'assistant':
      readAssistant(event, facts)
      return
    case 'text':
      takeText(isObject(event.part) ? textField(event.part, 'text') : '', facts)
      return
    case 'thinking':
      countSubtype(event, facts, ['delta', 'completed'])
      return
    case 'tool_call':
      if (event.subtype === 'started') facts.tally.toolUseCount++
      countSubtype(event, facts, ['started', 'completed'])
      return
    case 'tool_use':
      facts.tally.toolUseCount++
      return
    case 'error':
      facts.protocolError = readErrorText(event) || facts.protocolError
      return
    case 'result':
      readResult(event, facts)
      return
    case 'tool_result':
    case 'step_finish':
    case 'user':
    case 'connection':
    case 'retry':
      return
    default:
      facts.tally.countUnhandledType(type)
  }
}

function readSystem(event: JsonObject, facts: StreamFacts): void {
  if (event.subtype === 'error') facts.protocolError = readErrorText(event) || facts.protocolError
  countSubtype(event, facts, ['init', 'error'])
}

function readAssistant(event: JsonObject, facts: StreamFacts): void {
  facts.tally.assistantEventCount++
  const body = readMessage(event.message, CURSOR_MESSAGE)
  if (body === null) {
    facts.tally.unreadableAssistantCount++
    return
  }
  for (const block of body.blocks) {
    if (block.type === 'text' || block.type === 'output_text') facts.streamed += textField(block, 'text')
  }
  facts.takeMessage(body)
}

function takeText(text: string, facts: StreamFacts): void {
  facts.streamed += text
  facts.takeDelta(text)
}

function readResult(event: JsonObject, facts: StreamFacts): void {
  const isError = event.is_error === true || event.subtype === 'error'
  const stopReason = textField(event, 'stop_reason')
  facts.terminal = {
    text: textField(event, 'result'),
    failure: isError ? readErrorText(event) : null,
    stopReason: stopReason === '' ? null : stopReason,
  }
  // The worker may linger and write on; nothing after its result is this run's.
  facts.isClosed = true
}

function readErrorText(event: JsonObject): string {
  return textField(event, 'error') || textField(event, 'detail') || textField(event, 'result')
}

function countSubtype(event: JsonObject, facts: StreamFacts, known: readonly string[]): void {
  if (!known.includes(textField(event, 'subtype'))) facts.tally.unhandledSubtypeCount++
}
