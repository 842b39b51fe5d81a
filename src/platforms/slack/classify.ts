import type { Fault } from '../../deliver/platform.js'
import { NOTHING_LEFT_THE_HOST, SLACK_ERRORS } from './error-codes.js'

/** The call a fault belongs to. `nowMs` resolves a Retry-After that is a date; milliseconds since the epoch, UTC. */
export interface FailedCall {
  readonly method: string
  readonly nowMs: number
}

/** The shortest wait we keep after a 429: Slack counts messages by the second, and "0" would spin. */
export const RETRY_AFTER_FLOOR_MS = 1_000
/** Longer waits are taken for a broken header; asking once a day does no harm. */
export const RETRY_AFTER_CEILING_MS = 86_400_000
/** The workspace is over its plan's message limit. Slack names no wait; a quarter of an hour asks rarely enough. */
export const MESSAGE_LIMIT_WAIT_MS = 900_000

const CODE_SHAPE = /^[a-z0-9_]{1,100}$/
const CARRIES_CONTENT = /^(chat\.(postMessage|update)|files\..+)$/
// The SDK throws a plain Error for a 429 whose Retry-After is not a number and keeps the header only in its text.
const UNREADABLE_RETRY_AFTER = /^Retry header did not contain a valid timeout .*retry-after header: (.*)\)$/s

/**
 * Turns whatever a Slack call threw into a fault. Total: anything unrecognised is `unknown`, because a message
 * may stand in the conversation and sending it again would repeat it.
 */
export function classify(error: unknown, call: FailedCall): Fault {
  switch (stringOf(error, 'code')) {
    case 'slack_webapi_platform_error':
      return classifyRefusal(fieldOf(error, 'data'), call)
    case 'slack_webapi_rate_limited_error':
      return rateLimited('ratelimited', secondsToMs(fieldOf(error, 'retryAfter')), call)
    case 'slack_webapi_http_error':
      return classifyStatus(error, call)
    default:
      return classifyPlainError(error, call)
  }
}

/**
 * A refusal by name, as in the body `{ ok: false, error: name }`. Slack's lists are never complete: a name that is
 * not in ours is final for this part (a simpler rendering is tried) or, where no part was sent, our gap.
 */
export function classifyCode(code: string, call: FailedCall, retryAfterMs: number | null = null): Fault {
  const rule = Object.hasOwn(SLACK_ERRORS, code) ? SLACK_ERRORS[code] : undefined
  if (rule === undefined)
    return CARRIES_CONTENT.test(call.method) ? { kind: 'content', final: false, code } : { kind: 'bug', code }
  if (rule.kind === 'rate_limited') {
    if (code === 'message_limit_exceeded') {
      return { kind: 'rate_limited', code, scope: 'method', retryAfterMs: MESSAGE_LIMIT_WAIT_MS }
    }
    return rateLimited(code, retryAfterMs, call)
  }
  // A missing files:write must cost the file, not every answer of the installation.
  if (code === 'missing_scope' && call.method.startsWith('files.'))
    return { kind: 'content', final: false, code }
  return { ...rule, code }
}

/**
 * Reads a Retry-After header: whole seconds or an HTTP date. Null when it is absent or garbage, so that the
 * caller's own backoff decides.
 */
export function parseRetryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const text = header.trim()
  if (/^-?\d+(\.\d+)?$/.test(text)) return secondsToMs(Number(text))
  // Only a real HTTP date names a weekday; Date.parse alone would accept "soon 5".
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : bounded(atMs - nowMs)
}

function classifyRefusal(data: unknown, call: FailedCall): Fault {
  const code = stringOf(data, 'error')
  // The SDK puts a body that is not JSON (a proxy's page) where the code belongs.
  if (code === null || !CODE_SHAPE.test(code)) return { kind: 'unknown', code: 'unreadable_answer' }
  return classifyCode(code, call, secondsToMs(fieldOf(fieldOf(data, 'response_metadata'), 'retryAfter')))
}

