import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readApps } from '../../../src/app/apps.js'
import { connect } from '../../../src/app/connect.js'
import { parseConfig } from '../../../src/config.js'
import { createLogger } from '../../../src/log.js'
import { createSlackPlatform } from '../../../src/platforms/slack/index.js'
import { acceptanceLedger } from '../../../src/store/accept-delivery.js'
import { installationFacts } from '../../../src/store/installation-facts.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import { aMarker, aMessage, aTarget } from '../../support/slack/platform.js'

const log = createLogger('silent')
let database: TestDatabase
let slack: SlackFake
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lastword-connect-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  database = await createTestDatabase()
  slack = await startSlackFake()
})
afterEach(async () => {
  await slack.close()
  await database.close()
})

const OURS = { DATABASE_URL: 'postgres://elsewhere/db' }
const OAUTH = { SLACK_CLIENT_ID: 'fake.client', SLACK_CLIENT_SECRET: 'fake-client-secret' }

describe('keys that seal', () => {
  test('are demanded where others’ credentials would be stored in a database of the operator’s own', async () => {
    await expect(connect(parseConfig({ ...OURS, ...OAUTH }), database.db, log)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('LASTWORD_ENCRYPTION_KEYS'),
    })
  })

  test('are not needed for one token of the settings', async () => {
    const config = parseConfig({ ...OURS, SLACK_BOT_TOKEN: SLACK.token, SLACK_API_URL: slack.apiUrl })
    const connections = await connect(config, database.db, log)
    expect(await connections.slack(`slack:${SLACK.team}`, { isFresh: true })).toMatchObject({
      token: SLACK.token,
    })
    const { rows } = await database.pool.query('select credentials from installations')
    expect(rows).toEqual([{ credentials: null }])
    await connections.close()
  })

  test('are made once for the embedded database, for its owner alone', async () => {
    const config = parseConfig({ ...OAUTH, LASTWORD_DATA_DIR: folder, SLACK_API_URL: slack.apiUrl })
    const connections = await connect(config, database.db, log)
    expect((await stat(join(folder, 'encryption-key'))).mode & 0o777).toBe(0o600)
    await connections.close()
  })
})

test('[INS-11] an organization’s token of the settings serves its workspaces', async () => {
  const token = 'xoxb-org'
  slack.add({
    tokens: [{ token, team: null, enterprise: 'E0ORG' }],
    organizations: { E0ORG: ['T0A', 'T0B'] },
  })
  const config = parseConfig({ ...OURS, SLACK_BOT_TOKEN: token, SLACK_API_URL: slack.apiUrl })
  const connections = await connect(config, database.db, log)
  expect(await acceptanceLedger(database.db).findInstallations('slack', 'T0B')).toEqual([
    { id: 'slack:E0ORG', tenant: 'E0ORG' },
  ])
  slack.add({ channels: [{ id: 'C0B', team: 'T0B', kind: 'public' }] })
  const platform = createSlackPlatform({ apiUrl: slack.apiUrl, credentials: connections.slack })
  const target = {
    installation: { id: 'slack:E0ORG', platform: 'slack', tenant: 'E0ORG' },
    workspace: 'T0B',
    conversationId: 'C0B',
  } as const
  expect(await platform.send(aTarget(target), aMessage(), aMarker())).toMatchObject({ kind: 'sent' })
  expect(slack.callsOf('chat.postMessage')[0]?.args.get('team_id')).toBe('T0B')
  await platform.close()
  await connections.close()
})

describe('[INS-06] a token that Slack refuses', () => {
  test.each([
    ['inactive', 'account_inactive'],
    ['invalid', 'invalid_auth'],
    ['revoked', 'token_revoked'],
  ] as const)('as %s parks its installation, and says so once', async (state, code) => {
    const config = parseConfig({ ...OURS, SLACK_BOT_TOKEN: SLACK.token, SLACK_API_URL: slack.apiUrl })
    const connections = await connect(config, database.db, log)
    const id = `slack:${SLACK.team}`
    const platform = createSlackPlatform({ apiUrl: slack.apiUrl, credentials: connections.slack })
    slack.setToken(SLACK.token, state)
    const target = aTarget({ installation: { id, platform: 'slack', tenant: SLACK.team } })
    expect(await platform.send(target, aMessage(), aMarker())).toMatchObject({
      kind: 'installation_dead',
      remedy: 'reinstall',
      code,
    })
    const facts = installationFacts(database.db, Date.now)
    expect(await facts.parkInstallation(id, code)).toBe(true)
    expect(await facts.parkInstallation(id, code)).toBe(false)
    expect(await facts.installation(id)).toMatchObject({ state: 'parked' })
    await platform.close()
    await connections.close()
  })
})

describe('LASTWORD_APPS_FILE', () => {
  async function appsOf(text: string) {
    const path = join(folder, 'apps.json')
    await writeFile(path, text)
    return readApps(parseConfig({ ...OURS, LASTWORD_APPS_FILE: path, SLACK_SIGNING_SECRET: 'own' }))
  }

  test('adds apps to the one of the settings', async () => {
    const apps = await appsOf(
      JSON.stringify({
        slack: [{ key: 'helper', name: 'Helper', signingSecret: 's' }],
        lark: [{ key: 'intl', appId: 'cli_1', appSecret: 's', baseUrl: 'https://open.larksuite.com' }],
      }),
    )
    expect(apps.slack.map((app) => app.key)).toEqual(['', 'helper'])
    expect(apps.lark).toMatchObject([
      { key: 'intl', kind: 'internal', baseUrl: 'https://open.larksuite.com' },
    ])
  })

  test.each([
    ['is no JSON', '{'],
    ['has a word that is not known', '{"slak": []}'],
    ['has a key that would not stand in an address', '{"slack": [{"key": "A/B"}]}'],
    ['has a key twice', '{"slack": [{"key": "a"}, {"key": "a"}]}'],
    ['lacks a secret', '{"lark": [{"key": "a", "appId": "cli_1"}]}'],
  ])('that %s is refused with its path and no value', async (_name, text) => {
    await expect(appsOf(text)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('LASTWORD_APPS_FILE'),
    })
  })
})
