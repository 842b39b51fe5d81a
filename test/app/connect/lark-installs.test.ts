import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptanceLedger } from '../../../src/store/accept-delivery.js'
import { aMarker, aTarget, aText } from '../../platforms/lark/lark-edge.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { currentEvent, olderEvent } from '../../support/lark/events.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { type LarkService, type ServedApp, startLarkService } from '../../support/lark/service.js'

const ID = `lark:${LARK.otherTenant}:store`
const INTERNAL_ID = `lark:${LARK.tenant}:own`

let database: TestDatabase
let fake: LarkFake
let one: LarkService
let two: LarkService
/** Tickets the platform was asked to push; a test lets them go. */
let pushes: string[]

beforeAll(async () => {
  fake = await startLarkFake({ onTicket: (_appId, ticket) => void pushes.push(ticket) })
})
afterAll(() => fake.close())
beforeEach(async () => {
  pushes = []
  fake.faults.clear()
  fake.expireTokens()
  fake.pushTicket(LARK.storeAppId, 'ticket-secret-1')
  fake.tenant(LARK.otherTenant).apps.add(LARK.storeAppId)
  fake.tenant(LARK.tenant).apps.add(LARK.appId)
  fake.clearLog()
  database = await createTestDatabase()
  const apps: readonly ServedApp[] = [
    {
      key: 'store',
      appId: LARK.storeAppId,
      appSecret: LARK.storeAppSecret,
      kind: 'store',
      baseUrl: fake.url,
    },
    {
      key: 'own',
      appId: LARK.appId,
      appSecret: LARK.appSecret,
      kind: 'internal',
      baseUrl: fake.url,
      tenant: LARK.tenant,
    },
  ]
  one = await startLarkService(database.db, apps)
  two = await startLarkService(database.db, apps)
})
afterEach(async () => {
  await one.close()
  await two.close()
  await database.close()
})

interface When {
  readonly atMs?: number
  readonly id?: string
  readonly tenant?: string
}
const fields = (when: When) => ({ appId: LARK.storeAppId, tenant: LARK.otherTenant, ...when })
const tell = (type: string, event: Record<string, unknown> = {}, when: When = {}, to = one) =>
  to.event(LARK.storeAppId, olderEvent(type, event, fields(when)))
const tellOfChat = (type: string, event: Record<string, unknown>, when: When = {}, to = one) =>
  to.event(LARK.storeAppId, currentEvent(type, event, fields(when)))
const ticket = (value: string, atMs = Date.now(), to = one) =>
  to.event(LARK.storeAppId, olderEvent('app_ticket', { app_ticket: value }, { appId: LARK.storeAppId, atMs }))
const row = (id = ID) =>
  database.db.selectFrom('installations').selectAll().where('id', '=', id).executeTakeFirst()
const stateOf = async (id = ID) => (await row(id))?.state ?? null
const sendBy = (service: LarkService, id = ID, chat: string = LARK.otherTenantGroup) =>
  service.platform.send(
    aTarget({ installation: { id, platform: 'lark', tenant: LARK.otherTenant }, conversationId: chat }),
    aText(),
    aMarker({ deliveryId: `d${Math.random()}` }),
  )
const receipts = async () =>
  (await database.db.selectFrom('receipts').select('kind').orderBy('id').execute()).map(({ kind }) => kind)

async function owe(installationId: string, conversationId: string): Promise<string> {
  const lane = `${installationId}|${conversationId}|`
  await acceptanceLedger(database.db).accept({
    id: `dlv_${installationId}_${conversationId}`,
    installationId,
    laneKey: lane,
    conversationKey: lane,
    conversationId,
    // Acceptance stores a run as it is; what is in it does not matter here.
    run: JSON.parse(
      `{"runId":"${lane}","attempt":1,"outcome":{"status":"completed","output":"hi","partialOutput":null}}`,
    ),
    runHash: 'h',
    producer: null,
    expiresAtMs: Date.now() + 3_600_000,
  })
  await database.db.updateTable('lanes').set({ ready_at: null }).where('key', '=', lane).execute()
  return lane
}
const isArmed = async (lane: string) =>
  (await database.db.selectFrom('lanes').select('ready_at').where('key', '=', lane).executeTakeFirst())
    ?.ready_at != null

