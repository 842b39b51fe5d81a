import { type Bench, inParallel, median, PRODUCER, quantile, rateOf, runFor, settled } from './harness.js'
import { chatSdkRate, pgBossRate, webClientRate } from './rivals.js'

export interface PipelineFigures {
  readonly lanes: number
  /** Runs a second, from the first acceptance to the last settled delivery. */
  readonly perSecond: number
  readonly pgBossPerSecond: number
  readonly webClientPerSecond: number
  /** Ours over pg-boss alone. */
  readonly ratioToPgBoss: number
}

/** Accepts and delivers at the same time in one process; medians of `rounds`, the rivals in the same rounds. */
export async function benchPipeline(
  bench: Bench,
  lanes: number,
  count: number,
  rounds: number,
): Promise<PipelineFigures> {
  const ours: number[] = []
  const boss: number[] = []
  const web: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await pipelineRate(bench, lanes, count))
    boss.push(await pgBossRate(await bench.createDatabase(), Math.min(count, 5_000)))
    web.push(await webClientRate(bench.fake, Math.min(count, 5_000)))
  }
  return {
    lanes,
    perSecond: median(ours),
    pgBossPerSecond: median(boss),
    webClientPerSecond: median(web),
    ratioToPgBoss: median(ours) / median(boss),
  }
}

async function pipelineRate(bench: Bench, lanes: number, count: number): Promise<number> {
  await bench.fake.reset()
  const app = await bench.openApp(await bench.createDatabase())
  try {
    const done = settled(app, count)
    const rate = await rateOf(count, async () => {
      await inParallel(count, (index) => app.accept(runFor(index, index % lanes), PRODUCER))
      await done
    })
    await checkPosts(bench, count)
    return rate
  } finally {
    await app.close()
  }
}

export interface BacklogFigures {
  readonly latencyMs: number
  readonly perSecond: number
  readonly chatSdkPerSecond: number
  /** Ours over the loop of the chat SDK, which stores nothing. */
  readonly ratioToChatSdk: number
}

/** Drains a filled backlog of 1,000 lanes; the chat SDK posts as many messages in the same rounds. */
export async function benchBacklog(
  bench: Bench,
  latencyMs: number,
  count: number,
  rounds: number,
): Promise<BacklogFigures> {
  const ours: number[] = []
  const chat: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await drainRate(bench, latencyMs, count))
    await bench.fake.reset(latencyMs)
    chat.push(await chatSdkRate(bench.fake, count))
  }
  return {
    latencyMs,
    perSecond: median(ours),
    chatSdkPerSecond: median(chat),
    ratioToChatSdk: median(ours) / median(chat),
  }
}

async function drainRate(bench: Bench, latencyMs: number, count: number): Promise<number> {
  await bench.fake.reset(latencyMs)
  const app = await bench.openApp(await bench.createDatabase(), false)
  try {
    await inParallel(count, (index) => app.accept(runFor(index, index % 1_000), PRODUCER))
    const done = settled(app, count)
    const rate = await rateOf(count, async () => {
      await app.worker.start()
      await done
    })
    await checkPosts(bench, count)
    return rate
  } finally {
    await app.close()
  }
}

/** A fast run that lost or repeated something measures nothing. */
async function checkPosts(bench: Bench, count: number): Promise<void> {
  const posts = await bench.fake.posts()
  if (posts !== count) throw new Error(`expected ${count} posts, the platform got ${posts}`)
}

export interface IdleFigures {
  /** From the call of accept to the arrival of the post, one run at a time. */
  readonly medianMs: number
  readonly p99Ms: number
}

/** The wait of one run when nothing else is going on. */
export async function benchIdle(bench: Bench, count: number): Promise<IdleFigures> {
  await bench.fake.reset()
  const app = await bench.openApp(await bench.createDatabase())
  const started = new Map<number, number>()
  try {
    for (let index = 0; index < count; index += 1) {
      const done = settled(app, 1)
      started.set(index, Number(process.hrtime.bigint()) / 1e6)
      await app.accept(runFor(index, index), PRODUCER)
      await done
    }
    const arrivals = await bench.fake.arrivals()
    // The first ones compile the code and open connections.
    const waits = [...started].slice(20).map(([run, atMs]) => (arrivals.get(run) ?? Number.NaN) - atMs)
    return { medianMs: median(waits), p99Ms: quantile(waits, 0.99) }
  } finally {
    await app.close()
  }
}
