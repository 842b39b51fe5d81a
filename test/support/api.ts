import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AppOptions } from '../../src/app/app.js'
import { LastwordError } from '../../src/errors.js'
import { type Producer, RIGHTS, type Right } from '../../src/intake/producer.js'
import { createLogger } from '../../src/log.js'
import { createWebApp } from '../../src/web/app.js'
import { type EngineUnderTest, startEngine } from './engine.js'

/** The real app behind its HTTP doors, with keys of different reach. */
export interface ApiUnderTest {
  readonly engine: EngineUnderTest
  readonly url: string
  /** A call with the key of that name. */
  call(key: string, method: string, path: string, body?: unknown): Promise<Response>
  close(): Promise<void>
}

/** Who may see only these installations, with these rights. */
export function producerWith(
  installationIds: readonly string[] | null,
  rights: readonly Right[] = RIGHTS,
): Producer {
  return {
    name: 'test',
    may: (right) => rights.includes(right),
    mayPostTo: (id) => installationIds === null || installationIds.includes(id),
    installationIds,
  }
}

export async function startApi(
  keys: Readonly<Record<string, Producer>>,
  settings: Readonly<Record<string, string>> = {},
  appOptions: AppOptions = {},
): Promise<ApiUnderTest> {
  const engine = await startEngine({
    app: appOptions,
    settings: { LASTWORD_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64url')}`, ...settings },
  })
  const { app } = engine
  const server = createServer(
    createWebApp({
      log: createLogger('silent'),
      maxOutputBytes: app.config.LASTWORD_MAX_OUTPUT_BYTES,
      accept: app.accept,
      notices: app.notices,
      installs: app.installs,
      producerByKey: async (key) => keys[key] ?? null,
      api: app.outgoing,
      readiness: app.observability.readiness,
      metrics: app.observability.metrics,
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new LastwordError('internal')
  const url = `http://127.0.0.1:${address.port}`
  return {
    engine,
    url,
    call: (key, method, path, body) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await engine.close()
    },
  }
}
