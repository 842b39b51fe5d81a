import { setTimeout as wait } from 'node:timers/promises'
import type { Exchange, LarkAnswer, LarkCall } from '../../../src/sandbox/lark/index.js'

/** What happens to one call instead of a plain answer. "Commits" means the platform did the work. */
export type LarkFault =
  /** Answers with this status and body; nothing is done. */
  | {
      readonly kind: 'http'
      readonly status: number
      readonly body?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Answers with this code in Lark's own shape (status 400 unless named); nothing is done. */
  | { readonly kind: 'code'; readonly code: number; readonly status?: number; readonly msg?: string }
  /** HTTP 429, code 99991400 and the reset header; nothing is done. */
  | { readonly kind: 'rate_limit'; readonly resetSeconds: number }
  /** Waits, then handles and answers. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Commits at once and answers late. */
  | { readonly kind: 'slow_answer'; readonly ms: number }
  /** Cuts the connection; nothing is done. */
  | { readonly kind: 'reset' }
  /** Commits, then cuts the connection without an answer. */
  | { readonly kind: 'commit_then_drop' }
  /** Cuts the connection at once and commits only after `ms`: the call was still on its way. */
  | { readonly kind: 'drop_then_commit'; readonly ms: number }
  /** Commits, then answers with a server error. */
  | { readonly kind: 'commit_then_http'; readonly status: number; readonly body?: string }
  /** Commits, then cuts the connection in the middle of the body. */
  | { readonly kind: 'cut_body' }
  /** Never answers. */
  | { readonly kind: 'hang'; readonly commits: boolean }
  /** HTTP 200 with an HTML page, as a proxy on the way might. */
  | { readonly kind: 'garbage'; readonly commits: boolean }
  /** The send is taken and not stored until the promise settles: a twin gets 230049 meanwhile. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }

/** The name of a call (`im.message.create`), `*` for all, or a test of the whole call. */
export type LarkMatcher = string | ((call: LarkCall) => boolean)

export interface LarkFaults {
  /** The next `times` calls that match meet this fault; earlier entries go first. */
  next(matcher: LarkMatcher, fault: LarkFault, times?: number): void
  /** Every matching call meets this fault until `clear`. */
  always(matcher: LarkMatcher, fault: LarkFault): void
  clear(): void
  /** Entries not used up yet. */
  pending(): number
}

interface Entry {
  readonly matches: (call: LarkCall) => boolean
  readonly fault: LarkFault
  left: number
}

export interface FaultScript extends LarkFaults {
  /** Takes the first fitting entry; `hold` entries are taken only where a send is being stored. */
  take(call: LarkCall, moment: 'arrival' | 'commit'): LarkFault | null
}

export function createFaultScript(): FaultScript {
  let entries: Entry[] = []
  const add = (matcher: LarkMatcher, fault: LarkFault, left: number): void => {
    const matches =
      typeof matcher === 'function' ? matcher : (call: LarkCall) => matcher === '*' || matcher === call.name
    entries.push({ matches, fault, left })
  }
  return {
    next: (matcher, fault, times = 1) => add(matcher, fault, times),
    always: (matcher, fault) => add(matcher, fault, Number.POSITIVE_INFINITY),
    clear: () => {
      entries = []
    },
    pending: () => entries.length,
    take: (call, moment) => {
      const entry = entries.find(
        ({ fault, matches }) => (fault.kind === 'hold') === (moment === 'commit') && matches(call),
      )
      if (entry === undefined) return null
      entry.left -= 1
      if (entry.left <= 0) entries = entries.filter((other) => other !== entry)
      return entry.fault
    },
  }
}

/** Plays a fault on one call. Returns the answer to send, or null when the connection was taken over. */
export async function play(fault: LarkFault, exchange: Exchange): Promise<LarkAnswer | null> {
  const { handle, response } = exchange
  switch (fault.kind) {
    case 'http':
      return raw(response, fault.status, fault.body ?? '', fault.headers)
    case 'code':
      return larkError(fault.status ?? 400, fault.code, fault.msg ?? 'scripted refusal', {})
    case 'rate_limit':
      return rateLimit(fault.resetSeconds)
    case 'delay':
      await wait(fault.ms)
      return handle()
    case 'slow_answer':
      return answerLate(fault.ms, exchange)
    case 'reset':
      response.destroy()
      return null
    case 'commit_then_drop':
      await handle()
      response.destroy()
      return null
    case 'drop_then_commit':
      return commitLate(fault.ms, exchange)
    case 'commit_then_http':
      await handle()
      return raw(response, fault.status, fault.body ?? '')
    case 'cut_body':
      return cutBody(response, await handle())
    case 'hang':
      if (fault.commits) await handle()
      return null
    case 'garbage':
      if (fault.commits) await handle()
      return raw(response, 200, '<html><body>gateway</body></html>', { 'content-type': 'text/html' })
    case 'hold':
      return handle()
    default:
      throw new TypeError(`unknown fault: ${JSON.stringify(fault satisfies never)}`)
  }
}

function raw(
  response: Exchange['response'],
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): null {
  response.writeHead(status, headers).end(body)
  return null
}

function rateLimit(resetSeconds: number): LarkAnswer {
  return larkError(429, 99991400, 'request trigger frequency limit', {
    'x-ogw-ratelimit-limit': '50',
    'x-ogw-ratelimit-reset': String(resetSeconds),
  })
}

/** Cuts now, commits later. */
async function commitLate(ms: number, { handle, response }: Exchange): Promise<null> {
  response.destroy()
  await wait(ms)
  await handle()
  return null
}

/** Commits now, answers later. */
async function answerLate(ms: number, { handle }: Exchange): Promise<LarkAnswer> {
  const answer = await handle()
  await wait(ms)
  return answer
}

function larkError(
  status: number,
  code: number,
  msg: string,
  headers: Readonly<Record<string, string>>,
): LarkAnswer {
  return { status, headers, body: { code, msg, error: { log_id: 'SCRIPTEDFAULT' } } }
}

function cutBody(response: Exchange['response'], answer: LarkAnswer): null {
  const text = JSON.stringify(answer.body)
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': text.length + 1 })
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy())
  return null
}
