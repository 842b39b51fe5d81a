import { finaliseCursor } from './cursor-finalise.js'
import type { StreamFacts } from './facts.js'
import type { JsonObject } from './fields.js'
import { isFlag, isInteger, isNumber, isObject, isText, objectOf, shape, textField } from './fields.js'
import { trimSpace } from './parse-line.js'
import type { StreamProvider } from './provider.js'
import type { MessageShapes } from './turn.js'
import { readMessage } from './turn.js'

const TOKEN_COUNTS = {
  inputTokens: isInteger,
  outputTokens: isInteger,
  cacheReadTokens: isInteger,
  cacheWriteTokens: isInteger,
} as const

const usage = objectOf(
  shape({
    ...TOKEN_COUNTS,
    input_tokens: isInteger,
    output_tokens: isInteger,
    cached_input_tokens: isInteger,
  }),
)

const CURSOR_MESSAGE: MessageShapes = {
  message: shape({ model: isText, usage }),
  block: shape({ type: isText, text: isText, id: isText, name: isText }),
}

/** cursor-agent's stream. Its answer is everything the assistant wrote, and a result ends the run at once. */
export const cursor: StreamProvider = {
  eventShape: shape({
    type: isText,
    subtype: isText,
    session_id: isText,
    model: isText,
    text: isText,
    tool_name: isText,
    tool_id: isText,
    call_id: isText,
    output: isText,
    result: isText,
    is_error: isFlag,
    total_cost_usd: isNumber,
    error: isText,
    detail: isText,
    usage,
    ...TOKEN_COUNTS,
  }),
  cleanLine: (line) => trimSpace(line.replace(/^(?:stdout|stderr)[\t\n\f\r ]*[:=]?/i, '')),
  read: readEvent,
  finalise: finaliseCursor,
  resumeEvidence: 'nowhere',
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
