import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { type RunningProcess, startProcess } from '../support/processes.js'
import { SLACK, type SlackFake, startSlackFake } from '../support/slack/fake.js'

const KEY = 'lw_key_of_many_processes'
const THREADS = 20
const RUNS_PER_THREAD = 12

let database: TestDatabase
let slack: SlackFake
const running: RunningProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  slack = await startSlackFake({ latencyMs: 5 })
})
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()))
  await slack.close()
  await database.close()
})

async function start(roles: string): Promise<RunningProcess> {
  const process = await startProcess(roles, {
    DATABASE_URL: database.url,
    LASTWORD_API_KEY: KEY,
    LASTWORD_PACING: 'off',
    LASTWORD_SETTLE_MS: '300',
    LASTWORD_LOG_LEVEL: 'silent',
    SLACK_BOT_TOKEN: SLACK.token,
    SLACK_API_URL: slack.apiUrl,
  })
  running.push(process)
  return process
}

async function post(url: string, thread: string, index: number): Promise<void> {
  const response = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({
      runId: `run_${thread}_${index}`,
      conversation: { platform: 'slack', channel: SLACK.channel, thread, kind: 'channel' },
      outcome: { status: 'completed', output: `answer ${index}` },
    }),
  })
  expect(response.status).toBe(202)
}

async function openCount(): Promise<number> {
  const { rows } = await database.pool.query<{ open: number }>(
    'select count(*)::int as open from deliveries where settled_at is null',
  )
  return rows[0]?.open ?? 0
}

test('two processes that deliver and one with the doors: a rolling restart under load loses, repeats and reorders nothing', async () => {
  const [door, first, second] = await Promise.all([start('intake,web'), start('deliver'), start('deliver')])
  const threads = Array.from({ length: THREADS }, () => slack.say(SLACK.channel, 'a question'))

  const load = Promise.all(
    threads.map(async (thread) => {
      for (let index = 0; index < RUNS_PER_THREAD; index += 1) await post(door.url, thread, index)
    }),
  )
  const restarts = (async () => {
    for (const old of [first, second]) {
      await start('deliver')
      expect(await old.stop()).toBe(0)
    }
  })()
  await Promise.all([load, restarts])
  while ((await openCount()) > 0) await slack.idle()

  const shown = threads.map((thread) => slack.messages(SLACK.channel, thread).map(({ text }) => text))
  const expected = Array.from({ length: RUNS_PER_THREAD }, (_, index) => `answer ${index}`)
  expect(shown).toEqual(threads.map(() => expected))
}, 60_000)

test('a process without the intake role takes no runs, one without the web role has no console', async () => {
  const [web, intake] = await Promise.all([start('web'), start('intake')])
  const status = async (url: string, path: string, method = 'GET') =>
    (await fetch(url + path, { method })).status
  expect(await status(web.url, '/v1/runs', 'POST')).toBe(404)
  expect(await status(intake.url, '/v1/runs', 'POST')).toBe(401)
  expect(await status(intake.url, '/console/')).toBe(404)
  expect(await status(web.url, '/healthz')).toBe(200)
  expect(await status(intake.url, '/healthz')).toBe(200)
})
