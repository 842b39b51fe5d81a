import { EventEmitter } from 'node:events'
import type { FetchFunction } from '@slack/web-api'
import type { Agent } from 'undici'
import type { Lease } from '../../deliver/lease.js'

type FetchResponse = Awaited<ReturnType<FetchFunction>>
type RawHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Posts a form and reads the whole answer. Redirects are errors. */
export type Post = (
  url: string | URL,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<FetchResponse>

/**
 * What the Slack client uses for `fetch`. The dispatcher is asked directly: without the streams and signals of
 * `fetch` a delivery takes about a quarter less of our CPU (measured 2026-11: 0.90 and 0.66 ms).
 *
 * @param timeoutMs over connecting, headers and body together; then it rejects with a `TimeoutError`, as `fetch` does
 * @param lease nothing leaves while it is lapsed (`LeaseLapsed`), and what is under way when it lapses is cut (`AbortError`)
 */
export function createPost(agent: Agent, timeoutMs: number, lease?: Lease): Post {
  return async (url, headers, body) => {
    if (lease?.isLapsed() === true) throw new LeaseLapsed()
    const { origin, pathname, search } = new URL(url)
    // A plain emitter is all the dispatcher needs of a signal.
    const signal = new EventEmitter()
    let why: DOMException | null = null
    const cut = (reason: DOMException) => {
      why = reason
      signal.emit('abort')
    }
    const deadline = setTimeout(
      () => cut(new DOMException('the call took too long', 'TimeoutError')),
      timeoutMs,
    )
    const forget = lease?.onLapse(() =>
      cut(new DOMException('this process may be taken for dead', 'AbortError')),
    )
    try {
      const request = { origin, path: pathname + search, method: 'POST', headers, body, signal } as const
      const answer = await agent.request(request)
      return responseOf(String(url), answer.statusCode, answer.headers, await answer.body.text())
    } catch (error) {
      throw why ?? error
    } finally {
      clearTimeout(deadline)
      forget?.()
    }
  }
}

/** Others may have taken this process's lanes: the call was not made. */
class LeaseLapsed extends Error {
  override readonly name = 'LeaseLapsed'
  readonly code = 'LEASE_LAPSED'
}

function responseOf(url: string, status: number, raw: RawHeaders, text: string): FetchResponse {
  if (status >= 300 && status < 400) throw new TypeError('unexpected redirect')
  const headerOf = (name: string) => {
    const value = raw[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    url,
    headers: {
      get: headerOf,
      entries: () => Object.keys(raw).map((name): [string, string] => [name, headerOf(name) ?? '']),
    },
    text: async () => text,
    json: async () => JSON.parse(text),
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  }
}
