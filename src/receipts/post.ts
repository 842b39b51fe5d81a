import { Webhook } from 'standardwebhooks'
import { Agent, type Dispatcher, request } from 'undici'
import type { OutgoingEvent } from './event.js'
import { hasPrivateHost, publicLookup } from './private-address.js'
import { parseRetryAfter } from './schedule.js'

/** How long an endpoint may take, in ms. Standard Webhooks recommends 15 to 30 s for the whole. */
const TIMES = { connectMs: 5_000, wholeMs: 15_000 } as const

/** Bytes of an answer read before the socket is dropped; nothing of them is kept. */
const MAX_ANSWER_BYTES = 16_384

/** What an endpoint answered. `code` is a status as digits, or a word of ours; never text of theirs. */
export type PostResult =
  | { readonly kind: 'accepted'; readonly code: string }
  | { readonly kind: 'refused'; readonly code: string; readonly retryAfterMs: number | null }
  /** 410: it asks to be left alone. */
  | { readonly kind: 'gone' }

/** Where an event goes and what it is signed with. */
export interface PostTarget {
  readonly url: string
  /** `whsec_` and 32 random bytes as base64. */
  readonly secret: string
  readonly mayBePrivate: boolean
}

export interface Poster {
  post(target: PostTarget, event: OutgoingEvent): Promise<PostResult>
  close(): Promise<void>
}

/**
 * Posts signed events by the Standard Webhooks specification (github.com/standard-webhooks, 1.0.0). Follows no
 * redirect, keeps no answer, and connects to no private address unless the endpoint may be one.
 */
export function createPoster(options: { readonly now: () => number; readonly timeoutMs?: number }): Poster {
  const wholeMs = options.timeoutMs ?? TIMES.wholeMs
  const common = { connections: 8, headersTimeout: wholeMs, bodyTimeout: wholeMs, keepAliveTimeout: 10_000 }
  const open = new Agent({
    ...common,
    connect: { timeout: TIMES.connectMs, lookup: publicLookup },
  })
  const anywhere = new Agent({ ...common, connect: { timeout: TIMES.connectMs } })

  return {
    async post(target, event) {
      const url = new URL(target.url)
      if (!target.mayBePrivate && hasPrivateHost(url)) return refused('private_address')
      const dispatcher = target.mayBePrivate ? anywhere : open
      try {
        return await send(url, dispatcher, signed(target.secret, event, options.now()), wholeMs, options.now)
      } catch (error) {
        return refused(codeOf(error))
      }
    },
    close: async () => void (await Promise.all([open.destroy(), anywhere.destroy()])),
  }
}

interface Signed {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

function signed(secret: string, event: OutgoingEvent, nowMs: number): Signed {
  const body = JSON.stringify({ type: event.type, timestamp: event.timestamp, data: event.data })
  const sentAt = new Date(nowMs)
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'lastword',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(event.id, sentAt, body),
    },
  }
}

async function send(
  url: URL,
  dispatcher: Dispatcher,
  { body, headers }: Signed,
  wholeMs: number,
  now: () => number,
): Promise<PostResult> {
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(wholeMs),
  })
  // What it says is decided by its status; a body that never ends costs nothing more than its socket.
  void answer.body
    .dump({ limit: MAX_ANSWER_BYTES, signal: AbortSignal.timeout(wholeMs) })
    .catch(() => undefined)
  const code = String(answer.statusCode)
  if (answer.statusCode === 410) return { kind: 'gone' }
  if (answer.statusCode >= 200 && answer.statusCode < 300) return { kind: 'accepted', code }
  const header = answer.headers['retry-after']
  const retryAfterMs = parseRetryAfter(typeof header === 'string' ? header : null, now())
  return { kind: 'refused', code, retryAfterMs }
}

function refused(code: string): PostResult {
  return { kind: 'refused', code, retryAfterMs: null }
}

/** The code of a network failure in our spelling: bounded, and without a host name. */
function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout'
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  return /^[A-Za-z_]{1,40}$/.test(code) ? code.toLowerCase() : 'network'
}
