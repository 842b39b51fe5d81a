import type { Config } from '../config.js'
import { openBullmqDoor } from '../intake/bullmq.js'
import { createNoticeDoors, type NoticeDoors } from '../intake/notices.js'
import { openQueueDoor, type QueueDoor } from '../intake/queue.js'
import type { Logger } from '../log.js'
import { acceptanceLedger } from '../store/accept-delivery.js'
import { tryQueueLock } from '../store/advisory-lock.js'
import type { OpenDatabase } from '../store/database.js'
import { noticeLedger } from '../store/notices.js'
import type { ProducerByKey } from '../web/auth.js'
import { type Accept, createAccept } from './accept.js'
import type { Closing } from './closing.js'
import type { Delivery } from './delivery.js'
import { createProducers } from './producers.js'
import type { Role } from './roles.js'

/** A BullMQ queue that runs are taken off. */
export interface BullmqSource {
  readonly redisUrl: string
  readonly queueName: string
}

/** How runs and notices come in, whichever door they use. */
export interface Intake {
  /** Parses and accepts one run; resolves after commit. */
  readonly accept: Accept
  /** Finds who holds a key; null when nobody does. */
  readonly producerByKey: ProducerByKey
  /** Completion notices that we vouch for. */
  readonly notices: NoticeDoors
}

export interface IntakeOptions {
  readonly config: Config
  readonly log: Logger
  readonly database: OpenDatabase
  readonly delivery: Delivery
  readonly roles: ReadonlySet<Role>
  readonly now: () => number
  readonly ownKey: string | undefined
  readonly bullmq: BullmqSource | undefined
}

/** Opens the queues' doors where the role asks for them; the HTTP door is mounted by whoever serves. */
export async function openIntake(options: IntakeOptions, closing: Closing): Promise<Intake> {
  const { config, log, database, delivery, roles, now } = options
  const ledger = acceptanceLedger(database.db)
  const accept = createAccept(config, log, ledger, now, (run) => {
    if (roles.has('deliver')) delivery.worker.wake()
    delivery.observability.metrics.accepted(run.conversation.platform)
  })
  const producerByKey = createProducers(database.db, options.ownKey ?? null, Date.now)
  if (roles.has('intake')) {
    const doors = { boss: delivery.boss, accept, producerByKey, log }
    const opened = async (door: Promise<QueueDoor>) => {
      const { stop } = await door
      closing.add(stop)
    }
    await opened(openQueueDoor({ ...doors, takeTurn: () => tryQueueLock(database.pool) }))
    if (options.bullmq !== undefined) await opened(openBullmqDoor({ ...doors, ...options.bullmq }))
  }
  const notices = createNoticeDoors({
    ledger: { ...noticeLedger(database.db), findInstallations: ledger.findInstallations },
    maxContentBytes: config.LASTWORD_MAX_OUTPUT_BYTES,
  })
  return { accept, producerByKey, notices }
}
