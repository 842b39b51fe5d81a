import { createServer, type Server } from 'node:http'
import { createEmulator, type Emulator } from 'emulate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSlackPlatform } from '../../../src/platforms/slack/index.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { type InstallService, startInstallService } from '../../support/slack/installs.js'
import { aMarker, aMessage, aTarget } from '../../support/slack/platform.js'
import { listen } from '../../support/slack/wire.js'

// A Slack nobody here wrote. It knows no uninstall, so a gate before it refuses the tokens that are said to be gone.
const CLIENT = { id: '1.emulated', secret: 'emulated-secret' } as const
const WORKSPACE = 'T000000001'
const ID = `slack:${WORKSPACE}`

let database: TestDatabase
let emulator: Emulator
let gate: Server
let apiUrl: string
const revoked = new Set<string>()
let one: InstallService
let two: InstallService

beforeAll(async () => {
  database = await createTestDatabase()
  gate = createServer()
  const port = await listen(gate, 0)
  emulator = await createEmulator({
    service: 'slack',
    port: await freePort(),
    seed: {
      slack: {
        team: { name: 'Emulated', domain: 'emulated' },
        users: [{ name: 'ann', real_name: 'Ann' }],
      },
    },
  })
  gate.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const token = /Bearer (\S+)/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (revoked.has(token)) {
      response.setHeader('content-type', 'application/json')
      response.end('{"ok":false,"error":"token_revoked"}')
      return
    }
    const answer = await fetch(new URL(request.url ?? '/', emulator.url), {
      method: request.method ?? 'GET',
      headers: {
        'content-type': request.headers['content-type'] ?? 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      redirect: 'manual',
      ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    })
    response.writeHead(
      answer.status,
      Object.fromEntries(
        [...answer.headers].filter(([name]) => name === 'content-type' || name === 'location'),
      ),
    )
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  apiUrl = `http://127.0.0.1:${port}/api/`
  const app = { clientId: CLIENT.id, clientSecret: CLIENT.secret }
  one = await startInstallService(database.db, apiUrl, app)
  two = await startInstallService(database.db, apiUrl, app)
})
afterAll(async () => {
  await one.close()
  await two.close()
  gate.closeAllConnections()
  gate.close()
  await emulator.close()
  await database.close()
})

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server, 0)
  await new Promise<void>((done) => server.close(() => done()))
  return port
}

/** What a person does: our page, Slack's page, the button of a user there, and back. */
async function installLikeAPerson(service: InstallService): Promise<number> {
  const { location, cookie } = await service.start()
  const consent = await (await fetch(location)).text()
  const fields = [...consent.matchAll(/name="([a-z_]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')],
  )
  const agreed = await fetch(new URL('/oauth/v2/authorize/callback', location), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields.slice(0, 6)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const back = new URL(agreed.headers.get('location') ?? 'missing:')
  return (await service.get(back.pathname + back.search, { cookie })).status
}

const token = async (service: InstallService) =>
  (await service.connections.slack(ID, { isFresh: true }))?.token
const state = async () =>
  (await database.db.selectFrom('installations').select('state').where('id', '=', ID).executeTakeFirst())
    ?.state

async function post(service: InstallService): Promise<string> {
  const platform = createSlackPlatform({ apiUrl, credentials: service.connections.slack })
  const target = {
    installation: { id: ID, platform: 'slack', tenant: WORKSPACE },
    workspace: WORKSPACE,
  } as const
  try {
    return (await platform.send(aTarget({ ...target, conversationId: 'C000000001' }), aMessage(), aMarker()))
      .kind
  } finally {
    await platform.close()
  }
}

test('install, post, uninstall, and install again on another process', async () => {
  expect(await installLikeAPerson(one)).toBe(200)
  const first = await token(one)
  expect(first).toMatch(/^xoxb-/)
  expect(await post(two)).toBe('sent')

  revoked.add(first ?? '')
  const from = { team_id: WORKSPACE, event_time: Math.floor(Date.now() / 1_000) + 2 }
  expect((await two.event({ type: 'app_uninstalled' }, from)).status).toBe(200)
  expect(await state()).toBe('removed')
  expect(await token(one)).toBeUndefined()
  expect(await post(one)).toBe('installation_dead')

  expect(await installLikeAPerson(two)).toBe(200)
  expect(await state()).toBe('active')
  const second = await token(one)
  expect(second).not.toBe(first)
  expect(await post(one)).toBe('sent')

  const late = { ...from, event_time: Math.floor(Date.now() / 1_000) - 60 }
  await one.event({ type: 'app_uninstalled' }, late)
  expect(await state()).toBe('active')
})
