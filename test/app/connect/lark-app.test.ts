import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type App, openApp } from '../../../src/app/app.js'
import { larkEventsPath } from '../../../src/app/connect/lark.js'
import { parseConfig } from '../../../src/config.js'
import { createLogger } from '../../../src/log.js'
import { newSealingKey } from '../../../src/store/sealing.js'
import { createWebApp } from '../../../src/web/app.js'
import { textsOf } from '../../platforms/lark/lark-edge.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { EVERYWHERE } from '../../support/doors.js'
import {
  ENCRYPT_KEY,
  type EventFields,
  encrypted,
  olderEvent,
  signed,
  VERIFICATION_TOKEN,
} from '../../support/lark/events.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { listen } from '../../support/slack/wire.js'

const FIELDS: EventFields = { appId: LARK.storeAppId, tenant: LARK.otherTenant }

let database: TestDatabase
let fake: LarkFake
let app: App
let server: Server
let port: number

beforeEach(async () => {
  database = await createTestDatabase()
  fake = await startLarkFake()
  fake.pushTicket(LARK.storeAppId, 'ticket_1')
  const log = createLogger('silent')
  const config = parseConfig({
    DATABASE_URL: database.url,
    LASTWORD_ENCRYPTION_KEYS: newSealingKey('test'),
    LASTWORD_PACING: 'off',
    LARK_APP_ID: LARK.storeAppId,
    LARK_APP_SECRET: LARK.storeAppSecret,
    LARK_APP_KIND: 'store',
    LARK_ENCRYPT_KEY: ENCRYPT_KEY,
    LARK_VERIFICATION_TOKEN: VERIFICATION_TOKEN,
    LARK_BASE_URL: fake.url,
  })
  app = await openApp(config, log)
  server = createServer(
    createWebApp({
      log,
      maxOutputBytes: 1_000,
      accept: app.accept,
      producerByKey: async () => null,
      readiness: async () => [],
      installs: app.installs,
    }),
  )
  port = await listen(server, 0)
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await app.close()
  await fake.close()
  await database.close()
})

async function tell(type: string, event: Record<string, unknown> = {}, fields = FIELDS): Promise<number> {
  const body = encrypted(olderEvent(type, event, fields))
  const path = larkEventsPath({ appId: LARK.storeAppId })
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: signed(body),
    body,
  })
  return response.status
}

const answer = (runId: string) =>
  app.accept(
    {
      runId,
      conversation: {
        platform: 'lark',
        tenant: LARK.otherTenant,
        chat: LARK.otherTenantGroup,
        kind: 'channel',
      },
      outcome: { status: 'completed', stopReason: 'end_turn', output: `Answer ${runId}.` },
    },
    EVERYWHERE,
  )
const stateOf = async (runId: string) =>
  (
    await database.db
      .selectFrom('deliveries')
      .select('state')
      .where('run_id', '=', runId)
      .executeTakeFirstOrThrow()
  ).state
const settled = { timeout: 10_000 }

test('a tenant is answered from its install on, waits while the app is off, and is answered after', async () => {
  await expect(answer('early')).rejects.toMatchObject({ code: 'unknown_installation' })
  expect(await tell('app_ticket', { app_ticket: 'ticket_1' }, { appId: LARK.storeAppId })).toBe(200)
  expect(await tell('app_open')).toBe(200)
  await answer('one')
  await expect.poll(() => stateOf('one'), settled).toBe('delivered')

  fake.app(LARK.storeAppId).enabled = false
  expect(await tell('app_status_change', { status: 'stop_by_tenant' })).toBe(200)
  await answer('two')
  fake.app(LARK.storeAppId).enabled = true
  expect(await stateOf('two')).not.toBe('delivered')
  expect(await tell('app_status_change', { status: 'start_by_tenant' })).toBe(200)
  await expect.poll(() => stateOf('two'), settled).toBe('delivered')
  expect(textsOf(fake, LARK.otherTenantGroup)).toHaveLength(2)
})

test('an uninstalled tenant takes no runs, and what waited is sent once after a new install', async () => {
  await tell('app_ticket', { app_ticket: 'ticket_1' }, { appId: LARK.storeAppId })
  await tell('app_open')
  fake.uninstall(LARK.storeAppId, LARK.otherTenant)
  await answer('waits')
  await expect.poll(() => stateOf('waits'), settled).toBe('parked')
  expect(await tell('app_uninstalled')).toBe(200)
  await expect(answer('refused')).rejects.toMatchObject({ code: 'unknown_installation' })

  fake.tenant(LARK.otherTenant).apps.add(LARK.storeAppId)
  expect(await tell('app_open')).toBe(200)
  await expect.poll(() => stateOf('waits'), settled).toBe('delivered')
  expect(textsOf(fake, LARK.otherTenantGroup)).toHaveLength(1)
})
