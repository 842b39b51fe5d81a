import type { ContentBlock } from '../content.js'
import type { JsonObject } from '../json-object.js'
import { isJsonObject, objectField, stringField } from '../json-object.js'
import type { ProductResult } from './claude-code.js'

/** What a Codex turn reports, in neutral words. `phase` is null for text that names none. */
export type CodexEvent =
  | { readonly kind: 'agent_message'; readonly text: string; readonly phase: string | null }
  | { readonly kind: 'turn_started' }
  | {
      readonly kind: 'turn_completed'
      readonly status: string
      readonly category?: string | null | undefined
      readonly message?: string | null | undefined
    }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'tool' | 'other' }

/** Failure categories that may be named. Source: openai/codex, app-server protocol, `CodexErrorInfo`. */
const KNOWN_CATEGORIES: ReadonlySet<string> = new Set([
  'contextWindowExceeded',
  'sessionBudgetExceeded',
  'usageLimitExceeded',
  'serverOverloaded',
  'httpConnectionFailed',
  'responseStreamConnectionFailed',
  'responseStreamDisconnected',
  'responseTooManyFailedAttempts',
  'internalServerError',
  'unauthorized',
  'badRequest',
  'threadRollbackFailed',
  'sandboxError',
  'other',
])

/** Selects the answer of one Codex turn: the last `final_answer`, else the last text without a phase. */
export class CodexFold {
  #finalAnswer: string | null = null
  #unphased: string | null = null
  #turn: Extract<CodexEvent, { kind: 'turn_completed' }> | null = null
  #isCancelled = false

  push(event: CodexEvent): void {
    if (event.kind === 'turn_started') {
      this.#finalAnswer = null
      this.#unphased = null
      this.#turn = null
    }
    if (event.kind === 'agent_message' && event.phase === 'final_answer') this.#finalAnswer = event.text
    if (event.kind === 'agent_message' && event.phase === null) this.#unphased = event.text
    if (event.kind === 'turn_completed') this.#turn = event
    if (event.kind === 'cancel') this.#isCancelled = true
  }

  /** The answer so far; a blank final answer hides what was said before it. */
  collect(): readonly ContentBlock[] {
    const text = this.#finalAnswer ?? this.#unphased ?? ''
    return text.trim() === '' ? [] : [{ type: 'text', text }]
  }

  /** The turn's end as it was reported; null while it runs. */
  turn(): Extract<CodexEvent, { kind: 'turn_completed' }> | null {
    return this.#turn
  }

  /** What the turn came to for the agent that started it. A completed turn without an answer is an error. */
  settle(): ProductResult {
    const output = this.collect()
    if (this.#isCancelled) return { output, stopReason: 'aborted', failure: null }
    if (this.#turn?.status === 'completed' && output.length > 0) {
      return { output, stopReason: 'completed', failure: null }
    }
    const reported = this.#turn?.category ?? 'unknown'
    const category = KNOWN_CATEGORIES.has(reported) ? reported : 'unknown'
    const stopReason = category === 'contextWindowExceeded' ? 'max-tokens' : 'error'
    return { output, stopReason, failure: { product: 'codex', stage: 'turn', category } }
  }
}

/**
 * Reads one line of `codex exec --json`, one app-server notification, or one line of a session log.
 * Sources: openai/codex, `exec_events`, app-server protocol v2, `protocol` events.
 */
export function readCodexEvent(raw: JsonObject): CodexEvent {
  if (raw.type === 'event_msg' || raw.type === 'response_item')
    return readLogged(objectField(raw, 'payload') ?? {})
  if (typeof raw.kind === 'string') return readNeutral(raw)
  const params = objectField(raw, 'params') ?? raw
  const name = (stringField(raw, 'method') ?? stringField(raw, 'type') ?? '').replaceAll('/', '.')
  switch (name) {
    case 'thread.started':
      return session(params)
    case 'turn.started':
      return { kind: 'turn_started' }
    case 'item.completed':
      return readItem(objectField(params, 'item') ?? {})
    case 'turn.completed':
      return readTurn(objectField(params, 'turn') ?? { status: 'completed' })
    case 'turn.failed':
      return readTurn({ ...params, status: 'failed' })
    default:
      return { kind: 'other' }
  }
}

function session(params: JsonObject): CodexEvent {
  const sessionId = stringField(params, 'thread_id') ?? stringField(objectField(params, 'thread') ?? {}, 'id')
  return sessionId === null ? { kind: 'other' } : { kind: 'session', sessionId }
}

function readItem(item: JsonObject): CodexEvent {
  const type = item.type
  if (type === 'agent_message' || type === 'agentMessage' || type === 'AgentMessage') {
    return { kind: 'agent_message', text: stringField(item, 'text') ?? '', phase: stringField(item, 'phase') }
  }
  return { kind: type === 'reasoning' ? 'other' : 'tool' }
}

function readTurn(turn: JsonObject): CodexEvent {
  const error = objectField(turn, 'error') ?? {}
  return {
    kind: 'turn_completed',
    status: stringField(turn, 'status') ?? 'failed',
    category: categoryOf(error.codexErrorInfo ?? error.codex_error_info),
    message: stringField(error, 'message'),
  }
}

/** A category is a word, or an object whose one field is the word. */
function categoryOf(info: unknown): string | null {
  const word = isJsonObject(info) ? (Object.keys(info)[0] ?? null) : info
  if (typeof word !== 'string') return null
  return word.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

function readLogged(payload: JsonObject): CodexEvent {
  const phase = stringField(payload, 'phase')
  switch (payload.type) {
    case 'agent_message':
      return { kind: 'agent_message', text: stringField(payload, 'message') ?? '', phase }
    case 'message':
      if (payload.role !== 'assistant') return { kind: 'other' }
      return { kind: 'agent_message', text: outputText(payload.content), phase }
    case 'task_started':
    case 'turn_started':
      return { kind: 'turn_started' }
    case 'task_complete':
    case 'turn_complete':
      return { kind: 'turn_completed', status: 'completed' }
    case 'turn_aborted':
      return { kind: 'turn_completed', status: 'interrupted' }
    case 'function_call':
    case 'local_shell_call':
    case 'custom_tool_call':
      return { kind: 'tool' }
    default:
      return { kind: 'other' }
  }
}

function outputText(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isJsonObject(part) ? (stringField(part, 'text') ?? '') : ''))
    .join('')
}

function readNeutral(raw: JsonObject): CodexEvent {
  switch (raw.kind) {
    case 'agent_message':
      return { kind: 'agent_message', text: stringField(raw, 'text') ?? '', phase: stringField(raw, 'phase') }
    case 'turn_completed':
      return {
        kind: 'turn_completed',
        status: stringField(raw, 'status') ?? 'failed',
        category: stringField(raw, 'category'),
        message: stringField(raw, 'message'),
      }
    case 'turn_started':
    case 'cancel':
      return { kind: raw.kind }
    default:
      return { kind: 'other' }
  }
}
