import { createSlackAdapter } from '@chat-adapter/slack'
import { createMemoryState } from '@chat-adapter/state-memory'
import { WebClient } from '@slack/web-api'
import { type Adapter, Chat, type Logger } from 'chat'
import { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { CONCURRENCY, type FakeSlack, inParallel, rateOf, textFor } from './harness.js'

const QUEUE = 'bench'

/** Jobs a second sent, fetched and completed by pg-boss alone: no ledger, no order, no platform. */
export async function pgBossRate(url: string, count: number): Promise<number> {
  const boss = new PgBoss({ connectionString: url, max: 12 })
  boss.on('error', () => undefined)
  await boss.start()
  try {
    await boss.createQueue(QUEUE)
    return await rateOf(count, () =>
      Promise.all([
        inParallel(count, (index) => boss.send(QUEUE, { run: textFor(index) })),
        completeAll(boss, count),
      ]),
    )
  } finally {
    await boss.stop({ graceful: false })
  }
}

async function completeAll(boss: PgBoss, count: number): Promise<void> {
  let completed = 0
  while (completed < count) {
    const jobs = await boss.fetch(QUEUE, { batchSize: CONCURRENCY })
    if (jobs.length > 0)
      await boss.complete(
        QUEUE,
        jobs.map((job) => job.id),
      )
    completed += jobs.length
  }
}

/** Messages a second of a loop over Slack's own client, nothing stored. */
export async function webClientRate(fake: FakeSlack, count: number): Promise<number> {
  const client = new WebClient('xoxb-bench', { slackApiUrl: fake.apiUrl, retryConfig: { retries: 0 } })
  return rateOf(count, () =>
    inParallel(count, (index) =>
      client.apiCall('chat.postMessage', { channel: 'C0000000001', text: textFor(index) }),
    ),
  )
}

const ignore = (): void => undefined
const QUIET: Logger = { child: () => QUIET, debug: ignore, info: ignore, warn: ignore, error: ignore }

/** Messages a second of a popular chat SDK from memory, nothing stored. */
export async function chatSdkRate(fake: FakeSlack, count: number): Promise<number> {
  const adapter = createSlackAdapter({
    botToken: 'xoxb-bench',
    signingSecret: 'bench',
    apiUrl: fake.apiUrl,
    logger: QUIET,
  })
  const chat = new Chat({
    userName: 'bench',
    // The SDK's own types do not fit each other under exactOptionalPropertyTypes.
    adapters: { slack: z.custom<Adapter>((value) => typeof value === 'object').parse(adapter) },
    state: createMemoryState(),
    logger: 'silent',
  })
  await chat.initialize()
  try {
    return await rateOf(count, () =>
      inParallel(count, (index) =>
        chat.channel(`slack:C${String(index % 1_000).padStart(10, '0')}`).post({ markdown: textFor(index) }),
      ),
    )
  } finally {
    await chat.shutdown()
  }
}
