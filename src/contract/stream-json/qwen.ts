import {
  isCommonEvent,
  isErrorSubtype,
  isMainAgent,
  QWEN_MESSAGE,
  readStopReason,
  readStreamEvent,
} from './claude-wire.js'
import type { StreamFacts, Terminal } from './facts.js'
import type { JsonObject } from './fields.js'
import { isObject, textField } from './fields.js'
import { finaliseStream } from './finalise.js'
import type { StreamProvider } from './provider.js'
import { keepLine } from './provider.js'
import { readMessage } from './turn.js'

/** Qwen Code's native stream. Its prompt is an argument, so there is no write error to speak of. */
export const qwen: StreamProvider = {
  isEvent: isCommonEvent,
  cleanLine: keepLine,
  read: readEvent,
  finalise: (facts, exit) => finaliseStream(facts, exit, { label: 'qwen', readsStdin: false }),
  resumeEvidence: 'error',
}

function readEvent(event: JsonObject, type: string, facts: StreamFacts): void {
  facts.sessionId = textField(event, 'session_id') || facts.sessionId
  switch (type) {
    case 'assistant':
      facts.takeTurn(readMessage(event.message, QWEN_MESSAGE), isMainAgent(event))
      return
    case 'result':
      facts.terminal = readResult(event, facts.isStrict)
      return
    case 'error':
      facts.terminal = { text: '', failure: readErrorText(event), stopReason: null }
      return
    case 'stream_event':
      readStreamEvent(event, facts)
      return
    case 'user':
    case 'system':
      return
    default:
      facts.tally.countUnhandledType(type)
  }
}

function readResult(event: JsonObject, isStrict: boolean): Terminal {
  const subtype = textField(event, 'subtype')
  const namesError = isStrict ? subtype === 'error' || subtype === 'failed' : isErrorSubtype(subtype)
  const isError = event.is_error === true || namesError
  return {
    text: textField(event, 'result'),
    failure: isError ? readErrorText(event) : null,
    stopReason: readStopReason(event),
  }
}

/** The result's text, else the error's message, else the error as JSON: its shape differs from version to version. */
function readErrorText(event: JsonObject): string {
  const { error } = event
  const text = textField(event, 'result') || (isObject(error) ? textField(error, 'message') : '')
  if (text !== '') return text
  return error === undefined || error === null
    ? 'qwen returned an error event without details'
    : JSON.stringify(error)
}
