import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Check } from '../../src/commands/doctor/check.js'
import { checkLark } from '../../src/commands/doctor/lark.js'
import { createLarkProver, type LarkProver } from '../../src/platforms/lark/install.js'
import { credentialsAt } from '../platforms/lark/lark-edge.js'
import { type LarkFake, startLarkFake } from '../support/lark/fake.js'
import { LARK } from '../support/lark/seed.js'
import { type SocketFake, startSocketFake } from '../support/lark/socket.js'

let fake: LarkFake
let sockets: SocketFake
let prover: LarkProver

beforeAll(async () => {
  sockets = await startSocketFake({ appId: LARK.appId, appSecret: LARK.appSecret })
})
afterAll(() => sockets.close())
beforeEach(async () => {
  fake = await startLarkFake()
  sockets.refuseWith(null)
  prover = createLarkProver({ appTicket: async () => null, timeoutMs: 2_000, now: Date.now })
})
afterEach(async () => {
  await prover.close()
  await fake.close()
})

function diagnose(
  fields: Parameters<typeof credentialsAt>[1] = {},
  events: 'http' | 'socket' = 'http',
): Promise<readonly Check[]> {
  const credentials = async () => credentialsAt(fake.url, fields)
  // The fake of long connections is another server.
  const both = {
    ...prover,
    proveSocket: (given: { appId: string; appSecret: string }) =>
      prover.proveSocket({ ...given, baseUrl: sockets.url }),
  }
  return checkLark('lark:x', { credentials, prover: both, events, nowMs: Date.now })
}

test('a healthy app has a token, a bot and the right time', async () => {
  expect(await diagnose()).toMatchObject([
    { name: 'lark:x token', state: 'ok' },
    { name: 'lark:x bot', state: 'ok', detail: 'Agents' },
    { name: 'lark:x clock', state: 'ok' },
  ])
})

test.each([
  { name: 'a wrong secret', fields: { appSecret: 'wrong' }, fix: 'App Secret' },
  { name: 'an app of the other host', fields: { appId: 'cli_a1b2c3d4e5f6ffff' }, fix: 'open.larksuite.com' },
  {
    name: 'a store app without its ticket',
    fields: { appId: LARK.storeAppId, appSecret: LARK.storeAppSecret, kind: 'store' },
    fix: 'event address',
  },
  { name: 'a host that does not answer', fields: { baseUrl: 'http://127.0.0.1:9' }, fix: 'reachable' },
] as const)('$name: what to do', async ({ fields, fix }) => {
  const checks = await diagnose(fields)
  expect(checks).toMatchObject([{ state: 'problem', fix: expect.stringContaining(fix) }])
  expect(JSON.stringify(checks)).not.toContain(LARK.appSecret)
})

test('an app that was uninstalled: whom to ask', async () => {
  await diagnose()
  fake.uninstall(LARK.appId, LARK.tenant)
  expect(await diagnose()).toMatchObject([
    { state: 'problem', fix: expect.stringContaining('administrator') },
  ])
})

test('INS-12: the long connection of the wrong region is told by its code', async () => {
  expect((await diagnose({}, 'socket')).at(-1)).toMatchObject({ name: 'lark:x long connection', state: 'ok' })
  sockets.refuseWith(1000040351)
  expect((await diagnose({}, 'socket')).at(-1)).toMatchObject({
    state: 'problem',
    detail: expect.stringContaining('1000040351'),
    fix: expect.stringContaining('https://open.larksuite.com'),
  })
  expect(sockets.openSockets()).toBe(0)
})

test('an app that is configured no more is named', async () => {
  const options = { credentials: async () => null, prover, events: 'http', nowMs: Date.now } as const
  expect(await checkLark('lark:x', options)).toMatchObject([{ state: 'problem' }])
})
