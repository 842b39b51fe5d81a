import { type Logger, LogLevel, WebClient } from '@slack/web-api'
import { Agent, fetch, type Response } from 'undici'
import type { Lease } from '../../deliver/lease.js'
import { createPost, type Post } from './client-http.js'

/** How Slack is reached. */
export interface SlackClientOptions {
  /** Ends in `/api/`. */
  readonly apiUrl: string
  /** Over headers and body of one call. */
  readonly timeoutMs?: number
  /** Absent: this process may always speak. */
  readonly lease?: Lease
  /** Clients kept; the one unused for longest is dropped beyond it. A client is a queue without sockets. */
  readonly maxClients?: number
  /** Sockets per host; the agent is shared by all installations. */
  readonly maxConnections?: number
}

export interface SlackClients {
  /** The client of one installation. It holds no token: a token is passed with every call. */
  get(installationId: string): WebClient
  /** A plain request outside the Web API (the upload URL of a file). Redirects are errors. */
  post(url: string, body: Uint8Array): Promise<Response>
  /** Closes idle sockets and waits for calls in flight. */
  close(): Promise<void>
  readonly size: number
}

const TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5_000

/** Keeps one WebClient an installation over one shared pool of sockets. */
export function createSlackClients(options: SlackClientOptions): SlackClients {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const maxClients = options.maxClients ?? 1_000
  const agent = new Agent({
    connections: options.maxConnections ?? 256,
    // Shorter than the whole call, so that a host that cannot be reached is known not to have been written to.
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
  })
  const postForm = createPost(agent, timeoutMs, options.lease)
  const clients = new Map<string, WebClient>()

  return {
    get(installationId) {
      const client = clients.get(installationId) ?? createClient(options.apiUrl, postForm)
      // A Map keeps insertion order: the first key is the one unused for longest.
      clients.delete(installationId)
      clients.set(installationId, client)
      for (const oldest of clients.keys()) {
        if (clients.size <= maxClients) break
        clients.delete(oldest)
      }
      return client
    },
    post: (url, body) =>
      fetch(url, {
        method: 'POST',
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        dispatcher: agent,
      }),
    close: () => agent.close(),
    get size() {
      return clients.size
    },
  }
}

function createClient(slackApiUrl: string, postForm: Post): WebClient {
  // A fresh object each time: the constructor writes into the options and headers it is given, and a shared one
  // would carry the first workspace's token to the next (web-api 8.2, WebClient.js:145).
  return new WebClient(undefined, {
    slackApiUrl,
    // The whole call has its deadline in `createPost`.
    timeout: 0,
    // A retry after a lost answer posts twice; retrying is the ledger's business.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    headers: {},
    logger: silent(),
    fetch: async (url, { body, headers = {} } = {}) => {
      if (typeof body !== 'string') throw new TypeError('only form-encoded calls go through the Slack client')
      return postForm(url, headers, body)
    },
  })
}

/** The SDK logs request bodies and answers at debug level: message text. Nothing of it is kept. */
function silent(): Logger {
  const ignore = () => {}
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: ignore,
    setLevel: ignore,
    setName: ignore,
    getLevel: () => LogLevel.ERROR,
  }
}
