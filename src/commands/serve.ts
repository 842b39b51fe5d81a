import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { z } from 'zod'
import { type App, type AppOptions, openApp } from '../app/app.js'
import { createConsoleDoors } from '../app/console.js'
import { ALL_ROLES } from '../app/roles.js'
import type { Config } from '../config.js'
import type { Logger } from '../log.js'
import { createWebApp } from '../web/app.js'
import { ownKey } from './own-key.js'
import { isSandboxWanted, type OpenSandbox, openSandbox } from './sandbox.js'

/** Time from SIGTERM to the end of the process, in ms, whatever still hangs. */
const EXIT_DEADLINE_MS = 9_500

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

export interface Serving {
  readonly app: App
  readonly url: string
  readonly apiKey: string
  readonly sandbox: OpenSandbox | null
  close(): Promise<void>
}

/** Starts everything one process serves: the sandbox when no platform is set, the database, the worker, the doors. */
export async function startServing(
  settings: Config,
  log: Logger,
  options: Pick<AppOptions, 'roles' | 'bullmq'> = {},
): Promise<Serving> {
  const sandbox = isSandboxWanted(settings) ? await openSandbox(settings) : null
  const config = sandbox?.config ?? settings
  const apiKey = await ownKey(config)
  const roles = options.roles ?? ALL_ROLES
  const app = await openApp(config, log, { ...options, ownKey: apiKey })
  const web = createWebApp({
    log,
    version: await ownVersion(),
    producerByKey: app.producerByKey,
    maxOutputBytes: config.LASTWORD_MAX_OUTPUT_BYTES,
    readiness: app.observability.readiness,
    metrics: app.observability.metrics,
    ...(roles.has('intake') ? intakeDoors(app) : {}),
    ...(roles.has('web') ? webDoors(app, apiKey, log) : {}),
  })
  const server = createServer(web)
  server.listen(config.PORT, config.HOST)
  await once(server, 'listening')
  return {
    app,
    url: addressOf(server),
    apiKey,
    sandbox,
    async close() {
      // A request that hangs holds up neither the calls in flight nor the lanes to hand back.
      await Promise.all([stopListening(server), app.worker.stop()])
      await app.close()
      await sandbox?.close()
    },
  }
}

function intakeDoors({ accept, notices }: App) {
  return { accept, notices }
}

function webDoors(app: App, apiKey: string, log: Logger) {
  const { installs, outgoing, database } = app
  const doors = { db: database.db, ownKey: apiKey, deliveries: outgoing.deliveries, now: Date.now, log }
  return { installs, api: outgoing, console: createConsoleDoors(doors) }
}

/** As the package says; the same file from `src` and from `dist`. */
async function ownVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on no port')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}

async function stopListening(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  await closed
}

/**
 * Hears the first SIGTERM or SIGINT from now on, also one that comes while everything is still starting. A second one,
 * or a stop that hangs, ends the process at once.
 *
 * @returns a promise of that signal
 */
export function hearStop(log: Logger): Promise<void> {
  return new Promise((heard) => {
    const stop = (signal: string): void => {
      log.info({ signal }, 'stopping: nothing new is claimed, calls in flight finish')
      for (const name of STOP_SIGNALS) {
        process.off(name, stop)
        process.once(name, () => process.exit(1))
      }
      setTimeout(() => {
        log.error('stopping took too long; what was in flight is taken up at the next start')
        process.exit(1)
      }, EXIT_DEADLINE_MS).unref()
      heard()
    }
    for (const name of STOP_SIGNALS) process.on(name, stop)
  })
}

/** Serves until told to stop. */
export async function serveUntil(stop: Promise<void>, serving: Serving, log: Logger): Promise<void> {
  await stop
  await serving.close()
  log.info('stopped')
}
