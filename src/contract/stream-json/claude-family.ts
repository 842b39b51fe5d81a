import {
  CLAUDE_MESSAGE,
  isErrorSubtype,
  isMainAgent,
  readStopReason,
  readStreamEvent,
} from './claude-wire.js'
import type { StreamFacts, Terminal } from './facts.js'
import type { JsonObject } from './fields.js'
import { textField } from './fields.js'
import { errorResultText } from './finalise.js'
import { safeTypeName } from './tally.js'
import { readMessage } from './turn.js'

/** Where a runtime of the claude family goes its own way. */
export interface ClaudeDialect {
  /** The runtime's name in error texts. */
  readonly label: string
  /** The error text of a terminal event whose structured reason is an error by itself; null for any other. */
  structuredFailure(event: JsonObject): string | null
  /** Sees every user event: tool results come back in them. */
  inspectUser(event: JsonObject, facts: StreamFacts): void
}

/** Reads one event of a runtime that speaks claude's stream-json. */
export function readClaudeEvent(
  event: JsonObject,
  type: string,
  facts: StreamFacts,
  dialect: ClaudeDialect,
): void {
  switch (type) {
    case 'assistant':
      facts.takeTurn(readMessage(event.message, CLAUDE_MESSAGE), isMainAgent(event))
      return
    case 'user':
      dialect.inspectUser(event, facts)
      return
    case 'system':
      facts.sessionId = textField(event, 'session_id') || facts.sessionId
      return
    case 'result':
      facts.terminal = readResult(event, dialect, facts.isStrict)
      // A result without a session id erases the earlier one: the runtime then vouches for no session.
      facts.sessionId = textField(event, 'session_id')
      return
    case 'stream_event':
      readStreamEvent(event, facts)
      return
    case 'log':
    case 'control_request':
    case 'control_response':
    case 'control_cancel_request':
    case 'keep_alive':
    case 'rate_limit_event':
    case 'tool_progress':
      return
    default:
      facts.tally.countUnhandledType(type)
  }
}

function readResult(event: JsonObject, dialect: ClaudeDialect, isStrict: boolean): Terminal {
  const text = textField(event, 'result')
  return { text, failure: readFailure(event, text, dialect, isStrict), stopReason: readStopReason(event) }
}

function readFailure(
  event: JsonObject,
  text: string,
  dialect: ClaudeDialect,
  isStrict: boolean,
): string | null {
  const structured = dialect.structuredFailure(event)
  if (structured !== null) return structured
  const subtype = textField(event, 'subtype')
  const namesError = !isStrict && isErrorSubtype(subtype)
  if (event.is_error !== true && !namesError) return null
  // The subtype is the only detail such a result has, and it tells a turn limit from a crash.
  if (namesError && text === '') return `${dialect.label} returned an error result: ${safeTypeName(subtype)}`
  return errorResultText(dialect.label, text)
}