describe('a store app', () => {
  test('goes the whole way: ticket, install, send, uninstall, install again, on two processes', async () => {
    expect((await ticket('ticket-secret-1')).status).toBe(200)
    expect((await tell('app_open')).status).toBe(200)
    expect(await row()).toMatchObject({
      state: 'active',
      source: 'install',
      app: 'store',
      base_url: fake.url,
    })
    expect(await sendBy(one)).toMatchObject({ kind: 'sent' })
    expect(await sendBy(two)).toMatchObject({ kind: 'sent' })

    const lane = await owe(ID, LARK.otherTenantGroup)
    fake.uninstall(LARK.storeAppId, LARK.otherTenant)
    expect((await tell('app_uninstalled', {}, {}, two)).status).toBe(200)
    expect(await stateOf()).toBe('removed')
    expect(await sendBy(one)).toMatchObject({ kind: 'installation_dead', remedy: 'reinstall' })
    expect(await isArmed(lane)).toBe(false)

    fake.tenant(LARK.otherTenant).apps.add(LARK.storeAppId)
    expect((await tell('app_open', {}, {}, two)).status).toBe(200)
    expect(await stateOf()).toBe('active')
    expect(await isArmed(lane)).toBe(true)
    expect(await receipts()).toEqual(['installation.added', 'installation.removed', 'installation.added'])
  })

  test('is known in a tenant from its first event of any kind, and asks Lark once', async () => {
    await ticket('ticket-secret-1')
    const message = () => tellOfChat('im.message.receive_v1', { message: { content: 'hi' } })
    expect((await message()).status).toBe(200)
    expect(await stateOf()).toBe('active')
    fake.clearLog()
    for (let index = 0; index < 5; index += 1) await message()
    expect(fake.calls).toEqual([])
  })

  test('is not taken to be in a tenant that Lark denies', async () => {
    await ticket('ticket-secret-1')
    fake.uninstall(LARK.storeAppId, LARK.otherTenant)
    expect((await tellOfChat('im.message.receive_v1', {})).status).toBe(200)
    expect(await row()).toBeUndefined()
    expect((await tell('app_open')).status).toBe(503)
    expect(await row()).toBeUndefined()
  })

  test('switched off and on again parks and revives', async () => {
    await ticket('ticket-secret-1')
    await tell('app_open')
    const lane = await owe(ID, LARK.otherTenantGroup)
    fake.app(LARK.storeAppId).enabled = false
    expect((await tell('app_status_change', { status: 'stop_by_tenant' })).status).toBe(200)
    expect(await row()).toMatchObject({ state: 'parked', state_code: 'app_disabled' })
    fake.app(LARK.storeAppId).enabled = true
    expect((await tell('app_status_change', { status: 'start_by_tenant' })).status).toBe(200)
    expect(await row()).toMatchObject({ state: 'active', state_code: null })
    expect(await isArmed(lane)).toBe(true)
  })

  test.each([
    ['app_uninstalled', {}],
    ['app_status_change', { status: 'stop_by_tenant' }],
  ])('a late %s never ends what works now', async (type, event) => {
    await ticket('ticket-secret-1')
    await tell('app_open')
    expect((await tell(type, event, { atMs: Date.now() - 21_600_000 })).status).toBe(200)
    expect((await tell(type, event)).status).toBe(200)
    expect(await stateOf()).toBe('active')
  })

  test('an uninstall is not believed while Lark cannot be asked: it is delivered again', async () => {
    await ticket('ticket-secret-1')
    await tell('app_open')
    fake.faults.next('bot.info', { kind: 'http', status: 502 })
    expect((await tell('app_uninstalled', {}, { id: 'again' })).status).toBe(503)
    expect(await stateOf()).toBe('active')
    fake.uninstall(LARK.storeAppId, LARK.otherTenant)
    expect((await tell('app_uninstalled', {}, { id: 'again' })).status).toBe(200)
    expect(await stateOf()).toBe('removed')
  })

  test('a late app_open does not bring back what was uninstalled', async () => {
    await ticket('ticket-secret-1')
    await tell('app_open')
    fake.uninstall(LARK.storeAppId, LARK.otherTenant)
    await tell('app_uninstalled')
    expect((await tell('app_open', {}, { atMs: Date.now() - 60_000 })).status).toBe(200)
    expect((await tellOfChat('im.message.receive_v1', {})).status).toBe(200)
    expect(await stateOf()).toBe('removed')
  })

  test.each([
    ['99991662', 'active'],
    ['99991672', 'parked'],
  ])('parked by a send for %s, it is %s after an event of a working app', async (code, state) => {
    await ticket('ticket-secret-1')
    await tell('app_open')
    await database.db
      .updateTable('installations')
      .set({ state: 'parked', state_code: code })
      .where('id', '=', ID)
      .execute()
    expect((await tellOfChat('im.message.receive_v1', {})).status).toBe(200)
    expect(await stateOf()).toBe(state)
  })

  test('two processes that hear of a tenant at once make one installation', async () => {
    await ticket('ticket-secret-1')
    await Promise.all([tell('app_open', {}, {}, one), tell('app_open', {}, {}, two)])
    expect(await receipts()).toEqual(['installation.added'])
  })
})

