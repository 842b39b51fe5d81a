import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openApp } from '../../src/app/app.js'
import { parseConfig } from '../../src/config.js'
import { createLogger } from '../../src/log.js'
import { startEmbedded } from '../../src/store/embedded.js'
import { buildChild } from '../support/crash/run-child.js'
import { startLarkFake } from '../support/lark/fake.js'
import { LARK } from '../support/lark/seed.js'
import { SLACK, startSlackFake } from '../support/slack/fake.js'
import { readOptions, seededRandom } from './options.js'
import { larkFault, slackFault } from './storm.js'
import { judge, type Shown, type SoakRun, type Verdict } from './verdict.js'

// Two workers are killed at random while everything that can go wrong with a call does. Prints what was lost, repeated
// or out of order. Ends with 1 when anything was.
const options = readOptions()
const random = seededRandom(options.SOAK_SEED)
const folder = await mkdtemp(join(tmpdir(), 'lastword-soak-'))
const log = createLogger('silent')
const embedded = await startEmbedded(folder, log)
const slack = await startSlackFake()
const lark = await startLarkFake()
const env = {
  DATABASE_URL: embedded.url,
  LASTWORD_PACING: 'off',
  LASTWORD_MAX_PARTS: '10',
  LASTWORD_SETTLE_MS: String(options.SOAK_SETTLE_MS),
  LASTWORD_LOG_LEVEL: process.env.SOAK_LOG ?? 'silent',
  SLACK_BOT_TOKEN: SLACK.token,
  SLACK_API_URL: slack.apiUrl,
  LARK_APP_ID: LARK.appId,
  LARK_APP_SECRET: LARK.appSecret,
  LARK_TENANT_KEY: LARK.tenant,
  LARK_BASE_URL: lark.url,
}
const intake = await openApp(parseConfig(env), log, { roles: new Set(['intake']) })
const child = await buildChild()
const lanes = Array.from({ length: options.SOAK_LANES }, (_, n) => addLane(n))

let isStormy = true
let faults = 0
slack.faults.decide((call) => {
  if (options.SOAK_BLIND === 'on' && call.method.startsWith('conversations.'))
    return { kind: 'error', code: 'missing_scope' }
  if (!isStormy || call.method !== 'chat.postMessage' || random() * 1_000 >= options.SOAK_FAULTS) return null
  faults += 1
  return slackFault(random)
})
scriptLark()

const startedAtMs = Date.now()
const runs: SoakRun[] = []
const sending = sendRuns()
const kills = await killAtRandom(sending)
isStormy = false
lark.faults.clear()
const verdict = await finish()
process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
await intake.close()
await Promise.all([slack.close(), lark.close()])
await embedded.stop()
await rm(folder, { recursive: true, force: true })
const mayRepeat = options.SOAK_BLIND === 'on'
const isClean = verdict.lost + verdict.outOfOrder + (mayRepeat ? 0 : verdict.repeated) === 0
process.exit(isClean ? 0 : 1)

function addLane(n: number): string {
  if (n % 2 === 0) {
    const id = `C0SOAK${String(n).padStart(4, '0')}`
    slack.add({ channels: [{ id, team: SLACK.team, kind: 'public', members: [SLACK.botUser] }] })
    return id
  }
  const id = `oc_${String(n).padStart(32, '0')}`
  lark.addChat({ id, name: 'soak', mode: 'group', bots: [LARK.appId] })
  return id
}

function scriptLark(): void {
  // One fault at a time is scripted; the next call that the dice choose meets it, and scripts the next.
  const script = (): void =>
    lark.faults.next((call) => {
      if (!isStormy || !call.name.startsWith('im.message.create')) return false
      if (random() * 1_000 >= options.SOAK_FAULTS) return false
      faults += 1
      setImmediate(script)
      return true
    }, larkFault(random))
  script()
  setInterval(() => isStormy && random() < 0.2 && lark.expireTokens(), 1_000).unref()
}

