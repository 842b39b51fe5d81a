import { once } from 'node:events'
import { createServer } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import { createConsoleDoors } from '../../src/app/console.js'
import type { Right } from '../../src/intake/producer.js'
import { createLogger } from '../../src/log.js'
import { createApiKey } from '../../src/store/api-keys.js'
import { createWebApp } from '../../src/web/app.js'
import type { EngineUnderTest } from './engine.js'

export const OPERATOR_KEY = 'lw_test_key_of_the_operator'

/** The console over a running engine, on a port of its own. */
export interface ConsoleUnderTest {
  readonly url: string
  /** A key with these rights, for these installations or all. */
  key(
    rights: readonly Right[],
    installationIds?: readonly string[] | null,
  ): Promise<{ readonly id: string; readonly key: string }>
  /** A page of a reader who has signed in. */
  signedIn(context: BrowserContext, key?: string): Promise<Page>
  close(): Promise<void>
}

export async function startConsole({ app, database }: EngineUnderTest): Promise<ConsoleUnderTest> {
  const log = createLogger('silent')
  const web = createWebApp({
    log,
    maxOutputBytes: app.config.LASTWORD_MAX_OUTPUT_BYTES,
    accept: app.accept,
    producerByKey: app.producerByKey,
    readiness: async () => [],
    console: createConsoleDoors({
      db: database.db,
      ownKey: OPERATOR_KEY,
      deliveries: app.outgoing.deliveries,
      now: Date.now,
      log,
    }),
  })
  const server = createServer(web)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on no port')
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    key: (rights, installationIds = null) =>
      createApiKey(database.db, { name: 'reader', rights, installationIds }),
    async signedIn(context, key = OPERATOR_KEY) {
      const page = await context.newPage()
      await page.goto(`${url}/console`)
      await page.getByRole('textbox').fill(key)
      await page.locator('main').getByRole('button').click()
      await page.waitForURL(`${url}/console`)
      return page
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
