import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApps } from '../../../src/app/apps.js'
import { connectSettings } from '../../../src/app/connect/settings.js'
import { parseConfig } from '../../../src/config.js'
import { createLogger } from '../../../src/log.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'

let database: TestDatabase
let slack: SlackFake

beforeAll(async () => {
  database = await createTestDatabase()
  slack = await startSlackFake()
})
afterAll(async () => {
  await slack.close()
  await database.close()
})

async function start(env: Record<string, string>) {
  const config = parseConfig(env)
  return connectSettings(config, await readApps(config), database.db, createLogger('silent'))
}

const statesOf = () =>
  database.db
    .selectFrom('installations')
    .select(['id', 'state'])
    .where('platform', '=', 'slack')
    .orderBy('id')
    .execute()

const live = (): Record<string, string> => ({ SLACK_BOT_TOKEN: SLACK.token, SLACK_API_URL: slack.apiUrl })
/** Nothing listens on port 9. */
const OUTAGE = 'http://127.0.0.1:9/api/'

test('a first start while Slack does not answer says so', async () => {
  await expect(start({ ...live(), SLACK_API_URL: OUTAGE })).rejects.toMatchObject({
    code: 'platform_unreachable',
  })
})

test('a refused token is named by its setting, not printed', async () => {
  const refused = start({ ...live(), SLACK_BOT_TOKEN: 'xoxb-wrong' })
  await expect(refused).rejects.toMatchObject({ code: 'platform_refused' })
  await expect(refused).rejects.toThrow(/SLACK_BOT_TOKEN: invalid_auth$/)
})

test('a later start in an outage goes on with the same token for the same workspace', async () => {
  const before = await start(live())
  const during = await start({ ...live(), SLACK_API_URL: OUTAGE })
  expect([...during.slack.keys()]).toEqual([...before.slack.keys()])
})

test('another token in an outage is never taken for the workspace that is known', async () => {
  const other = start({ SLACK_BOT_TOKEN: 'xoxb-another', SLACK_API_URL: OUTAGE })
  await expect(other).rejects.toMatchObject({ code: 'platform_unreachable' })
})

test('what earlier settings had connected steps aside, and comes back with them', async () => {
  slack.add({ tokens: [{ token: 'xoxb-second', team: 'T0SECOND01' }] })
  await start({ ...live(), SLACK_BOT_TOKEN: 'xoxb-second' })
  expect(await statesOf()).toEqual([
    { id: 'slack:T0SECOND01', state: 'active' },
    { id: `slack:${SLACK.team}`, state: 'removed' },
  ])
  await start(live())
  expect(await statesOf()).toEqual([
    { id: 'slack:T0SECOND01', state: 'removed' },
    { id: `slack:${SLACK.team}`, state: 'active' },
  ])
})
