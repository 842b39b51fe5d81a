import type { Logger } from '../log.js'
import type { Database } from '../store/database.js'
import { pruneBatch } from '../store/prune.js'
import { pruneMemory, pruneNotices } from '../store/prune-memory.js'
import { pruneReceipts } from '../store/prune-receipts.js'

/** Small transactions with an end, so that deliveries under way notice nothing. */
const ROUND = { everyMs: 600_000, batch: 500, maxBatches: 100 } as const

export interface RetentionOptions {
  readonly db: Database
  readonly retentionDays: number
  /** Milliseconds since the Unix epoch, UTC. */
  readonly now: () => number
  readonly log: Logger
}

export interface Retention {
  start(): void
  /** Forgets a bounded number of what is old enough; returns how many rows. Dead letters stay. */
  runOnce(): Promise<number>
  stop(): Promise<void>
}

/**
 * Forgets deliveries, receipts, ended notices and what was remembered of chats when older than the operator wants them.
 * Harmless in several processes at once.
 */
export function createRetention({ db, retentionDays, now, log }: RetentionOptions): Retention {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> = Promise.resolve()
  let isStopping = false

  async function inBatches(prune: () => Promise<number>): Promise<number> {
    let total = 0
    for (let batch = 0; batch < ROUND.maxBatches && !isStopping; batch += 1) {
      const count = await prune()
      total += count
      if (count < ROUND.batch) break
    }
    return total
  }

  async function runOnce(): Promise<number> {
    const beforeMs = now() - retentionDays * 86_400_000
    const filter = { endedBeforeMs: beforeMs, dead: false }
    const deliveries = await inBatches(() => pruneBatch(db, filter, ROUND.batch))
    const receipts = await inBatches(() => pruneReceipts(db, beforeMs, ROUND.batch))
    const notices = await inBatches(() => pruneNotices(db, beforeMs, ROUND.batch))
    const memory = await inBatches(() => pruneMemory(db, beforeMs, ROUND.batch))
    const total = deliveries + receipts + notices + memory
    if (total > 0)
      log.info({ deliveries, receipts, notices, memory }, 'forgot what is older than the retention')
    return total
  }

  return {
    runOnce,
    start() {
      timer = setInterval(() => {
        running = running
          .then(runOnce)
          .catch((err) => log.warn({ err }, 'could not forget what is old; trying again'))
      }, ROUND.everyMs)
      timer.unref()
    },
    async stop() {
      isStopping = true
      if (timer !== null) clearInterval(timer)
      await running
    },
  }
}
