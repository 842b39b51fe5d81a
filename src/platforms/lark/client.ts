import * as lark from '@larksuiteoapi/node-sdk'
import type { LarkAnswer } from './classify.js'
import { classifyAnswer } from './classify.js'
import { fileForm, type LarkHttp } from './client-http.js'

/**
 * The message part of the vendor's SDK. Only this file and `socket.ts` import it: its types alone are 17 MB, and
 * its token cache, logger and default HTTP client each have faults that we step around here.
 */
export type LarkIm = lark.Client['im']

/** What a call needs to speak for a tenant. */
export type AsTenant = ReturnType<typeof lark.withTenantToken>

export function asTenant(token: string): AsTenant {
  return lark.withTenantToken(token)
}

/** Lark answered no. Shaped as `classifyThrown` reads it; holds no request, so no message text and no token. */
export class LarkRefusedError extends Error {
  override readonly name = 'LarkRefusedError'
  readonly response: {
    readonly status: number
    readonly headers: LarkAnswer['headers']
    readonly data: unknown
  }

  constructor({ status, headers, body }: LarkAnswer) {
    super(`Lark refused the call (HTTP ${status})`)
    this.response = { status, headers, data: body }
  }
}

/** SDK clients, one a host: they hold neither secret nor token, both of which are given call by call. */
export function createLarkClients(http: LarkHttp): { im(host: string): LarkIm } {
  const clients = new Map<string, lark.Client>()
  return {
    im(host) {
      const known = clients.get(host)
      if (known !== undefined) return known.im
      const client = new lark.Client({
        appId: 'per-call',
        appSecret: 'per-call',
        domain: host,
        disableTokenCache: true,
        httpInstance: httpInstanceFor(http),
        logger: SILENT,
        loggerLevel: lark.LoggerLevel.fatal,
      })
      clients.set(host, client)
      return client.im
    },
  }
}

/** The SDK logs request bodies and, from its token manager, the app secret. */
export const SILENT: lark.Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
}

/**
 * The SDK's HTTP door on our own pool. It hands out the body alone and lets `code` other than 0 pass as a success
 * (an upload even loses the code), so everything but a success is thrown here, with status and headers.
 */
export function httpInstanceFor(http: LarkHttp): lark.HttpInstance {
  const send = async <R>(method: string, options: lark.HttpRequestOptions<unknown>): Promise<R> => {
    const answer = await http.call({
      method,
      url: options.url ?? '',
      query: options.params,
      headers: withoutContentType(options.headers),
      body: method.toUpperCase() === 'GET' ? undefined : bodyOf(options),
    })
    if (classifyAnswer(answer) !== null) throw new LarkRefusedError(answer)
    // The SDK types answers as the vendor documents them; every field is checked where it is read.
    return answer.body as R
  }
  return {
    request: (options) => send(options.method ?? 'GET', options),
    get: (url, options) => send('GET', { ...options, url }),
    delete: (url, options) => send('DELETE', { ...options, url }),
    head: (url, options) => send('HEAD', { ...options, url }),
    options: (url, options) => send('OPTIONS', { ...options, url }),
    post: (url, data, options) => send('POST', { ...options, url, data }),
    put: (url, data, options) => send('PUT', { ...options, url, data }),
    patch: (url, data, options) => send('PATCH', { ...options, url, data }),
  }
}

/** The content type follows from the body (a form brings its boundary). */
function withoutContentType(
  headers: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name.toLowerCase() !== 'content-type') kept[name] = value
  }
  return kept
}

/** The SDK marks an upload by its content type and puts the bytes in `file`. */
function bodyOf({ data, headers }: lark.HttpRequestOptions<unknown>): unknown {
  if (headers?.['Content-Type'] !== 'multipart/form-data' || typeof data !== 'object' || data === null)
    return data
  const { file, ...rest } = { file: null, file_name: 'file', ...data }
  if (!Buffer.isBuffer(file)) throw new TypeError('an upload needs its file as a Buffer')
  const fields = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, String(value)]))
  return fileForm(fields, fields.file_name ?? 'file', file)
}
