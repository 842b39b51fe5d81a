import type { JsonObject } from '../json-object.js'
import { objectField, stringField } from '../json-object.js'

/** One message of the Agent Client Protocol, in neutral words. */
export type AcpEvent =
  | { readonly kind: 'text'; readonly text: string; readonly sessionId: string | null }
  | { readonly kind: 'tool_call' }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'stop'; readonly reason: string }
  | { readonly kind: 'error'; readonly code: number | null; readonly message: string | null }
  | { readonly kind: 'known' }
  | { readonly kind: 'unknown' }

const SILENT_UPDATES: ReadonlySet<unknown> = new Set([
  'user_message_chunk',
  'agent_thought_chunk',
  'tool_call_update',
  'plan',
  'available_commands_update',
  'current_mode_update',
])

/**
 * Reads one JSON-RPC message, or one bare session update. Only text of `agent_message_chunk` is the agent's word.
 * Source: https://agentclientprotocol.com/protocol/prompt-turn
 */
export function readAcpMessage(raw: JsonObject): AcpEvent {
  if (raw.method === 'session/prompt') return { kind: 'prompt' }
  if (raw.method === 'session/update') {
    const params = objectField(raw, 'params') ?? {}
    return readUpdate(objectField(params, 'update') ?? {}, stringField(params, 'sessionId'))
  }
  if (typeof raw.sessionUpdate === 'string') return readUpdate(raw, null)
  const error = objectField(raw, 'error')
  if (error !== null) {
    const code = typeof error.code === 'number' ? error.code : null
    return { kind: 'error', code, message: stringField(error, 'message') }
  }
  return readResult(objectField(raw, 'result') ?? raw, raw)
}

function readResult(result: JsonObject, raw: JsonObject): AcpEvent {
  const reason = stringField(result, 'stopReason')
  if (reason !== null) return { kind: 'stop', reason }
  const sessionId = stringField(result, 'sessionId')
  if (sessionId !== null && raw.method === undefined) return { kind: 'session', sessionId }
  return { kind: raw.jsonrpc === undefined ? 'unknown' : 'known' }
}

function readUpdate(update: JsonObject, sessionId: string | null): AcpEvent {
  if (update.sessionUpdate === 'tool_call') return { kind: 'tool_call' }
  if (update.sessionUpdate !== 'agent_message_chunk') {
    return { kind: SILENT_UPDATES.has(update.sessionUpdate) ? 'known' : 'unknown' }
  }
  const content = objectField(update, 'content') ?? {}
  const text = content.type === 'text' ? (stringField(content, 'text') ?? '') : ''
  return { kind: 'text', text, sessionId }
}
