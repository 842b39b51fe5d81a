import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { type App, openApp } from '../src/app/app.js'
import { parseConfig } from '../src/config.js'
import type { Producer } from '../src/intake/accept.js'
import { createLogger } from '../src/log.js'
import { startEmbedded } from '../src/store/embedded.js'

/** Work under way at the same time, for us and for every loop we are compared with. */
export const CONCURRENCY = 64

/** Installation that the fake's `auth.test` makes of any token. */
export const INSTALLATION_ID = 'slack:T0BENCH'

export interface FakeSlack {
  readonly apiUrl: string
  posts(): Promise<number>
  /** Run number to when its post arrived, in ms on the machine's monotonic clock. */
  arrivals(): Promise<ReadonlyMap<number, number>>
  reset(latencyMs?: number): Promise<void>
  stop(): void
}

/** The machine under measurement: one Postgres with fsync on, one fake platform. */
export interface Bench {
  readonly fake: FakeSlack
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>
  /** Our own process's parts on a new database, pacing off. */
  openApp(url: string, deliver?: boolean): Promise<App>
  stop(): Promise<void>
}

export const PRODUCER: Producer = {
  name: 'bench',
  may: () => true,
  mayPostTo: () => true,
  installationIds: null,
}

/** Starts Postgres in a temporary folder and the fake in a process of its own. */
export async function startBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'lastword-bench-'))
  const log = createLogger('error')
  const embedded = await startEmbedded(folder, log)
  const fake = await startFake()
  return {
    fake,
    async createDatabase() {
      const name = `bench_${randomBytes(6).toString('hex')}`
      await runSql(embedded.url, `create database ${name}`)
      return embedded.url.replace(/\/[^/]+$/, `/${name}`)
    },
    openApp: (url, deliver = true) =>
      openApp(configFor(url, fake.apiUrl), log, deliver ? {} : { roles: new Set(['intake']) }),
    async stop() {
      fake.stop()
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configFor(url: string, apiUrl: string): ReturnType<typeof parseConfig> {
  return parseConfig({
    DATABASE_URL: url,
    LASTWORD_PACING: 'off',
    LASTWORD_CONCURRENCY: String(CONCURRENCY),
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_API_URL: apiUrl,
  })
}

async function startFake(): Promise<FakeSlack> {
  const child = fork(new URL('./fake-slack.ts', import.meta.url), { execArgv: process.execArgv })
  const { port } = await new Promise<{ readonly port: number }>((done, fail) => {
    child.once('message', (message) => done(z.object({ port: z.number() }).parse(message)))
    child.once('exit', (code) => fail(new Error(`the fake platform ended with code ${code}`)))
  })
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).json()
  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    posts: async () => z.object({ posts: z.number() }).parse(await ask('/count')).posts,
    arrivals: async () => new Map(z.array(z.tuple([z.number(), z.number()])).parse(await ask('/arrivals'))),
    reset: async (latencyMs = 0) => void (await ask(`/reset?latencyMs=${latencyMs}`)),
    stop: () => void child.kill(),
  }
}

/** One statement on a connection of its own. */
export async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** A run as a producer sends it: an answer of a few hundred characters, its kind of conversation named. */
export function runFor(number: number, lane: number): unknown {
  return {
    runId: `bench-${number}`,
    conversation: {
      platform: 'slack',
      workspace: 'T0BENCH',
      channel: `C${String(lane).padStart(10, '0')}`,
      kind: 'channel',
    },
    outcome: { status: 'completed', output: `${textFor(number)}` },
  }
}

export function textFor(number: number): string {
  return `Result of bench-${number}: the **deploy** finished in 3.2 s, see [the log](https://example.com/log).\n\n- \`build\` passed\n- \`test\` passed with 2 warnings\n`
}

/** Does `count` pieces of work, `CONCURRENCY` at a time. */
export async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const loop = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count) }, loop))
}

/** Resolves when `app` has settled `count` deliveries from now on. */
export function settled(app: App, count: number): Promise<void> {
  let seen = 0
  return new Promise((done) => {
    app.onEvent((event) => {
      if (event.kind === 'settled' && ++seen === count) done()
    })
  })
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Operations a second. */
export async function rateOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return (count / (performance.now() - startedAtMs)) * 1_000
}
