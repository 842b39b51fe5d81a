import type { ServerResponse } from 'node:http'
import type { SlackFault } from './faults.js'

export interface Reply {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Work that the server does later. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>()
  readonly #waiting: (() => void)[] = []

  start(delayMs: number, act: () => unknown): void {
    const timer = setTimeout(() => {
      this.#running.delete(timer)
      act()
      this.#wake()
    }, delayMs)
    this.#running.add(timer)
  }

  /** Resolves once nothing is left to do. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#wake()
    })
  }

  clear(): void {
    for (const timer of this.#running) clearTimeout(timer)
    this.#running.clear()
    this.#wake()
  }

  #wake(): void {
    if (this.#running.size > 0) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

interface Exchange {
  readonly response: ServerResponse
  readonly fault: SlackFault | null
  /** Does what the call asks, once. */
  readonly work: () => Reply
  readonly timers: Timers
  readonly latencyMs: number
}

const PAGE = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>'

/** Does the work of a call and answers it, with its fault in between. */
export function respond(exchange: Exchange): void {
  const { fault, work, latencyMs } = exchange
  if (fault !== null) {
    fail(exchange, fault)
    return
  }
  if (latencyMs === 0) write(exchange.response, work())
  else exchange.timers.start(latencyMs, () => write(exchange.response, work()))
}

function fail(exchange: Exchange, fault: SlackFault): void {
  const { response, work } = exchange
  if ('when' in fault && fault.when === 'after') work()
  switch (fault.kind) {
    case 'reset':
      response.destroy()
      break
    case 'cut':
      writeHalf(response, work())
      break
    case 'hang':
      break
    case 'slow':
      answerLate(exchange, fault.delayMs, fault.commit)
      break
    case 'late_commit':
      response.destroy()
      exchange.timers.start(fault.delayMs, work)
      break
    default:
      write(response, faultReply(fault))
  }
}

type AnsweredFault = Exclude<SlackFault, { kind: 'reset' | 'cut' | 'hang' | 'slow' | 'late_commit' }>

function faultReply(fault: AnsweredFault): Reply {
  switch (fault.kind) {
    case 'rate_limit':
      return {
        status: 429,
        text: '{"ok":false,"error":"ratelimited"}',
        headers: retryAfter(fault.retryAfter),
      }
    case 'error':
      return {
        status: 200,
        text: JSON.stringify({ ok: false, error: fault.code }),
        headers: retryAfter(fault.retryAfter ?? null),
      }
    case 'http':
      return {
        status: fault.status,
        text: fault.body ?? 'upstream error',
        headers: { 'x-slack-req-id': `req-${fault.status}` },
      }
    case 'html':
      return { status: 200, text: PAGE, headers: { 'content-type': 'text/html' } }
    case 'body':
      return { status: 200, text: fault.text }
    case 'redirect':
      return { status: fault.status, text: '', headers: { location: fault.location } }
    default:
      throw new TypeError(`unhandled fault: ${JSON.stringify(fault satisfies never)}`)
  }
}

function retryAfter(value: string | null): Record<string, string> {
  return value === null ? {} : { 'retry-after': value }
}

function answerLate(exchange: Exchange, delayMs: number, commit: 'now' | 'then'): void {
  const done = commit === 'now' ? exchange.work() : null
  exchange.timers.start(delayMs, () => write(exchange.response, done ?? exchange.work()))
}

function write(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return
  response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8', ...reply.headers })
  response.end(reply.text)
}

function writeHalf(response: ServerResponse, reply: Reply): void {
  const bytes = Buffer.from(reply.text)
  response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': bytes.byteLength })
  response.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), () => response.destroy())
}
