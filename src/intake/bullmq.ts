import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq'
import { LastwordError } from '../errors.js'
import type { Logger } from '../log.js'
import { acceptMessage, type MessageAcceptor, splitKey } from './message.js'
import { isPoison } from './poison.js'
import { type Producer, trustedProducer } from './producer.js'
import { createTurns, type InTurn, turnOf } from './turns.js'

/** Jobs accepted at the same time; acceptance shares commits, so a few dozen are enough. */
const CONCURRENCY = 32

/** Wait before a job that met a passing fault is offered again, in ms. */
const RETRY_MS = 1_000

export interface BullmqDoorOptions extends MessageAcceptor {
  /** `redis://host:port/db`, or `rediss://`. */
  readonly redisUrl: string
  readonly queueName: string
  readonly log: Logger
}

export interface BullmqDoor {
  /** Takes no more jobs; resolves when those at hand are accepted or handed back. */
  stop(): Promise<void>
}

/** Who may write to the queue that the operator named may post anywhere, unless a message carries a key. */
const QUEUE_PRODUCER: Producer = trustedProducer('bullmq')

/**
 * Takes completed runs off a BullMQ queue. A job is completed only after its delivery is committed; what cannot be
 * accepted goes to the queue's failed set with the reason; a passing fault is waited out, a fault of ours puts the job
 * back for a second, however few attempts its producer gave it. A Redis that is away is waited for beside everything else.
 */
export async function openBullmqDoor(options: BullmqDoorOptions): Promise<BullmqDoor> {
  const { log } = options
  const inTurn = createTurns()
  let isStopped = false
  const worker = new Worker<unknown, { readonly deliveryId: string }>(
    options.queueName,
    (job, token) => takeJob(options, job, token, inTurn, () => isStopped),
    { connection: connectionOf(options.redisUrl), concurrency: CONCURRENCY },
  )
  worker.on('error', (err) => log.warn({ err }, 'the BullMQ connection met an error; it is opened again'))
  return {
    stop() {
      isStopped = true
      return worker.close()
    },
  }
}

function connectionOf(redisUrl: string) {
  const url = new URL(redisUrl)
  return {
    host: url.hostname,
    port: url.port === '' ? 6_379 : Number(url.port),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    db: Number(url.pathname.slice(1)) || 0,
    maxRetriesPerRequest: null,
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
  }
}

async function takeJob(
  options: BullmqDoorOptions,
  job: Job<unknown>,
  token: string | undefined,
  inTurn: InTurn,
  isStopping: () => boolean,
): Promise<{ readonly deliveryId: string }> {
  const { log } = options
  const onWait = (err: unknown) =>
    log.warn({ err, jobId: job.id }, 'a BullMQ job waits until a passing fault is over')
  try {
    const message = splitKey(job.data)
    const { deliveryId } = await inTurn(turnOf(message.run), () =>
      acceptMessage(options, message, QUEUE_PRODUCER, { isStopping, onWait }),
    )
    return { deliveryId }
  } catch (error) {
    if (error instanceof LastwordError && isPoison(error)) {
      log.warn(
        { jobId: job.id, code: error.code },
        'a BullMQ job cannot be accepted; it is in the failed set',
      )
      throw new UnrecoverableError(reasonOf(error))
    }
    log.error({ err: error, jobId: job.id }, 'a BullMQ job met a fault of ours; it is tried again')
    await job.moveToDelayed(Date.now() + RETRY_MS, token)
    throw new DelayedError()
  }
}

/** What an operator reads in the failed set: the code and each path. Never a value. */
function reasonOf(error: LastwordError): string {
  const faults = error.faults.map(({ path, expected }) => `${path}: expected ${expected}`)
  return [error.code, ...faults].join('; ')
}
