import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Router } from 'express'
import { addLarkDoors, larkEventsPath } from '../../../src/app/connect/lark.js'
import type { OnCardAction } from '../../../src/app/connect/lark-events.js'
import { type Connections, connect } from '../../../src/app/connect.js'
import { parseConfig } from '../../../src/config.js'
import { createLogger, type Logger } from '../../../src/log.js'
import { createLarkPlatform, type LarkPlatform } from '../../../src/platforms/lark/index.js'
import type { Database } from '../../../src/store/database.js'
import { newSealingKey } from '../../../src/store/sealing.js'
import { createWebApp } from '../../../src/web/app.js'
import { listen } from '../slack/wire.js'
import { ENCRYPT_KEY, encrypted, signed, VERIFICATION_TOKEN } from './events.js'

/** One for every service of a test run: processes on one database share their keys. */
const ENCRYPTION_KEYS = newSealingKey('test')

/** An app as the apps file has it; keys of events are those of `events.ts` unless named. */
export interface ServedApp {
  readonly key: string
  readonly appId: string
  readonly appSecret: string
  readonly baseUrl: string
  readonly kind: 'internal' | 'store'
  readonly tenant?: string
  readonly encryptKey?: string | undefined
  readonly verificationToken?: string | undefined
}

/** One process that Lark talks to and that talks to Lark. */
export interface LarkService {
  readonly url: string
  readonly connections: Connections
  readonly platform: LarkPlatform
  /** Exactly these bytes and headers at an app's door. */
  post(appId: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Answered>
  /** An event as the platform sends it: encrypted and signed. */
  event(appId: string, body: string): Promise<Answered>
  close(): Promise<void>
}

export interface Answered {
  readonly status: number
  readonly text: string
}

export async function startLarkService(
  db: Database,
  apps: readonly ServedApp[],
  options: {
    readonly onCardAction?: OnCardAction
    readonly mode?: 'http' | 'socket'
    readonly log?: Logger
  } = {},
): Promise<LarkService> {
  const log = options.log ?? createLogger('silent')
  const folder = await mkdtemp(join(tmpdir(), 'lastword-lark-'))
  const file = join(folder, 'apps.json')
  const keys = { encryptKey: ENCRYPT_KEY, verificationToken: VERIFICATION_TOKEN }
  await writeFile(file, JSON.stringify({ lark: apps.map((app) => ({ ...keys, ...app })) }))
  const config = parseConfig({
    DATABASE_URL: 'postgres://elsewhere/db',
    LASTWORD_ENCRYPTION_KEYS: ENCRYPTION_KEYS,
    LASTWORD_APPS_FILE: file,
  })
  const connections = await connect(config, db, log)
  await rm(folder, { recursive: true })
  const platform = createLarkPlatform({
    credentials: connections.lark,
    appTicket: connections.larkTickets.newest,
  })
  const router = Router()
  const { onCardAction, mode = 'http' } = options
  const doors = addLarkDoors(
    connections.apps.lark,
    {
      db,
      tickets: connections.larkTickets,
      mode,
      log,
      now: Date.now,
      ...(onCardAction === undefined ? {} : { onCardAction }),
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
  const server = createServer(web)
  const url = `http://127.0.0.1:${await listen(server, 0)}`
  await doors.start()
  const post: LarkService['post'] = async (appId, body, headers = {}) => {
    const response = await fetch(`${url}${larkEventsPath({ appId })}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      body,
    })
    return { status: response.status, text: await response.text() }
  }
  return {
    url,
    connections,
    platform,
    post,
    event(appId, plain) {
      const body = encrypted(plain)
      return post(appId, body, signed(body))
    },
    async close() {
      await doors.stop()
      await platform.close()
      await connections.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
