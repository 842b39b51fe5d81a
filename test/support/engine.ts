import { type App, type AppOptions, openApp } from '../../src/app/app.js'
import { parseConfig } from '../../src/config.js'
import type { DeliveryEvent } from '../../src/deliver/engine.js'
import type { Producer } from '../../src/intake/accept.js'
import { createLogger } from '../../src/log.js'
import { type DeliveryStory, showDelivery } from '../../src/store/delivery-list.js'
import { installTestClock, type TestClock, withTestClock } from './clock.js'
import { createTestDatabase, type TestDatabase } from './database.js'
import { type LarkFake, startLarkFake } from './lark/fake.js'
import { LARK } from './lark/seed.js'
import { SLACK, type SlackFake, type SlackFakeOptions, startSlackFake } from './slack/fake.js'

export const PRODUCER: Producer = {
  name: 'test',
  may: () => true,
  mayPostTo: () => true,
  installationIds: null,
}
export const SLACK_INSTALLATION = `slack:${SLACK.team}`
export const LARK_INSTALLATION = `lark:${LARK.tenant}`

export type Settled = Extract<DeliveryEvent, { kind: 'settled' }>

export interface EngineOptions {
  /** How long an unknown outcome is left alone, in ms; short, so that tests need not wait. */
  readonly settleMs?: number
  readonly settings?: Readonly<Record<string, string>>
  readonly slack?: SlackFakeOptions
  readonly app?: AppOptions
}

