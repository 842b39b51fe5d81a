import { Router } from 'express'
import { type Accept, createAccept } from './accept.js'
import { type Buttons, createButtons } from './buttons.js'
import type { Config } from './config.js'
import { type Connections, connect } from './connect.js'
import type { Lifecycle } from './contract/lifecycle/lifecycle.js'
import type { DeliveryEvent, Engine } from './deliver/engine.js'
import type { StepName } from './deliver/steps.js'
import { containObserver, createWorkLifecycle } from './deliver/work-lifecycle.js'
import { createWorker, type Worker } from './deliver/worker.js'
import { openDoors } from './doors.js'
import { createEngine, defaultLanguageOf } from './engine.js'
import { openBullmqDoor } from './intake/bullmq.js'
import { createNoticeDoors, type NoticeDoors } from './intake/notices.js'
import { openQueueDoor, type QueueDoor, type QueueDoorOptions } from './intake/queue.js'
import { openLedgerDatabase } from './ledger-database.js'
import { loadWords } from './locales-load.js'
import type { Logger } from './log.js'
import { type Observability, openObservability } from './observability.js'
import { bothObservers, createTraces } from './observe/traces.js'
import { createOutgoing, type Outgoing } from './outgoing.js'
import { SLACK_REPLY_ORIGIN } from './platforms/slack/press-reply.js'
import { openPlatforms } from './platforms.js'
import { createProducers } from './producers.js'
import { createRetention } from './retention.js'
import { ALL_ROLES, type Role } from './roles.js'
import { acceptanceLedger, WORK_CHANNEL } from './store/accept-delivery.js'
import { openBoss } from './store/boss.js'
import type { OpenDatabase } from './store/database.js'
import { noticeLedger } from './store/notices.js'
import { replayDelivery } from './store/replay.js'
import { openSession } from './store/session.js'
import type { ProducerByKey } from './web/auth.js'

/** Everything that runs in one process, started and stopped together. */
export interface App {
  readonly config: Config
  readonly database: OpenDatabase
  readonly engine: Engine
  readonly worker: Worker
  /** Parses and accepts one run; resolves after commit. */
  readonly accept: Accept
  /** Finds who holds a key; null when nobody does. */
  readonly producerByKey: ProducerByKey
  /** Install pages and event doors of the platforms' apps, to mount at the root. */
  readonly installs: Router
  /** Where the work on each delivery begins and ends in this process, in pairs; its listeners are contained. */
  readonly lifecycle: Lifecycle
  /** Completion notices that we vouch for. */
  readonly notices: NoticeDoors
  /** What producers are told, and what they may ask and change. */
  readonly outgoing: Outgoing
  /** Presses of buttons. */
  readonly buttons: Buttons
  /** Metrics, and whether this process does its work. */
  readonly observability: Observability
  /** Hears of everything that happens to deliveries. Listeners observe; one that throws is logged and left out. */
  onEvent(listener: (event: DeliveryEvent) => void): void
  /** Claims nothing new, finishes calls in flight, closes everything. */
  close(): Promise<void>
}

export interface AppOptions {
  /** What this process does; everything by default. */
  readonly roles?: ReadonlySet<Role>
  /** A BullMQ queue to take runs off, besides the other doors. */
  readonly bullmq?: { readonly redisUrl: string; readonly queueName: string }
  /** The operator's own key, which may do everything. */
  readonly ownKey?: string
  /** Milliseconds since the Unix epoch, UTC; the database's own clock must agree. */
  readonly now?: () => number
  /** Longest call to a platform, in ms; each platform's own by default. */
  readonly callTimeoutMs?: number
  /** Further places where answers to presses on Slack may go. */
  readonly slackReplyOrigins?: readonly string[]
  /** Told of every moment between two steps of a delivery. */
  readonly reached?: (step: StepName) => void
}

