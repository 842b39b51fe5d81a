import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { z } from 'zod'
import { type App, openApp } from '../app.js'
import type { Config } from '../config.js'
import { createConsoleDoors } from '../console.js'
import type { Logger } from '../log.js'
import { createWebApp } from '../web/app.js'
import { ownKey } from './own-key.js'
import { isSandboxWanted, type OpenSandbox, openSandbox } from './sandbox.js'

/** Time from SIGTERM to the end of the process, in ms, whatever still hangs. */
const EXIT_DEADLINE_MS = 9_500

export interface Serving {
  readonly app: App
  readonly url: string
  readonly apiKey: string
  readonly sandbox: OpenSandbox | null
  close(): Promise<void>
}

/** Starts everything one process serves: the sandbox when no platform is set, the database, the worker, the doors. */
export async function startServing(settings: Config, log: Logger): Promise<Serving> {
  const sandbox = isSandboxWanted(settings) ? await openSandbox(settings) : null
  const config = sandbox?.config ?? settings
  const apiKey = await ownKey(config)
  const app = await openApp(config, log, { ownKey: apiKey })
  const web = createWebApp({
    log,
    maxOutputBytes: config.LASTWORD_MAX_OUTPUT_BYTES,
    accept: app.accept,
    notices: app.notices,
    producerByKey: app.producerByKey,
    installs: app.installs,
    api: app.outgoing,
    version: await ownVersion(),
    console: createConsoleDoors({
      db: app.database.db,
      ownKey: apiKey,
      deliveries: app.outgoing.deliveries,
      now: Date.now,
      log,
    }),
    readiness: app.observability.readiness,
    metrics: app.observability.metrics,
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
      await stopListening(server)
      await app.close()
      await sandbox?.close()
    },
  }
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

/** Serves until told to stop. A second signal, or a close that hangs, ends the process at once. */
export async function serveUntilSignal(serving: Serving, log: Logger): Promise<void> {
  const signal = await new Promise<string>((done) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => done(name))
  })
  log.info({ signal }, 'stopping: nothing new is claimed, calls in flight finish')
  const deadline = setTimeout(() => {
    log.error('stopping took too long; what was in flight is taken up at the next start')
    process.exit(1)
  }, EXIT_DEADLINE_MS)
  deadline.unref()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1))
  await serving.close()
  clearTimeout(deadline)
  log.info('stopped')
}