/** The real app over a database of its own, in front of both strict fakes. */
export interface EngineUnderTest {
  readonly app: App
  readonly database: TestDatabase
  readonly slack: SlackFake
  readonly lark: LarkFake
  readonly clock: TestClock
  readonly events: readonly DeliveryEvent[]
  /** Hands runs in, in order; answers their delivery ids. */
  accept(...runs: readonly object[]): Promise<readonly string[]>
  /** Hands one run in and waits for its end. */
  deliver(run: object): Promise<Settled>
  /** When a delivery has ended; at once when it has already. */
  settled(deliveryId: string): Promise<Settled>
  /** When nobody works on any lane and none is due: what is left waits or is parked. */
  quiet(): Promise<void>
  /** Lets time pass for the app, the database and both platforms, and what is due happen. */
  pass(ms: number): Promise<void>
  story(deliveryId: string): Promise<DeliveryStory>
  receipts(kind: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** A new Slack channel with the bot in it. */
  channel(): string
  /** A new Lark group with the bot in it. */
  group(): string
  /** Another process on the same database and platforms; closed with the rest. */
  another(options?: AppOptions): Promise<App>
  close(): Promise<void>
}

export async function startEngine(options: EngineOptions = {}): Promise<EngineUnderTest> {
  const database = await createTestDatabase()
  const clock = await installTestClock(database.pool)
  const slack = await startSlackFake({ now: clock.now, ...options.slack })
  const lark = await startLarkFake({ clock: clock.now })
  const config = parseConfig({
    DATABASE_URL: withTestClock(database.url),
    LASTWORD_PACING: 'off',
    LASTWORD_MAX_PARTS: '10',
    LASTWORD_SETTLE_MS: String(options.settleMs ?? 20),
    LASTWORD_LOG_LEVEL: 'silent',
    SLACK_BOT_TOKEN: SLACK.token,
    SLACK_API_URL: slack.apiUrl,
    LARK_APP_ID: LARK.appId,
    LARK_APP_SECRET: LARK.appSecret,
    LARK_TENANT_KEY: LARK.tenant,
    LARK_BASE_URL: lark.url,
    ...options.settings,
  })
  const events: DeliveryEvent[] = []
  const apps: App[] = []
  let counter = 0
  let heard = new Set<() => void>()
  const tell = () => {
    const listeners = heard
    heard = new Set()
    for (const listener of listeners) listener()
  }
  const something = () => new Promise<void>((resolve) => void heard.add(resolve))

  async function open(extra: AppOptions = {}): Promise<App> {
    const app = await openApp(config, createLogger('silent'), {
      now: clock.now,
      callTimeoutMs: 2_000,
      ...options.app,
      ...extra,
      reached(step) {
        options.app?.reached?.(step)
        extra.reached?.(step)
        if (step === 'settled' || step === 'released') setImmediate(tell)
      },
    })
    app.onEvent((event) => {
      events.push(event)
      tell()
    })
    apps.push(app)
    return app
  }

  const app = await open()
  const engine: EngineUnderTest = {
    app,
    database,
    slack,
    lark,
    clock,
    events,
    async accept(...runs) {
      const ids: string[] = []
      for (const run of runs) ids.push((await app.accept(run, PRODUCER)).deliveryId)
      return ids
    },
    async deliver(run) {
      const { deliveryId } = await app.accept(run, PRODUCER)
      return engine.settled(deliveryId)
    },
    async settled(deliveryId) {
      for (;;) {
        const next = something()
        const found = events.find((event) => event.kind === 'settled' && event.deliveryId === deliveryId)
        if (found?.kind === 'settled') return found
        await next
      }
    },
    async quiet() {
      for (;;) {
        const next = something()
        if ((await busyLanes(database)) === 0) return
        await next
      }
    },
    async pass(ms) {
      await clock.pass(ms)
      for (const each of apps) each.worker.wake()
      await engine.quiet()
    },
    async story(deliveryId) {
      const story = await showDelivery(database.db, deliveryId)
      if (story === null) throw new RangeError(`no delivery ${deliveryId}`)
      return story
    },
    async receipts(kind) {
      const { rows } = await database.pool.query<{ body: Record<string, unknown> }>(
        'select body from receipts where kind = $1 order by id',
        [kind],
      )
      return rows.map((row) => row.body)
    },
    channel() {
      counter += 1
      const id = `C0TEST${String(counter).padStart(4, '0')}`
      slack.add({
        channels: [{ id, team: SLACK.team, kind: 'public', members: [SLACK.botUser, SLACK.user] }],
      })
      return id
    },
    group() {
      counter += 1
      const id = `oc_${String(counter).padStart(32, '0')}`
      lark.addChat({ id, name: 'group', mode: 'group', members: [LARK.user], bots: [LARK.appId] })
      return id
    },
    another: open,
    async close() {
      for (const each of apps) await each.close()
      await Promise.all([slack.close(), lark.close()])
      await database.close()
    },
  }
  return engine
}

/** Lanes that somebody works on, or could now: parked installations' and closed gates' lanes are not. */
async function busyLanes(database: TestDatabase): Promise<number> {
  const { rows } = await database.pool.query<{ busy: number }>(`
    select count(*)::int as busy from lanes l join installations i on i.id = l.installation_id
     where l.owner is not null
        or (l.ready_at <= clock.now() and i.state = 'active'
            and not exists (select 1 from gates g where g.scope = i.id and g.not_before > clock.now()))`)
  return rows[0]?.busy ?? 0
}

let runs = 0

/** A completed run, as a producer posts it; `change` is laid over it. */
export function aRun(conversation: object, change: object = {}): object {
  runs += 1
  return {
    runId: `run_${runs}`,
    conversation,
    outcome: { status: 'completed', stopReason: 'end_turn', output: `answer ${runs}` },
    ...change,
  }
}

export function inSlack(channel: string, change: object = {}): object {
  return { platform: 'slack', channel, kind: 'channel', ...change }
}

export function inLark(chat: string, change: object = {}): object {
  return { platform: 'lark', chat, kind: 'channel', ...change }
}

export const saying = (output: string) => ({ outcome: { status: 'completed', output } })
export const failing = (errorCode = 'rate_limited') => ({ outcome: { status: 'failed', errorCode } })

/** An answer of paragraphs so long that each is a part of its own. */
export function inParts(count: number, platform: 'slack' | 'lark' = 'slack') {
  const filler = 'lorem ipsum dolor '.repeat(platform === 'slack' ? 400 : 900)
  return saying(Array.from({ length: count }, (_, n) => `part${n + 1} ${filler}`).join('\n\n'))
}

/** Which `partN` each message shows, in the order they stand. A card names its own twice: as its summary, too. */
export function partsIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => /part\d+(?= lorem)/.exec(text)?.[0] ?? [])
}

/** The words of a Slack channel's messages by our bot, in order. */
export function slackTexts(engine: EngineUnderTest, channel: string): readonly string[] {
  return engine.slack
    .messages(channel)
    .filter((message) => message.botId !== null)
    .map((message) => message.text)
}

/** The words of a Lark chat's messages by our app, in order; recalled ones left out. */
export function larkTexts(engine: EngineUnderTest, chat: string): readonly string[] {
  return engine.lark
    .messages(chat)
    .filter((message) => message.sender.kind === 'app' && !message.recalled)
    .map((message) => message.content)
}
