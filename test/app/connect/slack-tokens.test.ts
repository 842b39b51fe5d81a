import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSlackTokens, type SlackTokens } from '../../../src/app/connect/slack-tokens.js'
import { createLogger } from '../../../src/log.js'
import { createSlackClients, type SlackClients } from '../../../src/platforms/slack/client.js'
import { createCredentialVault } from '../../../src/store/credentials.js'
import { refreshLeases } from '../../../src/store/refresh-lease.js'
import { createSealer, newSealingKey, parseSealingKeys } from '../../../src/store/sealing.js'
import { slackGrantBook } from '../../../src/store/slack-installations.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { type SlackFake, startSlackFake } from '../../support/slack/fake.js'

const HOUR_MS = 3_600_000
const ID = 'slack:T0TEAM0001'

let database: TestDatabase
let slack: SlackFake
let clients: SlackClients
/** Two processes that share a database. */
let processes: readonly [SlackTokens, SlackTokens]
const sealer = createSealer(parseSealingKeys(newSealingKey('test')))
let nowMs = Date.now()

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  nowMs = Date.now()
  slack = await startSlackFake({
    seed: { tokens: [{ token: 'xoxe.xoxb-old', team: 'T0TEAM0001', refreshToken: 'xoxe-1' }] },
  })
  clients = createSlackClients({ apiUrl: slack.apiUrl, timeoutMs: 2_000 })
  processes = [tokens(), tokens()]
})
afterEach(async () => {
  await clients.close()
  await slack.close()
})

function tokens(): SlackTokens {
  return createSlackTokens({
    vault: createCredentialVault(database.db, sealer, () => nowMs),
    leases: refreshLeases(database.db),
    sealer,
    clients,
    appSecrets: (app) =>
      app === '' ? { clientId: 'fake.client', clientSecret: 'fake-client-secret' } : null,
    log: createLogger('silent'),
    now: () => nowMs,
    pause: (durationMs) => new Promise((done) => setTimeout(done, durationMs)),
  })
}

async function installed(leftMs: number, refreshToken: string | null = 'xoxe-1'): Promise<void> {
  const book = slackGrantBook(database.db, sealer, { app: '', apiUrl: slack.apiUrl, onPut: async () => {} })
  await book.put({
    tenant: 'T0TEAM0001',
    enterprise: null,
    isOrgWide: false,
    name: null,
    appId: null,
    botId: null,
    botUserId: null,
    scopes: [],
    token: 'xoxe.xoxb-old',
    refreshToken,
    expiresAtMs: nowMs + leftMs,
  })
}

const tokenFrom = async (each: SlackTokens, isFresh = false) =>
  (await each.credentials(ID, { isFresh }))?.token
const refreshes = () => slack.callsOf('oauth.v2.access').length
const state = () =>
  database.db
    .selectFrom('installations')
    .select(['state', 'refresh_code', 'refresh_owner'])
    .where('id', '=', ID)
    .executeTakeFirstOrThrow()

test('a token with hours left is used as it is', async () => {
  await installed(5 * HOUR_MS)
  expect(await tokenFrom(processes[0])).toBe('xoxe.xoxb-old')
  expect(refreshes()).toBe(0)
})

test('[INS-17] ten sends on two processes with a token that ended refresh it once', async () => {
  await installed(-1_000)
  const sends = Array.from({ length: 10 }, (_, index) => tokenFrom(processes[index % 2 === 0 ? 0 : 1]))
  const used = new Set(await Promise.all(sends))
  expect(refreshes()).toBe(1)
  expect([...used]).toEqual([expect.stringMatching(/^xoxe\.xoxb-\d+$/)])
  expect(slack.token([...used][0] ?? '').state).toBe('active')
  expect(await state()).toEqual({ state: 'active', refresh_code: null, refresh_owner: null })
})

test('ten refusals of one token on two processes refresh it once', async () => {
  await installed(5 * HOUR_MS)
  const asked = Array.from({ length: 10 }, (_, index) => processes[index % 2 === 0 ? 0 : 1].refresh(ID))
  expect(new Set((await Promise.all(asked)).map((each) => each.kind))).toEqual(new Set(['refreshed']))
  // One that comes a little later, with the refusal of the old token still in hand.
  expect(await processes[1].refresh(ID)).toEqual({ kind: 'refreshed' })
  expect(refreshes()).toBe(1)
})

test('the old token is used until the new one is stored', async () => {
  await installed(HOUR_MS / 2)
  expect(await tokenFrom(processes[0])).toBe('xoxe.xoxb-old')
  // The refresh that began in the background is the one that this waits for.
  expect(await processes[0].refresh(ID)).toEqual({ kind: 'refreshed' })
  expect(await tokenFrom(processes[0])).toMatch(/^xoxe\.xoxb-\d+$/)
  expect(refreshes()).toBe(1)
})

test('a failure leaves the old token in use, is visible, and is tried again after a wait', async () => {
  await installed(HOUR_MS / 2)
  slack.faults.next('oauth.v2.access', { kind: 'error', code: 'internal_error' })
  expect(await processes[0].refresh(ID)).toEqual({ kind: 'not_sent', code: 'internal_error' })
  expect(await state()).toMatchObject({
    state: 'active',
    refresh_code: 'internal_error',
    refresh_owner: null,
  })
  expect(await tokenFrom(processes[1])).toBe('xoxe.xoxb-old')
  expect(await processes[1].refresh(ID)).toEqual({ kind: 'not_sent', code: 'internal_error' })
  expect(refreshes()).toBe(1)

  await database.db
    .updateTable('installations')
    .set({ refresh_until: new Date(0) })
    .execute()
  expect(await processes[1].refresh(ID)).toEqual({ kind: 'refreshed' })
  expect(await state()).toMatchObject({ refresh_code: null })
})

test('a refresh token that is refused ends the installation only when the old token has ended too', async () => {
  await installed(HOUR_MS / 2, 'xoxe-unknown')
  expect(await processes[0].refresh(ID)).toEqual({ kind: 'not_sent', code: 'invalid_refresh_token' })
  nowMs += HOUR_MS
  expect(await processes[1].refresh(ID)).toEqual({
    kind: 'installation_dead',
    remedy: 'reinstall',
    code: 'invalid_refresh_token',
  })
})

test('a process that died at it is followed by another when its lease ends', async () => {
  await installed(-1_000)
  const leases = refreshLeases(database.db)
  expect(await leases.claim(ID, 'died', 60_000)).toMatchObject({ kind: 'mine' })
  expect(await leases.claim(ID, 'other', 60_000)).toMatchObject({ kind: 'taken', isFailure: false })
  await database.db
    .updateTable('installations')
    .set({ refresh_until: new Date(0) })
    .execute()
  expect(await tokenFrom(processes[0])).toMatch(/^xoxe\.xoxb-\d+$/)
})

test('a slow answer never overwrites a newer install', async () => {
  await installed(-1_000)
  const before = await database.db.selectFrom('installations').select('credentials').executeTakeFirstOrThrow()
  await installed(5 * HOUR_MS)
  const stored = await refreshLeases(database.db).complete(ID, before.credentials ?? '', {
    sealed: 'old',
    expiresAtMs: 1,
  })
  expect(stored).toBe(false)
  expect(await tokenFrom(processes[0])).toBe('xoxe.xoxb-old')
})

test('a token without rotation that ended asks for a new install', async () => {
  await installed(5 * HOUR_MS, null)
  expect(await processes[0].refresh(ID)).toEqual({
    kind: 'installation_dead',
    remedy: 'reinstall',
    code: 'token_expired',
  })
})
