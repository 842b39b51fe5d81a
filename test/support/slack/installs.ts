import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Router } from 'express'
import type { SlackApp } from '../../../src/app/apps.js'
import { addSlackDoors } from '../../../src/app/connect/slack.js'
import { type Connections, connect } from '../../../src/app/connect.js'
import { parseConfig } from '../../../src/config.js'
import { createWords } from '../../../src/locales.js'
import { createLogger, type Logger } from '../../../src/log.js'
import type { Database } from '../../../src/store/database.js'
import { newSealingKey } from '../../../src/store/sealing.js'
import { createWebApp } from '../../../src/web/app.js'
import { addSlackInstallPages, slackInstallPages } from '../../../src/web/install-slack.js'
import { slackPaths } from '../../../src/web/slack-paths.js'
import { listen } from './wire.js'

export const SIGNING_SECRET = 'fake-signing-secret'
export const CLIENT = { id: 'fake.client', secret: 'fake-client-secret' } as const
/** One for every service of a test run: processes on one database share their keys. */
export const ENCRYPTION_KEYS = newSealingKey('test')

/** What a browser got: status, headers, text. */
export interface Page {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** One process that people install from and Slack talks to. */
export interface InstallService {
  readonly url: string
  readonly connections: Connections
  /** The whole way through a browser: start, consent (the code), callback. */
  install(code: string, how?: { readonly app?: string; readonly language?: string }): Promise<Page>
  /** The first half: the state and the cookie that Slack and the browser carry. */
  start(app?: string): Promise<{ readonly state: string; readonly cookie: string; readonly location: URL }>
  get(path: string, headers?: Record<string, string>): Promise<Page>
  /** A signed body at an app's event door. */
  send(
    body: string,
    how?: {
      readonly app?: string
      readonly atSeconds?: number
      readonly signature?: string
      readonly secret?: string
    },
  ): Promise<Page>
  /** A signed event in its envelope. */
  event(event: Record<string, unknown>, envelope: Record<string, unknown>, app?: string): Promise<Page>
  close(): Promise<void>
}

export async function startInstallService(
  db: Database,
  apiUrl: string,
  options: {
    readonly env?: Record<string, string>
    readonly log?: Logger
    readonly clientId?: string
    readonly clientSecret?: string
  } = {},
): Promise<InstallService> {
  const log = options.log ?? createLogger('silent')
  const server = createServer()
  const port = await listen(server, 0)
  const url = `http://127.0.0.1:${port}`
  const config = parseConfig({
    DATABASE_URL: 'postgres://elsewhere/db',
    LASTWORD_ENCRYPTION_KEYS: ENCRYPTION_KEYS,
    LASTWORD_PUBLIC_URL: url,
    SLACK_API_URL: apiUrl,
    SLACK_CLIENT_ID: options.clientId ?? CLIENT.id,
    SLACK_CLIENT_SECRET: options.clientSecret ?? CLIENT.secret,
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    ...options.env,
  })
  const connections = await connect(config, db, log)
  const spoken = { words: createWords(), defaultLanguage: 'en' } as const
  const router = Router()
  addSlackInstallPages(connections.apps.slack, spoken, router)
  const doors = addSlackDoors(
    connections.apps.slack,
    {
      config,
      db,
      log,
      sealer: connections.sealer,
      vault: connections.vault,
      credentials: connections.slack,
      clients: connections.slackClients,
      pages: (app: SlackApp) => slackInstallPages(app, spoken),
      now: Date.now,
    },
    router,
  )
  const web = createWebApp({
    log,
    maxOutputBytes: 1_000,
    accept: () => Promise.reject(new TypeError('no runs here')),
    producerByKey: async () => null,
    readiness: async () => [],
    installs: router,
  })
  server.on('request', web)

  const visit = async (path: string, init: RequestInit = {}): Promise<Page> => {
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const service: InstallService = {
    url,
    connections,
    get: (path, headers = {}) => visit(path, { headers }),
    async start(app = '') {
      const page = await visit(slackPaths(app).start)
      const location = new URL(page.headers.get('location') ?? 'missing:')
      const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      return { state: location.searchParams.get('state') ?? '', cookie, location }
    },
    async install(code, { app = '', language } = {}) {
      const { state, cookie } = await service.start(app)
      const query = new URLSearchParams({ code, state })
      return visit(`${slackPaths(app).callback}?${query}`, {
        headers: { cookie, ...(language === undefined ? {} : { 'accept-language': language }) },
      })
    },
    send(
      body,
      { app = '', atSeconds = Math.floor(Date.now() / 1_000), signature, secret = SIGNING_SECRET } = {},
    ) {
      const signed = signature ?? signatureOf(body, atSeconds, secret)
      return visit(slackPaths(app).events, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-slack-request-timestamp': String(atSeconds),
          'x-slack-signature': signed,
        },
        body,
      })
    },
    event: (event, envelope, app = '') =>
      service.send(
        JSON.stringify({
          type: 'event_callback',
          event_id: `Ev${Math.random().toString(36).slice(2)}`,
          event_time: Math.floor(Date.now() / 1_000),
          ...envelope,
          event,
        }),
        { app },
      ),
    async close() {
      await doors.stop()
      await connections.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return service
}

export function signatureOf(body: string, atSeconds: number, secret: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${atSeconds}:${body}`).digest('hex')}`
}
