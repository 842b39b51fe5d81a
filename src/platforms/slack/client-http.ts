import { EventEmitter } from 'node:events'
import type { FetchFunction } from '@slack/web-api'
import type { Agent } from 'undici'

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
 */
export function createPost(agent: Agent, timeoutMs: number): Post {
  return async (url, headers, body) => {
    const { origin, pathname, search } = new URL(url)
    // A plain emitter is all the dispatcher needs of a signal.
    const cut = new EventEmitter()
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      cut.emit('abort')
    }, timeoutMs)
    try {
      const request = { origin, path: pathname + search, method: 'POST', headers, body, signal: cut } as const
      const answer = await agent.request(request)
      return responseOf(String(url), answer.statusCode, answer.headers, await answer.body.text())
    } catch (error) {
      if (isLate) throw new DOMException('the call took too long', 'TimeoutError')
      throw error
    } finally {
      clearTimeout(deadline)
    }
  }
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
