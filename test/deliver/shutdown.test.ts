import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, openApp } from '../../src/app/app.js'
import type { Role } from '../../src/app/roles.js'
import { parseConfig } from '../../src/config.js'
import { createLogger } from '../../src/log.js'
import { buildChild, type CrashChild } from '../support/crash/run-child.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { aRun, inParts, inSlack, PRODUCER, partsIn, saying } from '../support/engine.js'
import { SLACK, type SlackFake, startSlackFake } from '../support/slack/fake.js'

let database: TestDatabase
let slack: SlackFake
let child: CrashChild
let intake: App
let env: Record<string, string>
const opened: { close(): Promise<unknown> }[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  slack = await startSlackFake()
  child = await buildChild()
  env = {
    DATABASE_URL: database.url,
    LASTWORD_PACING: 'off',
    LASTWORD_SETTLE_MS: '300',
    LASTWORD_LOG_LEVEL: 'silent',
    PORT: '0',
    SLACK_BOT_TOKEN: SLACK.token,
    SLACK_API_URL: slack.apiUrl,
  }
  intake = await open('intake')
}, 30_000)
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  await slack.close()
  await database.close()
})

async function open(role: Role): Promise<App> {
  const app = await openApp(parseConfig(env), createLogger('silent'), { roles: new Set([role]) })
  opened.push(app)
  return app
}

const texts = () =>
  slack
    .messages(SLACK.channel)
    .filter(({ botId }) => botId !== null)
    .map(({ text }) => text)

/** When the fake has been called `count` times to post. */
async function posted(count: number): Promise<void> {
  while (slack.callsOf('chat.postMessage').length < count) await new Promise(setImmediate)
}

async function settledBy(app: App, deliveryId: string): Promise<string> {
  return new Promise((done) => {
    app.onEvent((event) => event.kind === 'settled' && event.deliveryId === deliveryId && done(event.state))
  })
}

/** Starts the command as `npm start` does, by a shell that must pass signals on; from the sources, without the build. */
async function serve(): Promise<ChildProcess> {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(await readFile('package.json', 'utf8')))
  const script = scripts.start.replace('node dist/main.js', 'node --import tsx src/main.ts serve')
  return spawn('sh', ['-c', script], {
    env: { PATH: process.env.PATH, ...env, LASTWORD_API_KEY: 'lw_key_of_this_test' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

describe('SIGTERM', () => {
  // The time to stop is this test's own limit, with that of the start before it.
  test('during a call: the call is finished, the rest handed back, the process ends by itself', async () => {
    slack.faults.next('chat.postMessage', { kind: 'slow', delayMs: 1_000, commit: 'then' })
    const { deliveryId } = await intake.accept(aRun(inSlack(SLACK.channel), inParts(2)), PRODUCER)
    const served = await serve()
    await posted(1)
    served.kill('SIGTERM')
    const [code] = await once(served, 'exit')
    expect(code).toBe(0)
    expect(partsIn(texts())).toEqual(['part1'])
    const { rows } = await database.pool.query(
      `select (select array_agg(state order by index) from parts where delivery_id = $1) as parts,
              (select count(*)::int from lanes where owner is not null) as held,
              (select count(*)::int from lanes where ready_at <= now()) as due`,
      [deliveryId],
    )
    expect(rows).toEqual([{ parts: ['sent', 'pending'], held: 0, due: 1 }])
    // The next start goes on with part 2, at once.
    const next = await open('deliver')
    expect(await settledBy(next, deliveryId)).toBe('delivered')
    expect(partsIn(texts())).toEqual(['part1', 'part2'])
  }, 90_000)
})

describe('SIGKILL', () => {
  /** A process that dies while its call is under way, the message being in the chat already. */
  async function dyingOwner(): Promise<{ deliveryId: string; owner: ChildProcess }> {
    slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' })
    const { deliveryId } = await intake.accept(aRun(inSlack(SLACK.channel), saying('once')), PRODUCER)
    const owner = child.start({ env })
    await posted(1)
    return { deliveryId, owner }
  }

  async function settledAtMs(): Promise<number> {
    const { rows } = await database.pool.query<{ at: Date }>('select settled_at as at from deliveries')
    return rows[0]?.at.getTime() ?? Number.NaN
  }

  test('another process takes the lane within 15 s and repeats nothing', async () => {
    const { deliveryId, owner } = await dyingOwner()
    const other = await open('deliver')
    const settled = settledBy(other, deliveryId)
    owner.kill('SIGKILL')
    const killedAtMs = Date.now()
    expect(await settled).toBe('delivered')
    expect((await settledAtMs()) - killedAtMs).toBeLessThan(15_000)
    expect(texts()).toEqual(['once'])
  }, 60_000)

  test('a restarted process takes it within 5 s', async () => {
    const { deliveryId, owner } = await dyingOwner()
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    const killedAtMs = Date.now()
    const restarted = await open('deliver')
    expect(await settledBy(restarted, deliveryId)).toBe('delivered')
    expect((await settledAtMs()) - killedAtMs).toBeLessThan(5_000)
    expect(texts()).toEqual(['once'])
  }, 60_000)
})
