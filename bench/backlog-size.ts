import { parseRun } from '../src/intake/parse-run.js'
import { type ClaimedLane, claimLanes } from '../src/store/claim-lanes.js'
import type { Database } from '../src/store/database.js'
import { createLedger } from '../src/store/ledger.js'
import { writeLanes } from '../src/store/write-lane.js'
import {
  type Bench,
  CONCURRENCY,
  INSTALLATION_ID,
  inParallel,
  median,
  PRODUCER,
  runFor,
  runSql,
  settled,
} from './harness.js'

export interface ClaimFigures {
  readonly smallBacklog: number
  readonly largeBacklog: number
  readonly smallMs: number
  readonly largeMs: number
  /** A claim of 64 lanes at the large backlog over one at the small. */
  readonly ratio: number
  /** The same of the first claims, which find next to no page of the large backlog in the database's memory. */
  readonly coldRatio: number
}

/** Claims until a worker has been at it for a while, and claims measured after that. */
const CLAIMS = { cold: 50, warmUp: 500, measured: 500 } as const

/** What a claim of 64 lanes, heads and all, costs at two sizes of backlog, each lane with one delivery. */
export async function benchClaim(bench: Bench, small: number, large: number): Promise<ClaimFigures> {
  const few = await claimMs(bench, small)
  const many = await claimMs(bench, large)
  return {
    smallBacklog: small,
    largeBacklog: large,
    smallMs: few.warm,
    largeMs: many.warm,
    ratio: many.warm / few.warm,
    coldRatio: many.cold / few.cold,
  }
}

async function claimMs(
  bench: Bench,
  lanes: number,
): Promise<{ readonly cold: number; readonly warm: number }> {
  const url = await bench.createDatabase()
  const app = await bench.openApp(url, false)
  const times: number[] = []
  try {
    await seedBacklog(url, lanes)
    const { db } = app.database
    const claimant = { workerId: 'bench', heldKeys: [] }
    await createLedger(db, Date.now).beat(claimant.workerId)
    for (let round = 0; round < CLAIMS.warmUp + CLAIMS.measured; round += 1) {
      const startedAtMs = performance.now()
      const { lanes: claimed } = await claimLanes(db, { ...claimant, limit: CONCURRENCY, cursor: '' })
      times.push(performance.now() - startedAtMs)
      if (claimed.length !== CONCURRENCY) throw new Error(`claimed ${claimed.length} of ${CONCURRENCY} lanes`)
      await sendToTheEnd(db, claimant.workerId, claimed)
    }
    return { cold: median(times.slice(0, CLAIMS.cold)), warm: median(times.slice(CLAIMS.warmUp)) }
  } finally {
    await app.close()
  }
}

/** Gives lanes back due now, as one does that lets the others have their turn. */
async function sendToTheEnd(db: Database, workerId: string, claimed: readonly ClaimedLane[]): Promise<void> {
  const nowMs = Date.now()
  const release = { kind: 'at', readyAtMs: nowMs } as const
  const writes = claimed.map(({ lane }) => ({ lane, release }))
  await writeLanes(db, workerId, writes, nowMs)
}

/** Deliveries and their lanes straight into the tables: to accept a million takes a quarter of an hour. */
async function seedBacklog(url: string, lanes: number): Promise<void> {
  const run = JSON.stringify(parseRun(runFor(0, 0), { maxOutputBytes: 1_000_000 })).replaceAll("'", "''")
  await runSql(
    url,
    `set search_path = lastword;
     insert into lanes (key, installation_id, ready_at)
     select '${INSTALLATION_ID}|C' || n || '|', '${INSTALLATION_ID}', now() from generate_series(1, ${lanes}) n;
     insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash, expires_at)
     select 'dlv_' || n, '${INSTALLATION_ID}|C' || n || '|', '${INSTALLATION_ID}', 'backlog-' || n, 1,
            '${INSTALLATION_ID}|C' || n || '|', '${run}', '', now() + interval '1 day'
       from generate_series(1, ${lanes}) n`,
  )
  // As a backlog that grew over hours would be: what a bulk load leaves unwritten is not the claim's cost.
  await runSql(url, 'vacuum (analyze) lastword.lanes, lastword.deliveries')
  await runSql(url, 'checkpoint')
}

export interface MemoryFigures {
  readonly backlog: number
  /** Nothing to do, in a process that has done nothing yet. */
  readonly coldIdleMb: number
  /** Nothing to do, in a process that has been at work. */
  readonly idleMb: number
  /** While the backlog stood and part of it was delivered: the median, and the most. */
  readonly backlogMb: number
  readonly backlogPeakMb: number
  /** Of the medians. What is collected when, and so the peak, differs from run to run. */
  readonly ratio: number
  /** Over the process that has done nothing yet: what work takes at all, code and heap, is in it. */
  readonly coldRatio: number
}

/** Deliveries that make a process one that has been at work. */
const WARM_UP = 2_000

/** Resident memory of this process with nothing to do, and with a backlog of 100,000 behind a platform of 100 ms. */
export async function benchMemory(bench: Bench, backlog: number): Promise<MemoryFigures> {
  await bench.fake.reset(100)
  const url = await bench.createDatabase()
  const app = await bench.openApp(url)
  try {
    const { median: coldIdleMb } = await residentMb(3_000)
    const done = settled(app, WARM_UP)
    await inParallel(WARM_UP, (index) => app.accept(runFor(index, index), PRODUCER))
    await done
    const { median: idleMb } = await residentMb(3_000)
    await seedBacklog(url, backlog)
    app.worker.wake()
    const { median: backlogMb, peak: backlogPeakMb } = await residentMb(8_000)
    const [ratio, coldRatio] = [backlogMb / idleMb, backlogMb / coldIdleMb]
    return { backlog, coldIdleMb, idleMb, backlogMb, backlogPeakMb, ratio, coldRatio }
  } finally {
    await app.close()
  }
}

async function residentMb(durationMs: number): Promise<{ readonly median: number; readonly peak: number }> {
  const endsAtMs = performance.now() + durationMs
  const samples: number[] = []
  while (performance.now() < endsAtMs) {
    samples.push(process.memoryUsage.rss() / 1e6)
    await new Promise((done) => setTimeout(done, 50))
  }
  return { median: median(samples), peak: Math.max(...samples) }
}
