import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../../src/log.js'
import { createSlackPlatform, type SlackPlatform } from '../../../src/platforms/slack/index.js'
import { rotateKeys } from '../../../src/store/credentials.js'
import { createSealer, newSealingKey, parseSealingKeys } from '../../../src/store/sealing.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import {
  CLIENT,
  ENCRYPTION_KEYS,
  type InstallService,
  SIGNING_SECRET,
  startInstallService,
} from '../../support/slack/installs.js'
import { aMarker, aMessage, aTarget } from '../../support/slack/platform.js'

/** Two apps, three workspaces in two organizations, one of which installed as a whole. */
const INSTALLS = [
  { app: '', tenant: 'T0A1', enterprise: 'E0A', workspace: 'T0A1' },
  { app: '', tenant: 'T0A2', enterprise: 'E0A', workspace: 'T0A2' },
  { app: '', tenant: 'E0B', enterprise: 'E0B', workspace: 'T0B1' },
  { app: 'helper', tenant: 'T0A1', enterprise: 'E0A', workspace: 'T0A1' },
  { app: 'helper', tenant: 'E0B', enterprise: 'E0B', workspace: 'T0B1' },
].map((install, index) => ({
  ...install,
  id: install.app === '' ? `slack:${install.tenant}` : `slack:${install.tenant}:${install.app}`,
  token: `xoxe.xoxb-secret-${index}`,
  refreshToken: `xoxe-refresh-secret-${index}`,
  channel: `C0${index}`,
  botUser: `U0BOT${index}`,
}))
const DELIVERIES = 2_000

let folder: string
let database: TestDatabase
let slack: SlackFake
let service: InstallService
let platform: SlackPlatform
const logged: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lastword-apps-'))
  const appsFile = join(folder, 'apps.json')
  const helper = {
    key: 'helper',
    name: 'Helper',
    signingSecret: 'helper-signing-secret',
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
  }
  await writeFile(appsFile, JSON.stringify({ slack: [helper] }))
  database = await createTestDatabase()
  slack = await startSlackFake({
    isEmpty: true,
    seed: {
      organizations: { E0B: ['T0B1'] },
      grants: INSTALLS.map((install) => ({
        code: `code-${install.id}`,
        name: install.tenant,
        token: {
          token: install.token,
          team: install.tenant.startsWith('E') ? null : install.tenant,
          enterprise: install.enterprise,
          botUserId: install.botUser,
          botId: `B0${install.botUser}`,
          refreshToken: install.refreshToken,
        },
      })),
      channels: INSTALLS.map((install) => ({
        id: install.channel,
        team: install.workspace,
        kind: 'private',
        members: [install.botUser],
      })),
    },
  })
  const log = createLogger('debug', { write: (line: string) => void logged.push(line) })
  service = await startInstallService(database.db, slack.apiUrl, {
    env: { LASTWORD_APPS_FILE: appsFile },
    log,
  })
  for (const install of INSTALLS) {
    const page = await service.install(`code-${install.id}`, { app: install.app })
    expect(page.status).toBe(200)
  }
  platform = createSlackPlatform({
    apiUrl: slack.apiUrl,
    credentials: service.connections.slack,
    refresh: service.connections.refreshSlack,
  })
  slack.clearCalls()
}, 60_000)
afterAll(async () => {
  await platform.close()
  await service.close()
  await slack.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

test(`${DELIVERIES} interleaved sends each carry the token of their own installation, while tokens are refreshed`, async () => {
  let next = 0
  const lanes = Array.from({ length: 32 }, async () => {
    for (;;) {
      const number = next
      next += 1
      if (number >= DELIVERIES) return
      if (number === DELIVERIES / 2) await service.connections.refreshSlack(INSTALLS[0]?.id ?? '')
      const install = INSTALLS[(number * 7 + 3) % INSTALLS.length]
      if (install === undefined) throw new TypeError('no such install')
      const target = aTarget({
        installation: { id: install.id, platform: 'slack', tenant: install.tenant },
        workspace: install.workspace,
        conversationId: install.channel,
      })
      const marker = aMarker({ deliveryId: `dlv_${number}` })
      const send = () => platform.send(target, aMessage(`answer ${number}`), marker)
      let sent = await send()
      // What the engine does with a token that ended: refresh, then the same call.
      if (sent.kind === 'token') {
        await platform.refreshToken(target.installation)
        sent = await send()
      }
      expect(sent).toMatchObject({ kind: 'sent' })
    }
  })
  await Promise.all(lanes)

  const posts = slack.callsOf('chat.postMessage')
  expect(posts.length).toBeGreaterThanOrEqual(DELIVERIES)
  for (const post of posts) {
    const install = INSTALLS.find((each) => each.channel === post.channel)
    // A refreshed token keeps its bot: who the fake says it is decides.
    expect(slack.token(post.token ?? '').botUserId).toBe(install?.botUser)
  }
  for (const install of INSTALLS)
    expect(slack.messages(install.channel)).toHaveLength(DELIVERIES / INSTALLS.length)
}, 60_000)

test('an event for one app changes nothing of another in the same workspace', async () => {
  const body = JSON.stringify({
    type: 'event_callback',
    event_id: 'Ev0HELPER',
    event_time: Math.floor(Date.now() / 1_000) + 2,
    team_id: 'T0A1',
    event: { type: 'channel_archive', channel: 'C0SHARED' },
  })
  expect((await service.send(body, { app: 'helper' })).status).toBe(401)
  expect((await service.send(body, { app: 'helper', secret: 'helper-signing-secret' })).status).toBe(200)
  const rows = await database.db.selectFrom('conversations').select('installation_id').execute()
  expect(rows).toEqual([{ installation_id: 'slack:T0A1:helper' }])
})

test('keys are rotated on the live service, with progress, and the old one can go', async () => {
  const fresh = newSealingKey('fresh')
  const progress: number[] = []
  const both = createSealer(parseSealingKeys(`${fresh},${ENCRYPTION_KEYS}`))
  const count = await rotateKeys(database.db, both, ({ done }) => progress.push(done))
  expect(count).toBe(INSTALLS.length)
  expect(progress).toEqual([0, 1, 2, 3, 4, 5])
  const rows = await database.db.selectFrom('installations').select(['id', 'credentials']).execute()
  const onlyFresh = createSealer(parseSealingKeys(fresh))
  for (const row of rows) {
    expect(await onlyFresh.open(row.credentials ?? '', `installation:${row.id}`)).toContain('xoxe.xoxb-')
  }
  expect(await rotateKeys(database.db, both, () => {})).toBe(0)
})

test('after all that no secret stands in the database or the log', async () => {
  const tables = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'lastword'`,
  )
  let dump = ''
  for (const { name } of tables.rows) {
    const { rows } = await database.pool.query<{ line: string }>(
      `select t::text as line from lastword.${name} t`,
    )
    dump += rows.map((row) => row.line).join('\n')
  }
  expect(dump).toContain('slack:T0A1:helper')
  expect(logged.length).toBeGreaterThan(5)
  const secrets = [
    ...INSTALLS.flatMap(({ token, refreshToken }) => [token, refreshToken]),
    'xoxe.xoxb-',
    CLIENT.secret,
    SIGNING_SECRET,
    'helper-signing-secret',
    ENCRYPTION_KEYS.split(':')[1] ?? '',
  ]
  for (const secret of secrets) {
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret).toString('base64url').slice(0, -2))
    expect(logged.join('')).not.toContain(secret)
  }
})
