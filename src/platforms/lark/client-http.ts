import { Agent, type Dispatcher, FormData, request } from 'undici'
import type { LarkAnswer } from './classify.js'

/** An answer larger than this is not read: the largest we ask for is a listing of 50 messages of at most 30 KB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const CONNECT_TIMEOUT_MS = 5_000
/** Per host. Lark takes 50 calls a second of an app; more sockets than this wait for nothing but each other. */
const CONNECTIONS = 64

export interface HttpCall {
  readonly method: string
  readonly url: string
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON, or as a form when it is one. */
  readonly body?: unknown
}

export interface LarkHttp {
  /**
   * One call, one answer, whatever its status. Redirects are not followed and nothing is retried.
   *
   * @throws what undici throws when there was no whole answer in time; `classifyThrown` reads it
   */
  call(call: HttpCall): Promise<LarkAnswer>
  /** Cuts what is open, unless the way out is somebody else's. */
  close(): Promise<void>
}

export interface LarkHttpOptions {
  /** From the start of the call to the last byte of its answer, in milliseconds. */
  readonly timeoutMs: number
  /** Another way out of this host, such as a proxy. By default a pool of our own. */
  readonly dispatcher?: Dispatcher | undefined
}

/** HTTP for Lark from a pool of kept-alive connections, with a deadline and a cap on every answer. */
export function createLarkHttp(options: LarkHttpOptions): LarkHttp {
  const dispatcher =
    options.dispatcher ?? new Agent({ connections: CONNECTIONS, connect: { timeout: CONNECT_TIMEOUT_MS } })
  return {
    async call(call) {
      const deadline = new AbortController()
      // Cleared with the answer: at thousands of calls a second, deadlines left to run out would pile up.
      const timer = setTimeout(() => deadline.abort(new DeadlineError()), options.timeoutMs)
      try {
        return await exchange(dispatcher, call, deadline.signal)
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      if (options.dispatcher === undefined) await dispatcher.destroy()
    },
  }
}

async function exchange(
  dispatcher: Dispatcher,
  { method, url, query, headers, body }: HttpCall,
  signal: AbortSignal,
): Promise<LarkAnswer> {
  const isForm = body instanceof FormData
  const isJson = body !== undefined && !isForm
  const answer = await request(withQuery(url, query), {
    dispatcher,
    method: httpMethodOf(method),
    headers: { ...headers, ...(isJson ? { 'content-type': 'application/json; charset=utf-8' } : {}) },
    body: isJson ? JSON.stringify(body) : isForm ? body : null,
    signal,
  })
  const text = await readText(answer.body)
  return { status: answer.statusCode, headers: answer.headers, body: parsedOrText(text) }
}

/** No whole answer came in time. */
class DeadlineError extends Error {
  override readonly name = 'TimeoutError'
}

/** A file as one field of a form. The name travels with the bytes, or Lark shows none. */
export function fileForm(
  fields: Readonly<Record<string, string>>,
  name: string,
  bytes: Uint8Array,
): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  form.append('file', new Blob([Uint8Array.from(bytes)]), name)
  return form
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new AnswerTooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The answer went past our cap. The call itself may well have been accepted. */
class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
  readonly code = 'answer_too_long'
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function withQuery(url: string, query: Readonly<Record<string, unknown>> | undefined): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.append(key, String(value))
  }
  return search.size === 0 ? url : `${url}?${search}`
}

const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function httpMethodOf(raw: string): (typeof HTTP_METHODS)[number] {
  const method = HTTP_METHODS.find((known) => known === raw.toUpperCase())
  if (method === undefined) throw new TypeError(`unexpected HTTP method: ${raw}`)
  return method
}
