import type { PgBoss } from 'pg-boss'
import type { Config } from '../config.js'
import type { Lifecycle } from '../contract/lifecycle/lifecycle.js'
import { LANES_PER_SLOT } from '../deliver/call-slots.js'
import type { DeliveryEvent, Engine } from '../deliver/engine.js'
import { createLease } from '../deliver/lease.js'
import type { StepName } from '../deliver/steps.js'
import { containObserver, createWorkLifecycle } from '../deliver/work-lifecycle.js'
import { createWorker, type Worker } from '../deliver/worker.js'
import type { Words } from '../locales.js'
import type { Logger } from '../log.js'
import { bothObservers, createTraces } from '../observe/traces.js'
import { WORK_CHANNEL } from '../store/accept-delivery.js'
import { openBoss } from '../store/boss.js'
import { openSession } from '../store/session.js'
import type { Closing } from './closing.js'
import type { Connections } from './connect.js'
import { createEngine } from './engine.js'
import type { LedgerDatabase } from './ledger-database.js'
import { type Observability, openObservability } from './observability.js'
import { openPlatforms } from './platforms.js'

/** The engine of one process, with what watches it. Only a process with the role works on lanes. */
export interface Delivery {
  readonly engine: Engine
  readonly worker: Worker
  readonly boss: PgBoss
  readonly lifecycle: Lifecycle
  readonly observability: Observability
  /** Hears of everything that happens to deliveries. Listeners observe; one that throws is logged and left out. */
  onEvent(listener: (event: DeliveryEvent) => void): void
}

export interface DeliveryOptions {
  readonly config: Config
  readonly log: Logger
  readonly words: Words
  readonly ledger: LedgerDatabase
  readonly connections: Connections
  readonly delivers: boolean
  readonly now: () => number
  readonly callTimeoutMs: number | undefined
  readonly reached: (step: StepName) => void
}

export async function openDelivery(options: DeliveryOptions, closing: Closing): Promise<Delivery> {
  const { config, log, now, delivers } = options
  const { url, database } = options.ledger
  const { engine, lifecycle, listeners } = assembleEngine(options, closing)
  const worker = createWorker(engine, {
    concurrency: Math.ceil(config.LASTWORD_CONCURRENCY * LANES_PER_SLOT),
  })
  const session = await openSession({
    url,
    channel: WORK_CHANNEL,
    workerId: engine.workerId,
    onNotice: () => delivers && worker.wake(),
    onHeld: engine.lease.sessionHeld,
    log,
  })
  closing.add(() => session.close())
  const boss = await openBoss(database.pool, log)
  closing.add(() => boss.stop({ graceful: false }))
  const observability = openObservability({ config, database, boss, worker, log, now })
  listeners.push(...observability.listeners)
  closing.add(() => worker.stop())
  if (delivers) await worker.start()
  return {
    engine,
    worker,
    boss,
    lifecycle,
    observability,
    onEvent: (listener) => void listeners.push(listener),
  }
}

function assembleEngine(options: DeliveryOptions, closing: Closing) {
  const { config, log, words, connections, now, callTimeoutMs, reached } = options
  const traces = createTraces(now)
  const lease = createLease(() => performance.now())
  const platforms = openPlatforms(config, connections, { traces, lease, now, callTimeoutMs })
  closing.add(() => platforms.close())
  const listeners: ((event: DeliveryEvent) => void)[] = []
  const { lifecycle, observer } = createWorkLifecycle((failure) =>
    log.error({ edge: failure.edge, deliveryId: failure.runId }, 'a lifecycle listener failed'),
  )
  const observers = containObserver(bothObservers(observer, traces.observer), (err) =>
    log.error({ err }, 'an observer failed; the delivery goes on'),
  )
  const { db } = options.ledger.database
  const engine = createEngine(
    { config, log, words, db, platformOf: platforms.of, secretsOf: connections.secretsOf },
    {
      now,
      lease,
      observer: observers,
      reached,
      emit: (event) => {
        for (const listener of listeners) contained(log, () => listener(event))
      },
    },
  )
  return { engine, lifecycle, listeners }
}

function contained(log: Logger, tell: () => void): void {
  try {
    tell()
  } catch (err) {
    log.error({ err }, 'a listener failed; the delivery goes on')
  }
}
