import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Check } from '../../src/commands/doctor/check.js'
import { clockCheck } from '../../src/commands/doctor/check.js'
import { type DoctorFlags, runDoctor } from '../../src/commands/doctor.js'
import { parseConfig } from '../../src/config.js'
import { createLogger } from '../../src/log.js'
import { SLACK_SCOPE_NAMES } from '../../src/platforms/slack/scopes.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { startLarkFake } from '../support/lark/fake.js'
import { LARK } from '../support/lark/seed.js'
import { SLACK, type SlackFake, startSlackFake } from '../support/slack/fake.js'

const ID = `slack:${SLACK.team}`
let database: TestDatabase
let slack: SlackFake

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  slack = await startSlackFake()
})
afterEach(() => slack.close())

function diagnose(flags: DoctorFlags = {}, env: Record<string, string> = {}): Promise<readonly Check[]> {
  const config = parseConfig({
    DATABASE_URL: 'postgres://elsewhere/db',
    SLACK_BOT_TOKEN: SLACK.token,
    SLACK_API_URL: slack.apiUrl,
    ...env,
  })
  return runDoctor(config, database.db, createLogger('silent'), flags)
}

const statesOf = (checks: readonly Check[]) =>
  Object.fromEntries(checks.map((check) => [check.name.replace(`${ID} `, ''), check.state]))

describe('the doctor', () => {
  test('finds a healthy installation healthy, and posts nothing unasked', async () => {
    expect(statesOf(await diagnose())).toEqual({
      database: 'ok',
      queue: 'ok',
      token: 'ok',
      scopes: 'ok',
      clock: 'ok',
    })
    expect(slack.messages(SLACK.channel)).toEqual([])
  })

  test('posts, reads back, uploads, and leaves nothing behind', async () => {
    const states = statesOf(await diagnose({ post: SLACK.channel }))
    expect(states).toMatchObject({
      [`${SLACK.channel} membership`]: 'ok',
      [`${SLACK.channel} message`]: 'ok',
      [`${SLACK.channel} read-back`]: 'ok',
      [`${SLACK.channel} file`]: 'ok',
    })
    expect(slack.messages(SLACK.channel)).toEqual([])
  })

  test('says which scope is missing, what for, and what to click', async () => {
    slack.token(SLACK.token).scopes.delete('channels:history')
    slack.token(SLACK.token).scopes.delete('files:write')
    const checks = await diagnose({ post: SLACK.channel })
    const scopes = checks.find((check) => check.name.endsWith('scopes'))
    expect(scopes).toMatchObject({ state: 'problem', fix: expect.stringContaining('OAuth & Permissions') })
    expect(scopes?.detail).toContain('channels:history')
    expect(statesOf(checks)).toMatchObject({
      [`${SLACK.channel} read-back`]: 'problem',
      [`${SLACK.channel} file`]: 'note',
    })
    expect(slack.messages(SLACK.channel)).toEqual([])
  })

  test('an optional scope that is missing is a note', async () => {
    slack.token(SLACK.token).scopes.delete('reactions:write')
    expect(statesOf(await diagnose())).toMatchObject({ scopes: 'note' })
  })

  test('says that the app is not in the conversation, and how to invite it', async () => {
    slack.channel(SLACK.channel).members.delete(SLACK.botUser)
    const checks = await diagnose({ post: SLACK.channel })
    expect(checks.at(-1)).toMatchObject({ state: 'problem', fix: expect.stringContaining('/invite') })
  })

  test('says that the token of the settings is refused', async () => {
    slack.setToken(SLACK.token, 'revoked')
    expect(await diagnose()).toMatchObject([{ name: 'settings token', state: 'problem' }])
  })

  test('tells of an installation that is parked or was not refreshed', async () => {
    await database.db
      .insertInto('installations')
      .values({
        id: 'slack:T0PARKED',
        platform: 'slack',
        tenant: 'T0PARKED',
        source: 'install',
        state: 'parked',
        state_code: 'account_inactive',
        refresh_code: 'invalid_refresh_token',
      })
      .execute()
    const checks = await diagnose({ installation: 'slack:T0PARKED' })
    const problems = checks.filter((check) => check.state === 'problem').map((check) => check.name)
    expect(problems).toEqual(['slack:T0PARKED state', 'slack:T0PARKED refresh', 'slack:T0PARKED token'])
    await database.db.deleteFrom('installations').where('id', '=', 'slack:T0PARKED').execute()
  })

  test('an installation that is not there is refused by name', async () => {
    await expect(diagnose({ installation: 'slack:T0NONE' })).rejects.toMatchObject({
      code: 'unknown_installation',
    })
  })

  test('never prints a secret', async () => {
    expect(JSON.stringify(await diagnose({ post: SLACK.channel }))).not.toContain(SLACK.token)
  })

  test.each([
    ['as good as the same', 20_000, 'ok'],
    ['minutes ahead', 240_000, 'problem'],
    ['minutes behind', -240_000, 'problem'],
  ])('clocks that are %s', (_name, skewMs, state) => {
    expect(clockCheck('x', 1_000_000, 1_000_000 + skewMs)).toMatchObject({ state })
  })

  test('asks for exactly the scopes of the manifest', async () => {
    slack.token(SLACK.token).scopes.clear()
    slack.token(SLACK.token).scopes.add('chat:write')
    const scopes = (await diagnose()).find((check) => check.name.endsWith('scopes'))
    for (const name of SLACK_SCOPE_NAMES.slice(1)) expect(scopes?.detail).toContain(name)
  })
})

describe('the doctor in Lark', () => {
  test('proves the app, the bot, and that the same key posts once', async () => {
    const lark = await startLarkFake()
    try {
      const env = { LARK_APP_ID: LARK.appId, LARK_APP_SECRET: LARK.appSecret, LARK_BASE_URL: lark.url }
      const id = `lark:${LARK.appId}`
      const checks = await diagnose({ installation: id, post: LARK.group }, env)
      expect(checks.filter((check) => check.state === 'problem')).toEqual([])
      const states = Object.fromEntries(
        checks.map((check) => [check.name.replace(`${id} `, ''), check.state]),
      )
      expect(states).toMatchObject({
        token: 'ok',
        bot: 'ok',
        [`${LARK.group} message`]: 'ok',
        [`${LARK.group} same key`]: 'ok',
      })
      expect(JSON.stringify(checks)).not.toContain(LARK.appSecret)
    } finally {
      await lark.close()
    }
  })

  test('says that the secret is refused, and of which host', async () => {
    const lark = await startLarkFake()
    try {
      const env = { LARK_APP_ID: LARK.appId, LARK_APP_SECRET: 'not-the-secret', LARK_BASE_URL: lark.url }
      const checks = await diagnose({ installation: `lark:${LARK.appId}` }, env)
      expect(checks.at(-1)).toMatchObject({
        state: 'problem',
        detail: expect.stringContaining(new URL(lark.url).host),
        fix: expect.stringContaining('open.larksuite.com'),
      })
    } finally {
      await lark.close()
    }
  })
})
