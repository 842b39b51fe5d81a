import type { Engine } from './engine.js'
import { workLane } from './lane.js'
import { LEASE_TIMES } from './lease.js'
import type { Claimant, LaneClaim } from './ledger.js'

/** How a worker watches for work and for the dead. Times in ms; each is a trade named in the README's limits. */
export const WORKER_TIMES = {
  /** Longest wait for a matured lane of another process, and for work whose notification was missed. */
  pollMs: 500,
  beatMs: 1_000,
  /** A beat without an answer is sent again, over another connection. */
  beatTimeoutMs: 3_000,
  /** A silent worker whose database session is gone is dead after this. */
  staleMs: 2_000,
  /** A silent worker is dead after this, whatever its session says. */
  deadMs: 12_000,
  sweepMs: 5_000,
} as const

export interface WorkerOptions {
  /** Lanes worked on at the same time. */
  readonly concurrency: number
}

export interface Worker {
  start(): Promise<void>
  /** New work may be there: claim now instead of at the next poll. */
  wake(): void
  /** Claims nothing new, lets calls in flight finish, hands the rest back. Resolves when all lanes are given back. */
  stop(): Promise<void>
  readonly activeLanes: () => number
}

/** Claims lanes and works on them, keeps the others from starving, and takes over from workers that died. */
export function createWorker(engine: Engine, options: WorkerOptions): Worker {
  const active = new Set<Promise<void>>()
  /** Claims under work. More than one of a lane, when it was taken from us and we have it again. */
  const held = new Set<LaneClaim>()
  /** Claims and other statements under way: a stop waits for the lanes they may bring. */
  const underWay = new Set<Promise<unknown>>()
  const timers: NodeJS.Timeout[] = []
  let isStarted = false
  let isStopping = false
  let isClaiming = false
  let isWoken = false
  /** No lane has ended since the last poll. */
  let isIdlePoll = false
  let hasEnded = false
  let due: NodeJS.Timeout | null = null
  let dueAtMs = Number.POSITIVE_INFINITY
  let beatAtMs: number | null = null
  /** Until then nobody is taken for dead: who was silent itself cannot tell who else was, as after an outage of the database. */
  let judgesFromMs = 0

  function wake(): void {
    isWoken = true
    follow(claim())
  }

  async function poll(): Promise<void> {
    isIdlePoll = !hasEnded
    hasEnded = false
    wake()
  }

  function claimant(): Claimant {
    return { workerId: engine.workerId, heldKeys: [...held].map(({ key }) => key) }
  }

  function follow(task: Promise<unknown>): void {
    const watched = task.finally(() => underWay.delete(watched))
    underWay.add(watched)
  }

  /** One claim at a time; a wake during a claim makes another follow. */
  async function claim(): Promise<void> {
    if (!isStarted || isClaiming || isStopping || engine.lease.isLapsed()) return
    isClaiming = true
    try {
      while (isWoken && !isStopping) {
        const free = options.concurrency - active.size
        // A claim for a single free place costs as much as one for many; work that ends wakes us again. When none ends
        // for a while, what is free must still do: those calls may hang for long.
        if (free < (isIdlePoll ? 1 : Math.ceil(options.concurrency / 8))) break
        isWoken = false
        isIdlePoll = false
        await engine.gates.refresh()
        const { lanes, takenOver } = await engine.ledger.claim(claimant(), free)
        if (takenOver > 0)
          engine.log.warn({ lanes: takenOver }, 'took over lanes whose owner did not work on them')
        for (const lane of lanes) run(lane)
        if (lanes.length >= free) isWoken = true
      }
    } catch (err) {
      engine.log.error({ err }, 'could not claim work; trying again')
    } finally {
      isClaiming = false
    }
  }

  function run(lane: LaneClaim): void {
    const working = workLane(engine, lane, () => isStopping).then((end) => {
      active.delete(working)
      hasEnded = true
      held.delete(lane)
      if (end.readyAtMs !== null) wakeAt(end.readyAtMs)
      isWoken = isWoken || active.size < options.concurrency / 2
      if (isWoken) follow(claim())
    })
    active.add(working)
    held.add(lane)
  }

  function wakeAt(readyAtMs: number): void {
    if (readyAtMs >= dueAtMs && due !== null) return
    if (due !== null) clearTimeout(due)
    dueAtMs = readyAtMs
    due = setTimeout(
      () => {
        due = null
        dueAtMs = Number.POSITIVE_INFINITY
        wake()
      },
      Math.max(1, readyAtMs - engine.now() + 2),
    )
  }

  function every(intervalMs: number, task: () => Promise<unknown>, what: string): void {
    let isBusy = false
    timers.push(
      setInterval(() => {
        if (isBusy) return
        isBusy = true
        follow(
          task()
            .catch((err) => engine.log.error({ err }, `could not ${what}; trying again`))
            .finally(() => {
              isBusy = false
            }),
        )
      }, intervalMs),
    )
  }

  async function beat(): Promise<void> {
    const askedAtMs = performance.now()
    const wasKnown = await inTime(engine.ledger.beat(engine.workerId), WORKER_TIMES.beatTimeoutMs)
    if (!wasKnown) engine.lease.forfeit()
    engine.lease.renew(askedAtMs)
    const nowMs = performance.now()
    if (beatAtMs !== null && nowMs - beatAtMs > WORKER_TIMES.staleMs)
      judgesFromMs = nowMs + WORKER_TIMES.staleMs
    beatAtMs = nowMs
    if (!wasKnown)
      engine.log.warn(
        { workerId: engine.workerId },
        'this worker had been taken for dead; others may have its lanes',
      )
  }

  async function takeOver(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs < judgesFromMs || nowMs - (beatAtMs ?? nowMs) > WORKER_TIMES.staleMs) return
    const dead = await engine.ledger.reap(WORKER_TIMES.staleMs, WORKER_TIMES.deadMs)
    if (dead > 0) wake()
  }

  async function sweep(): Promise<void> {
    if (isStopping) return
    const { woken, rearmed, overdue } = await engine.ledger.sweep(claimant())
    for (const lane of overdue) run(lane)
    if (rearmed > 0) engine.log.warn({ lanes: rearmed }, 'armed lanes that had work and nobody to do it')
    if (woken + rearmed > 0) wake()
  }

  return {
    async start() {
      const askedAtMs = performance.now()
      await engine.ledger.beat(engine.workerId)
      engine.lease.renew(askedAtMs)
      timers.push(setInterval(engine.lease.check, LEASE_TIMES.checkMs))
      // Only now: lanes of a worker nobody knows are free for all.
      isStarted = true
      await takeOver()
      every(WORKER_TIMES.pollMs, poll, 'look for work')
      every(WORKER_TIMES.beatMs, beat, 'say that this worker lives')
      every(WORKER_TIMES.beatMs, takeOver, 'look for dead workers')
      every(WORKER_TIMES.sweepMs, sweep, 'sweep')
      wake()
    },
    wake,
    async stop() {
      isStopping = true
      // Beats go on until the last call has ended: a silent worker's lanes are taken from it.
      while (underWay.size + active.size > 0) await Promise.all([...underWay, ...active])
      for (const timer of timers) clearInterval(timer)
      if (due !== null) clearTimeout(due)
    },
    activeLanes: () => active.size,
  }
}

async function inTime<T>(task: Promise<T>, mostMs: number): Promise<T> {
  let timer: NodeJS.Timeout | null = null
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${mostMs} ms`)), mostMs)
  })
  return Promise.race([task, late]).finally(() => {
    if (timer !== null) clearTimeout(timer)
  })
}
