import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeError } from '../../../src/log.js'
import { aMarker, aTarget, aText } from '../../platforms/lark/lark-edge.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { currentEvent, ENCRYPT_KEY, olderEvent, VERIFICATION_TOKEN } from '../../support/lark/events.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { type LarkService, type ServedApp, startLarkService } from '../../support/lark/service.js'

const HOSTS = ['feishu', 'larksuite'] as const
const TENANTS = ['one', 'two'] as const
const SENDS = 2_000

type Host = (typeof HOSTS)[number]

const digitOf = (host: Host) => HOSTS.indexOf(host) + 1
const appIdOf = (host: Host, kind: string) =>
  `cli_${kind === 'store' ? 'a' : 'b'}00000000000000${digitOf(host)}`
const secretOf = (host: Host, kind: string) => `secret-${kind}-of-${host}`
const tenantOf = (host: Host, tenant: string) => `tenant-${host}-${tenant}`
const chatOf = (host: Host, tenant: string) => `oc_${host}_${tenant}`
const ticketOf = (host: Host) => `ticket-of-${host}`

/** Two hosts; on each a store app in two tenants and an internal app of the first. */
const installations = HOSTS.flatMap((host) => [
  ...TENANTS.map((tenant) => ({ host, tenant, kind: 'store' as const })),
  { host, tenant: 'one' as const, kind: 'internal' as const },
]).map((each) => ({
  ...each,
  appId: appIdOf(each.host, each.kind),
  id: `lark:${tenantOf(each.host, each.tenant)}:${each.kind}-${each.host}`,
}))

let database: TestDatabase
let fakes: Readonly<Record<Host, LarkFake>>
let services: readonly LarkService[]
const lines: string[] = []

function startHost(host: Host): Promise<LarkFake> {
  const store = appIdOf(host, 'store')
  return startLarkFake({
    apps: [
      { appId: store, appSecret: secretOf(host, 'store'), name: 'Store', kind: 'store' },
      {
        appId: appIdOf(host, 'internal'),
        appSecret: secretOf(host, 'internal'),
        name: 'Own',
        tenant: tenantOf(host, 'one'),
      },
    ],
    tenants: TENANTS.map((tenant) => ({ key: tenantOf(host, tenant), name: tenant, apps: [store] })),
    users: [],
    messages: [],
    chats: TENANTS.map((tenant) => ({
      id: chatOf(host, tenant),
      name: tenant,
      mode: 'group',
      tenant: tenantOf(host, tenant),
    })),
  })
}

beforeAll(async () => {
  database = await createTestDatabase()
  fakes = { feishu: await startHost('feishu'), larksuite: await startHost('larksuite') }
  // The fake numbers its tokens: from here on the two hosts' differ.
  for (let made = 0; made < 100; made += 1) fakes.larksuite.world.newId('')
  const apps = HOSTS.flatMap((host): readonly ServedApp[] => {
    const common = { baseUrl: fakes[host].url }
    return [
      {
        ...common,
        key: `store-${host}`,
        kind: 'store',
        appId: appIdOf(host, 'store'),
        appSecret: secretOf(host, 'store'),
      },
      {
        ...common,
        key: `internal-${host}`,
        kind: 'internal',
        appId: appIdOf(host, 'internal'),
        appSecret: secretOf(host, 'internal'),
        tenant: tenantOf(host, 'one'),
      },
    ]
  })
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = pino({ level: 'debug', serializers: { err: describeError } }, sink)
  services = [
    await startLarkService(database.db, apps, { log }),
    await startLarkService(database.db, apps, { log }),
  ]
  await installEverywhere()
})
afterAll(async () => {
  for (const service of services) await service.close()
  for (const host of HOSTS) await fakes[host].close()
  await database.close()
})

/** Tickets come to the first process alone; every tenant opens the store app. */
async function installEverywhere(): Promise<void> {
  const [first] = services
  for (const host of HOSTS) {
    const appId = appIdOf(host, 'store')
    fakes[host].pushTicket(appId, ticketOf(host))
    await first?.event(appId, olderEvent('app_ticket', { app_ticket: ticketOf(host) }, { appId }))
    for (const tenant of TENANTS)
      await first?.event(appId, olderEvent('app_open', {}, { appId, tenant: tenantOf(host, tenant) }))
  }
}

