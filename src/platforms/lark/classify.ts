import type { Fault } from '../../deliver/platform.js'
import { LARK_CODES, type Verdict } from './codes.js'

/** One answer of a Lark host. Header names are lower case; `body` is parsed JSON, or the raw text when it is not JSON. */
export interface LarkAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** A wait longer than this is not believed (the header would be a date, not seconds). */
const MAX_RETRY_AFTER_MS = 3_600_000

/** The fault an answer means, or null when Lark accepted the call (2xx, JSON, `code` 0). Never throws. */
export function classifyAnswer(answer: LarkAnswer): Fault | null {
  const { status, body } = answer
  const base = { vendorLogId: logIdOf(answer) }
  if (!isObject(body) || !Number.isSafeInteger(body.code)) return { ...fromStatus(answer), ...base }
  if (body.code === 0) return status >= 200 && status < 300 ? null : { ...fromStatus(answer), ...base }
  const vendorCode = String(body.code)
  const verdict = LARK_CODES[vendorCode]
  if (verdict === undefined) return { ...fromStatus(answer, vendorCode), ...base }
  return { ...withWait(verdict, codeWithSubCode(vendorCode, body.msg), answer), ...base }
}

/**
 * The fault behind something thrown by an HTTP call: an error that carries a `response` (axios and ours), or one that
 * carries a network `code`. Only an error that proves that nothing left this host is `not_sent`.
 */
export function classifyThrown(thrown: unknown): Fault {
  if (isObject(thrown) && isObject(thrown.response)) {
    const { status, headers, data } = thrown.response
    const answer = {
      status: typeof status === 'number' ? status : 0,
      headers: isObject(headers) ? lowerCased(headers) : {},
      body: data,
    }
    return classifyAnswer(answer) ?? { kind: 'unknown', code: 'thrown_after_success' }
  }
  return fromNetwork(thrown)
}

/** A fault of a step that comes before the message is offered: whatever happened, nothing was sent. */
export function beforeSending(fault: Fault): Fault {
  switch (fault.kind) {
    case 'unknown':
    case 'in_flight':
      return { kind: 'not_sent', code: fault.code, vendorLogId: fault.vendorLogId }
    default:
      return fault
  }
}

/** Codes that can only come from before a connection stood. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Our own request was malformed; undici refuses it before it opens a socket. */
const MALFORMED = new Set(['UND_ERR_INVALID_ARG', 'ERR_INVALID_URL'])

function fromNetwork(thrown: unknown): Fault {
  for (const error of causesOf(thrown)) {
    if (error.name === 'TimeoutError') return { kind: 'unknown', code: 'timeout' }
    const { code, syscall } = error
    if (typeof code !== 'string') continue
    const name = code.toLowerCase().replace(/[^a-z0-9_]/g, '_')
    // A connected socket can also time out or lose its route: only the connect call itself proves that nothing left.
    if (NEVER_CONNECTED.has(code) || syscall === 'connect') return { kind: 'not_sent', code: name }
    if (MALFORMED.has(code)) return { kind: 'bug', code: name }
    return { kind: 'unknown', code: name }
  }
  return { kind: 'unknown', code: 'thrown' }
}

/** The error and what it wraps, at most four deep: `fetch failed` and axios keep the real one in `cause`. */
function causesOf(thrown: unknown): readonly Readonly<Record<string, unknown>>[] {
  const chain: Readonly<Record<string, unknown>>[] = []
  for (let error = thrown; isObject(error) && chain.length < 4; error = error.cause) chain.push(error)
  return chain
}

function fromStatus(answer: LarkAnswer, vendorCode?: string): Fault {
  const { status, body } = answer
  const code = vendorCode ?? `http_${status}`
  // Redirects are not followed: no host of Lark redirects an API call, so nothing was accepted.
  if (status >= 300 && status < 400) return { kind: 'not_sent', code }
  if (status === 429) return { kind: 'rate_limited', scope: 'app', code, retryAfterMs: waitOf(answer) }
  if (vendorCode !== undefined) return { kind: 'unknown', code }
  if (status === 401) return { kind: 'token', code }
  if (status === 413) return { kind: 'content', final: false, code }
  if (status >= 200 && status < 300) return { kind: 'unknown', code: isObject(body) ? 'no_code' : 'not_json' }
  return { kind: 'unknown', code }
}

function withWait(verdict: Verdict, code: string, answer: LarkAnswer): Fault {
  return verdict.kind === 'rate_limited'
    ? { ...verdict, code, retryAfterMs: waitOf(answer) }
    : { ...verdict, code }
}

/** Lark sends `x-ogw-ratelimit-reset` (seconds) and no Retry-After; a proxy before it may send the latter. */
function waitOf(answer: LarkAnswer): number | null {
  const raw = answer.headers['x-ogw-ratelimit-reset'] ?? answer.headers['retry-after']
  if ((typeof raw !== 'string' && typeof raw !== 'number') || !/^\d+(\.\d+)?$/.test(String(raw))) return null
  const waitMs = Math.ceil(Number(raw) * 1000)
  return waitMs <= MAX_RETRY_AFTER_MS ? waitMs : null
}

/** 230099 hides what is wrong with a card in its text: `ErrCode: N`. */
function codeWithSubCode(code: string, message: unknown): string {
  if (code !== '230099' || typeof message !== 'string') return code
  const subCode = /ErrCode:\s*(\d+)/.exec(message)?.[1]
  return subCode === undefined ? code : `${code}.${subCode}`
}

function logIdOf(answer: LarkAnswer): string | undefined {
  const error = isObject(answer.body) ? answer.body.error : undefined
  const raw = isObject(error) && error.log_id !== undefined ? error.log_id : answer.headers['x-tt-logid']
  return typeof raw === 'string' && /^[\w-]{1,128}$/.test(raw) ? raw : undefined
}

function lowerCased(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
