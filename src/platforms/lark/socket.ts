import * as lark from '@larksuiteoapi/node-sdk'
import { classifyAnswer } from './classify.js'
import { httpInstanceFor, LarkRefusedError, SILENT } from './client.js'
import { createLarkHttp, type LarkHttp } from './client-http.js'
import { hostOf } from './credentials.js'
import type { LarkInbox } from './receiver.js'

/** Of the call that asks for the socket's address, and of the handshake, in ms. */
const CALL_TIMEOUT_MS = 15_000
/** No answer to a ping within this many seconds: the connection is dead although nobody said so. */
const PING_TIMEOUT_SECONDS = 20
/** After a refusal that only a change in the console can mend, how long the next try waits, in ms. */
const REFUSED_RETRY_MS = 60_000

export interface LarkSocketOptions {
  readonly appId: string
  readonly appSecret: string
  /** The app's own host: the other region refuses it (1000040351). */
  readonly baseUrl: string
  readonly onBody: LarkInbox
  /** Connecting or handling failed; a code, never text. */
  readonly onFault: (code: string) => void
  readonly onConnected?: () => void
  readonly refusedRetryMs?: number
}

/** Events over a long connection that we open, for hosts that cannot be reached from outside. Internal apps only. */
export interface LarkSocket {
  start(): Promise<void>
  stop(): Promise<void>
}

export function createLarkSocket(options: LarkSocketOptions): LarkSocket {
  const http = createLarkHttp({ timeoutMs: CALL_TIMEOUT_MS })
  const inbox = new Inbox(options)
  let retry: NodeJS.Timeout | null = null
  let isStopped = false
  const start = async (): Promise<void> => {
    if (!isStopped) await client.start({ eventDispatcher: inbox })
  }
  // The SDK gives up here; the app may be put right without a restart of ours.
  const client = createClient(options, http, () => {
    if (isStopped) return
    options.onFault('socket_refused')
    retry = setTimeout(() => void start(), options.refusedRetryMs ?? REFUSED_RETRY_MS)
    retry.unref()
  })
  return {
    async start() {
      // The SDK would log this and do nothing.
      if (!/^cli_[0-9a-fA-F]{16}$/.test(options.appId)) options.onFault('bad_app_id')
      else await start()
    },
    async stop() {
      isStopped = true
      if (retry !== null) clearTimeout(retry)
      client.close({ force: true })
      await http.close()
    },
  }
}

function createClient(options: LarkSocketOptions, http: LarkHttp, onRefused: () => void): lark.WSClient {
  const { appId, appSecret, baseUrl, onFault } = options
  const onConnected = () => options.onConnected?.()
  return new lark.WSClient({
    appId,
    appSecret,
    domain: hostOf(baseUrl),
    httpInstance: { ...httpInstanceFor(http), request: addressCall(http, onFault) },
    logger: SILENT,
    loggerLevel: lark.LoggerLevel.fatal,
    handshakeTimeoutMs: CALL_TIMEOUT_MS,
    wsConfig: { pingTimeout: PING_TIMEOUT_SECONDS },
    onReady: onConnected,
    onReconnected: onConnected,
    onReconnecting: () => onFault('socket_lost'),
    onError: onRefused,
  })
}

/** Hands bodies on as they come; the SDK's own dispatcher would rearrange them and keep tickets in a shared cache. */
class Inbox extends lark.EventDispatcher {
  readonly #options: LarkSocketOptions

  constructor(options: LarkSocketOptions) {
    super({ cache: new lark.DefaultCache(), logger: SILENT, loggerLevel: lark.LoggerLevel.fatal })
    this.#options = options
  }

  override async invoke(body: unknown): Promise<unknown> {
    try {
      return await this.#options.onBody(body)
    } catch (error) {
      this.#options.onFault('event_failed')
      throw error
    }
  }
}

/**
 * The call that asks where to connect. The SDK tries again after whatever is thrown, and stops for good at a code it
 * is handed: so only what needs an administrator is handed to it.
 */
function addressCall(http: LarkHttp, onFault: (code: string) => void): lark.HttpInstance['request'] {
  return async <R>(options: lark.HttpRequestOptions<unknown>): Promise<R> => {
    const answer = await http.call({
      method: options.method ?? 'POST',
      url: options.url ?? '',
      body: options.data,
    })
    const fault = classifyAnswer(answer)
    // Every field is checked where the SDK reads it.
    if (fault === null) return answer.body as R
    onFault(fault.code)
    if (fault.kind !== 'installation_dead') throw new LarkRefusedError(answer)
    return { code: Number.parseInt(fault.code, 10), msg: 'refused', data: {} } as R
  }
}