/** Opens the database, connects the platforms and starts to deliver. */
export async function openApp(config: Config, log: Logger, options: AppOptions = {}): Promise<App> {
  const { roles = ALL_ROLES, ownKey, now = Date.now, callTimeoutMs } = options
  const deliver = roles.has('deliver')
  const { words, warnings } = await loadWords(config.LASTWORD_LOCALES_DIR ?? null)
  for (const problem of warnings) log.warn(problem, 'an added language lacks a text; English stands in')
  const { url, database, stop: stopDatabase } = await openLedgerDatabase(config, log)
  const connections = await connect(config, database.db, log)
  const traces = createTraces(now)
  const platforms = openPlatforms(config, connections, { traces, now, callTimeoutMs })
  const listeners: ((event: DeliveryEvent) => void)[] = []
  const { lifecycle, observer } = createWorkLifecycle((failure) =>
    log.error({ edge: failure.edge, deliveryId: failure.runId }, 'a lifecycle listener failed'),
  )
  const engine = createEngine(
    { config, log, words, db: database.db, platformOf: platforms.of, secretsOf: connections.secretsOf },
    {
      now,
      observer: containObserver(bothObservers(observer, traces.observer), (err) =>
        log.error({ err }, 'an observer failed; the delivery goes on'),
      ),
      reached: options.reached ?? (() => {}),
      emit: (event) => {
        for (const listener of listeners) contained(log, () => listener(event))
      },
    },
  )
  const worker = createWorker(engine, { concurrency: config.LASTWORD_CONCURRENCY })
  const session = await openSession({
    url,
    channel: WORK_CHANNEL,
    workerId: engine.workerId,
    onNotice: () => deliver && worker.wake(),
    log,
  })
  const boss = await openBoss(database.pool, log)
  const observability = openObservability({ config, database, boss, worker, log, now })
  listeners.push(...observability.listeners)
  if (deliver) await worker.start()
  const ledger = acceptanceLedger(database.db)
  const accept = createAccept(config, log, ledger, now, (run) => {
    if (deliver) worker.wake()
    observability.metrics.accepted(run.conversation.platform)
  })
  const outgoing = outgoingOf(config, database, connections, engine, observability)
  if (deliver) outgoing.sender.start()
  const retention = createRetention({
    db: database.db,
    retentionDays: config.LASTWORD_RETENTION_DAYS,
    now,
    log,
  })
  if (deliver) retention.start()
  const producerByKey = createProducers(database.db, ownKey ?? null, Date.now)
  const queues = roles.has('intake')
    ? await openQueues({ boss, accept, producerByKey, log, bullmq: options.bullmq ?? null })
    : []
  const installs = Router()
  const defaultLanguage = defaultLanguageOf(config, words)
  const buttons = buttonsOf(config, database, engine, options.slackReplyOrigins ?? [])
  if (deliver) buttons.start()
  const doors = openDoors(
    {
      config,
      log,
      db: database.db,
      connections,
      spoken: { words, defaultLanguage },
      onLarkCardAction: buttons.onLarkCardAction,
      onSlackInteraction: buttons.onSlackBody,
    },
    installs,
  )
  if (roles.has('web')) await doors.start()
  return {
    config,
    database,
    engine,
    worker,
    accept,
    notices: createNoticeDoors({
      ledger: { ...noticeLedger(database.db), findInstallations: ledger.findInstallations },
      maxContentBytes: config.LASTWORD_MAX_OUTPUT_BYTES,
    }),
    producerByKey,
    installs,
    lifecycle,
    outgoing,
    buttons,
    observability,
    onEvent: (listener) => void listeners.push(listener),
    async close() {
      const stopped = worker.stop()
      await doors.stop()
      await Promise.all(queues.map((queue) => queue.stop()))
      await stopped
      await retention.stop()
      await buttons.stop()
      await outgoing.close()
      await boss.stop({ graceful: false })
      await session.close()
      await platforms.close()
      await connections.close()
      await stopDatabase()
    },
  }
}

/** The queues that producers fill, each with its own door. */
async function openQueues(
  options: QueueDoorOptions & { readonly bullmq: AppOptions['bullmq'] | null },
): Promise<readonly QueueDoor[]> {
  const { bullmq } = options
  const own = await openQueueDoor(options)
  return bullmq == null ? [own] : [own, await openBullmqDoor({ ...options, ...bullmq })]
}

function outgoingOf(
  config: Config,
  { db }: OpenDatabase,
  { sealer }: Connections,
  engine: Engine,
  observability: Observability,
): Outgoing {
  const { platformOf, workerId, now, random, log, emit } = engine
  return createOutgoing({
    db,
    sealer,
    platformOf,
    replay: (id) => replayDelivery(db, id, { maxAgeMs: config.LASTWORD_MAX_AGE_MS, resendUnknown: false }),
    workerId,
    now,
    random,
    log,
    emit,
    onMessageEnd: observability.metrics.webhook,
  })
}

function buttonsOf(
  config: Config,
  { db }: OpenDatabase,
  engine: Engine,
  furtherOrigins: readonly string[],
): Buttons {
  const { platformOf, ledger: people, words, now, random, log } = engine
  const slackReplyOrigins = [SLACK_REPLY_ORIGIN, new URL(config.SLACK_API_URL).origin, ...furtherOrigins]
  const { defaultLanguage } = engine.settings
  return createButtons({
    db,
    platformOf,
    people,
    words,
    defaultLanguage,
    slackReplyOrigins,
    now,
    random,
    log,
  })
}

function contained(log: Logger, tell: () => void): void {
  try {
    tell()
  } catch (err) {
    log.error({ err }, 'a listener failed; the delivery goes on')
  }
}