async function sendRuns(): Promise<void> {
  // Spread over the kills, so that there is always something to interrupt.
  const pauseMs = Math.max(20, (options.SOAK_KILLS * 900 * 25) / options.SOAK_RUNS)
  const counts = new Map<string, number>()
  for (let sent = 0; sent < options.SOAK_RUNS; sent += 25) {
    const batch = Array.from({ length: Math.min(25, options.SOAK_RUNS - sent) }, (_, n) =>
      runFor(sent + n, counts),
    )
    // Runs of one lane are handed in one after another: their order is the order of acceptance.
    for (const { run, facts } of batch) {
      const { deliveryId } = await intake.accept(run, {
        name: 'soak',
        may: () => true,
        mayPostTo: () => true,
        installationIds: null,
      })
      runs.push({ ...facts, deliveryId })
    }
    await wait(pauseMs)
  }
}

function runFor(n: number, counts: Map<string, number>) {
  const lane = lanes[Math.floor(random() * lanes.length)] ?? ''
  const place = (counts.get(lane) ?? 0) + 1
  counts.set(lane, place)
  const parts = random() < 0.8 ? 1 : random() < 0.7 ? 2 : 5
  const name = `run${n}x`
  const filler = 'lorem ipsum dolor '.repeat(parts === 1 ? 3 : lane.startsWith('C') ? 400 : 900)
  const output = Array.from({ length: parts }, (_, part) => `${name}/${part + 1} ${filler}`).join('\n\n')
  const conversation = lane.startsWith('C')
    ? { platform: 'slack', channel: lane, kind: 'channel' }
    : { platform: 'lark', chat: lane, kind: 'channel' }
  return {
    run: { runId: `soak_${n}`, conversation, outcome: { status: 'completed', output } },
    facts: { lane, name, parts },
  }
}

/** Keeps two workers running and kills one of them again and again; returns how often. */
async function killAtRandom(until: Promise<void>): Promise<number> {
  let isSending = true
  void until.then(() => {
    isSending = false
  })
  const workers: ChildProcess[] = [child.start({ env }), child.start({ env })]
  let kills = 0
  while (isSending || kills < options.SOAK_KILLS) {
    await wait(200 + random() * 1_300)
    if (kills >= options.SOAK_KILLS) continue
    const at = Math.floor(random() * workers.length)
    const victim = workers[at]
    if (victim !== undefined) await kill(victim)
    workers[at] = child.start({ env })
    kills += 1
    if (kills % 20 === 0)
      process.stderr.write(`${kills} kills, ${runs.length} runs sent, ${await openCount()} open\n`)
  }
  for (const worker of workers) await kill(worker)
  return kills
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}

async function openCount(): Promise<number> {
  const { rows } = await intake.database.pool.query<{ open: number }>(
    'select count(*)::int as open from deliveries where settled_at is null',
  )
  return rows[0]?.open ?? 0
}

/** Lets one worker finish everything in fair weather, then compares. */
async function finish(): Promise<
  Verdict & { readonly kills: number; readonly faults: number; readonly seconds: number }
> {
  const last = child.start({ env })
  const deadlineMs = Date.now() + 300_000
  while ((await openCount()) > 0 && Date.now() < deadlineMs) await wait(250)
  const exited = once(last, 'exit')
  last.kill('SIGTERM')
  await exited
  const { rows: states } = await intake.database.pool.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from deliveries group by state',
  )
  const { rows: unknown } = await intake.database.pool.query<{ count: number }>(
    'select coalesce(sum(unknown_count), 0)::int as count from deliveries',
  )
  return {
    ...judge(runs, shownIn),
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    unknown: unknown[0]?.count ?? 0,
    kills,
    faults,
    seconds: Math.round((Date.now() - startedAtMs) / 1_000),
  }
}

function shownIn(lane: string): readonly Shown[] {
  const texts = lane.startsWith('C')
    ? slack.messages(lane).map(({ text, blocks }) => [text, JSON.stringify(blocks)])
    : lark.messages(lane).map(({ content }) => [content, content])
  return texts.map(([text = '', whole = '']) => ({
    part: /run\d+x\/\d/.exec(text)?.[0] ?? text.slice(0, 30),
    isMarked: whole.includes('may_be_repeated'),
  }))
}