test('2 000 interleaved sends of two processes: every call carries its own installation’s token', async () => {
  const sends = Array.from({ length: SENDS }, (_, index) => {
    const installation = installations[index % installations.length]
    const service = services[Math.floor(index / installations.length) % services.length]
    if (installation === undefined || service === undefined) throw new RangeError('no such installation')
    const { id, host, tenant } = installation
    return () =>
      service.platform.send(
        aTarget({
          installation: { id, platform: 'lark', tenant: tenantOf(host, tenant) },
          workspace: tenantOf(host, tenant),
          conversationId: chatOf(host, tenant),
        }),
        aText(`${id} ${index}`),
        aMarker({ deliveryId: `d${index}` }),
      )
  })
  const kinds = new Map<string, number>()
  for (let at = 0; at < sends.length; at += 100) {
    for (const { kind } of await Promise.all(sends.slice(at, at + 100).map((send) => send())))
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  expect([...kinds]).toEqual([['sent', SENDS]])

  const seen = HOSTS.flatMap((host) =>
    fakes[host].calls
      .filter(({ name }) => name === 'im.message.create')
      .map(({ token, body }) => {
        const spoken = fakes[host].world.tokens.get(token ?? '')
        const text: string = JSON.parse(String(body.content)).text
        return {
          host,
          appId: spoken?.appId,
          tenant: spoken?.tenant,
          chat: body.receive_id,
          id: text.split(' ')[0],
        }
      }),
  )
  expect(seen).toHaveLength(SENDS)
  for (const call of seen) {
    const owner = installations.find(({ id }) => id === call.id)
    expect(call).toEqual({
      host: owner?.host,
      appId: owner?.appId,
      tenant: tenantOf(owner?.host ?? 'feishu', owner?.tenant ?? ''),
      chat: chatOf(owner?.host ?? 'feishu', owner?.tenant ?? ''),
      id: owner?.id,
    })
  }
  const tokens = HOSTS.flatMap((host) => [...fakes[host].tokenUses().keys()])
  expect(new Set(tokens).size).toBe(installations.length)
})

test('an event of one host, app and tenant touches that installation alone', async () => {
  for (const { host, tenant, kind, appId } of installations) {
    const event = currentEvent(
      'im.chat.disbanded_v1',
      { chat_id: `oc_${host}_${tenant}_${kind}` },
      { appId, tenant: tenantOf(host, tenant) },
    )
    expect((await services[1]?.event(appId, event))?.status).toBe(200)
  }
  const rows = await database.db
    .selectFrom('conversations')
    .select(['installation_id', 'conversation_id'])
    .orderBy('installation_id')
    .execute()
  expect(rows).toEqual(
    installations
      .map(({ id, host, tenant, kind }) => ({
        installation_id: id,
        conversation_id: `oc_${host}_${tenant}_${kind}`,
      }))
      .sort((a, b) => (a.installation_id < b.installation_id ? -1 : 1)),
  )
})

test('after all that, no secret is in the database or the logs', async () => {
  const tables = await database.pool.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const dumped: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await database.pool.query(`select t::text as line from ${name} t`)
    dumped.push(...rows.map(({ line }) => line))
  }
  const dump = dumped.join('\n')
  expect(dump).toContain('app_ticket')
  expect(lines.length).toBeGreaterThan(installations.length)
  const secrets = [
    ENCRYPT_KEY,
    VERIFICATION_TOKEN,
    ...HOSTS.flatMap((host) => [
      ticketOf(host),
      secretOf(host, 'store'),
      secretOf(host, 'internal'),
      ...fakes[host].tokenUses().keys(),
    ]),
  ]
  for (const secret of secrets) {
    expect(dump).not.toContain(secret)
    expect(lines.join('\n')).not.toContain(secret)
  }
})