function classifyStatus(error: unknown, call: FailedCall): Fault {
  const status = fieldOf(error, 'statusCode')
  const vendorLogId = stringOf(fieldOf(error, 'headers'), 'x-slack-req-id') ?? undefined
  const code = `http_${typeof status === 'number' ? status : 'unknown'}`
  // The SDK has parsed a JSON body.
  const named = stringOf(fieldOf(error, 'body'), 'error')
  // Of the failures Slack also sends with a 5xx, only those it documents as "not attempted" are believed.
  if (named !== null && Object.hasOwn(SLACK_ERRORS, named)) {
    const fault = classifyCode(named, call)
    if (fault.kind === 'not_sent' || fault.kind === 'rate_limited') return { ...fault, vendorLogId }
  }
  if (status === 413) return { kind: 'content', final: false, code, vendorLogId }
  const isRefusedRequest =
    typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 499
  return { kind: isRefusedRequest ? 'not_sent' : 'unknown', code, vendorLogId }
}

function classifyPlainError(error: unknown, call: FailedCall): Fault {
  const header = UNREADABLE_RETRY_AFTER.exec(stringOf(error, 'message') ?? '')?.[1]
  if (header !== undefined) return rateLimited('ratelimited', parseRetryAfterMs(header, call.nowMs), call)
  const leaves = causesOf(error)
  const proofs = leaves.map(codeBeforeSending)
  const [first] = proofs
  if (first && proofs.every((proof) => proof !== null)) return { kind: 'not_sent', code: first.toLowerCase() }
  return {
    kind: 'unknown',
    code: leaves.map(nameOfCut).find((name) => name !== null) ?? 'unrecognised_error',
  }
}

/**
 * Slack counts chat.postMessage by channel and everything else by method and workspace
 * (docs.slack.dev/apis/web-api/rate-limits). One busy channel must not silence its neighbours.
 */
function rateLimited(code: string, retryAfterMs: number | null, call: FailedCall): Fault {
  const scope = call.method === 'chat.postMessage' ? 'conversation' : 'method'
  return { kind: 'rate_limited', code, scope, retryAfterMs }
}

/** The innermost causes: one for a chain, several where an AggregateError tried several addresses. */
function causesOf(error: unknown, depth = 0): readonly unknown[] {
  if (depth > 8) return [error]
  const tried = fieldOf(error, 'errors')
  if (Array.isArray(tried) && tried.length > 0) return tried.flatMap((each) => causesOf(each, depth + 1))
  const cause = fieldOf(error, 'cause') ?? fieldOf(error, 'original')
  return cause === undefined || cause === null ? [error] : causesOf(cause, depth + 1)
}

function codeBeforeSending(cause: unknown): string | null {
  const code = stringOf(cause, 'code')
  if (code === null) return null
  const syscall = stringOf(cause, 'syscall')
  const isBefore = NOTHING_LEFT_THE_HOST.has(code) || syscall === 'connect' || syscall === 'getaddrinfo'
  return isBefore ? code : null
}

function nameOfCut(cause: unknown): string | null {
  if (stringOf(cause, 'name') === 'TimeoutError') return 'timeout'
  if (stringOf(cause, 'name') === 'AbortError') return 'cut_off'
  const code = stringOf(cause, 'code')
  if (code !== null && /^[A-Z0-9_]{1,60}$/.test(code)) return code.toLowerCase()
  if (stringOf(cause, 'message') === 'unexpected redirect') return 'redirect'
  return null
}

function secondsToMs(seconds: unknown): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) ? bounded(seconds * 1_000) : null
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), RETRY_AFTER_FLOOR_MS), RETRY_AFTER_CEILING_MS)
}

function fieldOf(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Reflect.get(value, field)
}

function stringOf(value: unknown, field: string): string | null {
  const found = fieldOf(value, field)
  return typeof found === 'string' ? found : null
}
