import { Router } from 'express'
import type { Config } from '../config.js'
import type { Engine } from '../deliver/engine.js'
import type { StepName } from '../deliver/steps.js'
import { loadWords } from '../locales-load.js'
import type { Logger } from '../log.js'
import { SLACK_REPLY_ORIGIN } from '../platforms/slack/press-reply.js'
import type { OpenDatabase } from '../store/database.js'
import { replayDelivery } from '../store/replay.js'
import { type Buttons, createButtons } from './buttons.js'
import { type Closing, createClosing } from './closing.js'
import { type Connections, connect } from './connect.js'
import { type Delivery, openDelivery } from './delivery.js'
import { openDoors } from './doors.js'
import { type BullmqSource, type Intake, openIntake } from './intake.js'
import { openLedgerDatabase } from './ledger-database.js'
import type { Observability } from './observability.js'
import { createOutgoing, type Outgoing } from './outgoing.js'
import { createRetention } from './retention.js'
import { ALL_ROLES, type Role } from './roles.js'

/** Everything that runs in one process, started and stopped together. */
export interface App extends Delivery, Intake {
  readonly config: Config
  readonly database: OpenDatabase
  /** Install pages and event doors of the platforms' apps, to mount at the root. */
  readonly installs: Router
  /** What producers are told, and what they may ask and change. */
  readonly outgoing: Outgoing
  /** Presses of buttons. */
  readonly buttons: Buttons
  /** Claims nothing new, finishes calls in flight, closes everything. */
  close(): Promise<void>
}

export interface AppOptions {
  /** What this process does; everything by default. */
  readonly roles?: ReadonlySet<Role>
  /** A BullMQ queue to take runs off, besides the other doors. */
  readonly bullmq?: BullmqSource
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

/**
 * Opens the database, connects the platforms and starts what the roles ask for. When a part of it fails, what was
 * opened before is closed again.
 *
 * @throws {LastwordError} what keeps this process from starting
 */
export async function openApp(config: Config, log: Logger, options: AppOptions = {}): Promise<App> {
  const closing = createClosing()
  try {
    return await assemble(config, log, options, closing)
  } catch (error) {
    await closing.close().catch((err: unknown) => log.warn({ err }, 'not everything could be closed again'))
    throw error
  }
}

async function assemble(config: Config, log: Logger, options: AppOptions, closing: Closing): Promise<App> {
  const { roles = ALL_ROLES, ownKey, now = Date.now, callTimeoutMs, reached = () => {} } = options
  const delivers = roles.has('deliver')
  const { words, warnings } = await loadWords(config.LASTWORD_LOCALES_DIR ?? null)
  for (const problem of warnings) log.warn(problem, 'an added language lacks a text; English stands in')
  const ledger = await openLedgerDatabase(config, log)
  closing.add(ledger.stop)
  const { database } = ledger
  const connections = await connect(config, database.db, log)
  closing.add(connections.close)
  const delivery = await openDelivery(
    { config, log, words, ledger, connections, delivers, now, callTimeoutMs, reached },
    closing,
  )
  const { engine } = delivery
  const background = openBackground(config, log, database, connections, delivery, options, closing)
  const intake = await openIntake(
    { config, log, database, delivery, roles, now, ownKey, bullmq: options.bullmq },
    closing,
  )
  const installs = Router()
  const doors = openDoors(
    {
      config,
      log,
      db: database.db,
      connections,
      spoken: { words, defaultLanguage: engine.settings.defaultLanguage },
      onLarkCardAction: background.buttons.onLarkCardAction,
      onSlackInteraction: background.buttons.onSlackBody,
    },
    installs,
  )
  closing.add(doors.stop)
  if (roles.has('web')) await doors.start()
  return { config, database, installs, ...delivery, ...background, ...intake, close: closing.close }
}

/** What happens beside the lanes: receipts go out, presses are handed on, what is old is forgotten. */
function openBackground(
  config: Config,
  log: Logger,
  database: OpenDatabase,
  connections: Connections,
  { engine, observability }: Delivery,
  options: AppOptions,
  closing: Closing,
): Pick<App, 'outgoing' | 'buttons'> {
  const { now } = engine
  const outgoing = outgoingOf(config, database, connections, engine, observability)
  closing.add(() => outgoing.close())
  const retention = createRetention({
    db: database.db,
    retentionDays: config.LASTWORD_RETENTION_DAYS,
    now,
    log,
  })
  closing.add(() => retention.stop())
  const buttons = buttonsOf(config, database, engine, options.slackReplyOrigins ?? [])
  closing.add(() => buttons.stop())
  if (options.roles === undefined || options.roles.has('deliver')) {
    outgoing.sender.start()
    retention.start()
    buttons.start()
  }
  return { outgoing, buttons }
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