describe('tickets', () => {
  test('are asked for when missing, and the push that follows serves every process', async () => {
    await tell('app_open')
    expect(await stateOf()).toBe('active')
    expect(pushes).toEqual(['ticket-secret-1'])
    expect(await sendBy(one)).toEqual({ kind: 'not_sent', code: 'app_ticket_missing' })
    await ticket(pushes[0] ?? '', Date.now(), two)
    expect(await sendBy(one)).toMatchObject({ kind: 'sent' })
    expect(await sendBy(two)).toMatchObject({ kind: 'sent' })
  })

  test('the newest wins, however late an older one comes', async () => {
    const now = Date.now()
    await ticket('ticket-secret-1', now)
    await ticket('ticket-secret-0', now - 3_600_000, two)
    expect(await one.connections.larkTickets.newest(LARK.storeAppId)).toBe('ticket-secret-1')
    await ticket('ticket-secret-2', now + 1_000, two)
    expect(await two.connections.larkTickets.newest(LARK.storeAppId)).toBe('ticket-secret-2')
  })

  test('are for their app alone', async () => {
    await ticket('ticket-secret-1')
    expect(await one.connections.larkTickets.newest(LARK.appId)).toBeNull()
  })
})

describe('an internal app', () => {
  test('speaks for its tenant from the start', async () => {
    expect(await row(INTERNAL_ID)).toMatchObject({ state: 'active', source: 'settings' })
    expect(await sendBy(one, INTERNAL_ID, LARK.group)).toMatchObject({ kind: 'sent' })
  })

  test('takes no events of another tenant', async () => {
    const event = currentEvent(
      'im.chat.member.bot.deleted_v1',
      { chat_id: LARK.group },
      { appId: LARK.appId, tenant: LARK.otherTenant },
    )
    expect((await one.event(LARK.appId, event)).status).toBe(200)
    expect(await database.db.selectFrom('conversations').selectAll().execute()).toEqual([])
  })

  test('masks its secrets in what is sent', async () => {
    expect(await one.connections.secretsOf(INTERNAL_ID)).toContain(LARK.appSecret)
    await ticket('ticket-secret-1')
    await tell('app_open')
    expect(await one.connections.secretsOf(ID)).toContain(LARK.storeAppSecret)
  })
})

describe('chats', () => {
  const memory = (chat: string) =>
    database.db
      .selectFrom('conversations')
      .select(['state', 'state_code', 'name'])
      .where('conversation_id', '=', chat)
      .executeTakeFirst()
  beforeEach(async () => {
    await ticket('ticket-secret-1')
    await tell('app_open')
  })

  test.each([
    ['im.chat.member.bot.deleted_v1', '230002'],
    ['im.chat.disbanded_v1', '232009'],
  ])('%s ends one', async (type, code) => {
    await tellOfChat(type, { chat_id: 'oc_a' })
    expect(await memory('oc_a')).toMatchObject({ state: 'dead', state_code: code })
  })

  test('the bot’s return revives one and arms what waits', async () => {
    await tellOfChat('im.chat.member.bot.deleted_v1', { chat_id: 'oc_a' })
    const lane = await owe(ID, 'oc_a')
    await tellOfChat('im.chat.member.bot.added_v1', { chat_id: 'oc_a' }, {}, two)
    expect(await memory('oc_a')).toBeUndefined()
    expect(await isArmed(lane)).toBe(true)
  })

  test('a late end, which may have been overtaken, only makes us ask again', async () => {
    await tellOfChat('im.chat.member.bot.added_v1', { chat_id: 'oc_a' })
    await tellOfChat('im.chat.member.bot.deleted_v1', { chat_id: 'oc_a' }, { atMs: Date.now() - 15_000 })
    expect(await memory('oc_a')).toBeUndefined()
  })

  test('a new name is remembered, and a change of kind is asked anew', async () => {
    await database.db
      .insertInto('conversations')
      .values({ installation_id: ID, conversation_id: 'oc_a', name: 'Old', surface: 'channel' })
      .execute()
    await tellOfChat('im.chat.updated_v1', { chat_id: 'oc_a', after_change: { name: '新名' } })
    expect(await memory('oc_a')).toMatchObject({ name: '新名' })
    await tellOfChat('im.chat.updated_v1', {
      chat_id: 'oc_a',
      after_change: { group_message_type: 'thread' },
    })
    expect(await memory('oc_a')).toBeUndefined()
  })
})

test('a store app without keys for its events is refused at start', async () => {
  const bare: ServedApp = {
    key: 'store',
    appId: LARK.storeAppId,
    appSecret: LARK.storeAppSecret,
    kind: 'store',
    baseUrl: fake.url,
    encryptKey: undefined,
    verificationToken: undefined,
  }
  await expect(startLarkService(database.db, [bare])).rejects.toMatchObject({ code: 'config_invalid' })
  const twin = { ...bare, key: 'twin' }
  await expect(startLarkService(database.db, [bare, twin])).rejects.toMatchObject({ code: 'config_invalid' })
})
