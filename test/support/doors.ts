import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'
import { LastwordError } from '../../src/errors.js'
import { acceptRun, type Producer } from '../../src/intake/accept.js'
import { parseRun } from '../../src/intake/parse-run.js'
import { createLogger } from '../../src/log.js'
import { acceptanceLedger } from '../../src/store/accept-delivery.js'
import type { Database } from '../../src/store/database.js'
import { putSettingsInstallation } from '../../src/store/installations.js'
import { createWebApp } from '../../src/web/app.js'

export const TEST_KEY = 'lw_test_key_of_the_first_producer'
export const EVERYWHERE: Producer = {
  name: 'test',
  may: () => true,
  mayPostTo: () => true,
  installationIds: null,
}

/** One Slack workspace and one Lark tenant, as the settings would make them. */
export async function installBoth(db: Database): Promise<{ slack: string; lark: string }> {
  const common = { app: '', name: null, baseUrl: null, fingerprint: 'test' }
  return {
    slack: await putSettingsInstallation(db, { platform: 'slack', tenant: 'T024BE7LD', ...common }),
    lark: await putSettingsInstallation(db, { platform: 'lark', tenant: 'tenant_1', ...common }),
  }
}

/** Acceptance as the app composes it, without a worker. */
export function acceptor(db: Database, maxOutputBytes = 1_048_576) {
  const ledger = acceptanceLedger(db)
  return (value: unknown, producer: Producer) =>
    acceptRun(parseRun(value, { maxOutputBytes }), producer, { ledger, now: Date.now, maxAgeMs: 86_400_000 })
}

const answer = z.object({
  deliveryId: z.string().default(''),
  isNew: z.boolean().optional(),
  code: z.string().optional(),
  title: z.string().optional(),
  status: z.number().optional(),
  errors: z.array(z.object({ path: z.string(), expected: z.string() })).default([]),
})

/** What a door answered: an acceptance, or a problem document. */
export async function answerOf(response: Response): Promise<z.infer<typeof answer>> {
  return answer.parse(await response.json())
}

export interface TestService {
  readonly url: string
  post(body: string | Uint8Array, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

/** The real HTTP app over a test database, on a port of its own. */
export async function startTestService(db: Database, maxOutputBytes = 1_048_576): Promise<TestService> {
  const web = createWebApp({
    log: createLogger('silent'),
    maxOutputBytes,
    accept: acceptor(db, maxOutputBytes),
    producerByKey: async (key) => (key === TEST_KEY ? EVERYWHERE : null),
    readiness: async () => [],
  })
  const server = createServer(web)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new LastwordError('internal')
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    post: (body, headers = {}) =>
      fetch(`${url}/v1/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TEST_KEY}`, ...headers },
        body,
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
