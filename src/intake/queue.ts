import type { Job, PgBoss } from 'pg-boss'
import { LastwordError } from '../errors.js'
import type { Logger } from '../log.js'
import { acceptMessage, type Message, type MessageAcceptor, splitKey } from './message.js'
import { isPassing, isPoison } from './poison.js'
import { type Producer, trustedProducer } from './producer.js'
import { DEAD_RUNS_QUEUE, ensureQueue, offerAgain, RUNS_QUEUE, sorted } from './queue-jobs.js'
import { createTurns, type InTurn, turnOf } from './turns.js'

/** Jobs taken in one go, and the pause when the queue is empty. */
const BATCH_SIZE = 64
const IDLE_MS = 250

export interface QueueDoorOptions extends MessageAcceptor {
  readonly boss: PgBoss
  /** The right to take from the queue; null while another process has it: two at once would mix up conversations. */
  readonly takeTurn: () => Promise<QueueTurn | null>
  readonly log: Logger
}

export interface QueueTurn {
  readonly isLost: () => boolean
  release(): Promise<void>
}

export interface QueueDoor {
  /** Takes no more jobs; resolves when those at hand are accepted. */
  stop(): Promise<void>
}

/** Who writes into our database may post anywhere, unless the message says on whose behalf it comes. */
const DATABASE_PRODUCER: Producer = trustedProducer('database')

/**
 * Takes runs off the pg-boss queue `agent-runs`. A job is completed only after its delivery is committed, so a crash
 * between the two offers it again and acceptance recognises it. What cannot be read goes to `agent-runs-dead` with
 * the reason, once; a passing fault is waited out, a fault of ours leaves the job for a retry.
 *
 * Runs of one conversation are accepted in the order in which they were put into the queue, by however many processes:
 * one of them takes at a time, and begins with what the one before it had taken and not finished.
 */
export async function openQueueDoor(options: QueueDoorOptions): Promise<QueueDoor> {
  const { boss, log } = options
  await ensureQueue(boss, DEAD_RUNS_QUEUE)
  await ensureQueue(boss, RUNS_QUEUE)
  let isStopped = false
  let wakeUp: () => void = () => undefined
  let turn: QueueTurn | null = null
  /** No job is left as taken by somebody who does not work on it. */
  let isClean = false

  /** Takes one batch when it is our turn; returns how many jobs. */
  async function takeNext(): Promise<number> {
    if (turn?.isLost() === true) {
      await turn.release()
      turn = null
    }
    if (turn === null) {
      turn = await options.takeTurn()
      isClean = false
    }
    if (turn === null) return 0
    if (!isClean) await offerAgain(boss)
    isClean = false
    const batch = await takeBatch(options, () => isStopped)
    isClean = batch.isFinished
    return batch.taken
  }

  async function pump(): Promise<void> {
    while (!isStopped) {
      const taken = await takeNext().catch((err) => {
        log.error({ err }, 'could not take runs off the queue; trying again')
        return 0
      })
      if (taken < BATCH_SIZE && !isStopped) {
        await new Promise<void>((done) => {
          const idle = setTimeout(done, IDLE_MS)
          wakeUp = () => {
            clearTimeout(idle)
            done()
          }
        })
      }
    }
    await turn?.release()
  }

  const pumping = pump()
  return {
    async stop() {
      isStopped = true
      wakeUp()
      await pumping
    },
  }
}

async function takeBatch(
  options: QueueDoorOptions,
  isStopping: () => boolean,
): Promise<{ readonly taken: number; readonly isFinished: boolean }> {
  const jobs = await options.boss.fetch<unknown>(RUNS_QUEUE, { batchSize: BATCH_SIZE })
  const inOrder = jobs.length > 1 ? await sorted(options.boss, jobs) : jobs
  const batch: Batch = { inTurn: createTurns(), isStopping, leftTurns: new Set() }
  const ends = await Promise.allSettled(inOrder.map((job) => takeJob(options, job, batch)))
  for (const end of ends) {
    if (end.status === 'rejected')
      options.log.error(
        { err: end.reason },
        'a job of the run queue could not be let go; it is offered again',
      )
  }
  const isFinished = ends.every((end) => end.status === 'fulfilled') && batch.leftTurns.size === 0
  return { taken: jobs.length, isFinished }
}

/** Jobs taken together. */
interface Batch {
  readonly inTurn: InTurn
  readonly isStopping: () => boolean
  /** Conversations of which a job was left undone: those behind it stay behind it. */
  readonly leftTurns: Set<string>
}

async function takeJob(options: QueueDoorOptions, job: Job<unknown>, batch: Batch): Promise<void> {
  const { boss, log } = options
  const message = splitKey(job.data)
  const turn = turnOf(message.run)
  try {
    const isAccepted = await batch.inTurn(turn, () => acceptInTurn(options, job.id, message, turn, batch))
    if (isAccepted) await boss.complete(RUNS_QUEUE, job.id)
  } catch (error) {
    if (error instanceof LastwordError && isPoison(error)) {
      await buryJob(boss, job.id, message.run, error)
      log.warn(
        { jobId: job.id, code: error.code },
        'a message of the run queue cannot be accepted; it was put aside',
      )
      return
    }
    log.error(
      { err: error, jobId: job.id },
      'a message of the run queue met a fault of ours; it is tried again',
    )
    await boss.fail(RUNS_QUEUE, job.id, { code: 'internal' })
  }
}

/** Accepts a run. False when this process stops while a fault passes: the next one begins with what it leaves. */
async function acceptInTurn(
  options: QueueDoorOptions,
  jobId: string,
  message: Message,
  turn: string,
  { isStopping, leftTurns }: Batch,
): Promise<boolean> {
  if (leftTurns.has(turn)) return false
  const onWait = (err: unknown) =>
    options.log.warn({ err, jobId }, 'a run of the queue waits until a passing fault is over')
  try {
    await acceptMessage(options, message, DATABASE_PRODUCER, { isStopping, onWait })
    return true
  } catch (error) {
    if (!isPassing(error)) throw error
    leftTurns.add(turn)
    return false
  }
}

/** The dead letter is written before the job is let go: a crash between the two buries it twice, never not at all. */
async function buryJob(boss: PgBoss, jobId: string, run: unknown, error: LastwordError): Promise<void> {
  const reason = { code: error.code, faults: error.faults, jobId, data: run }
  await boss.send(DEAD_RUNS_QUEUE, reason, { singletonKey: jobId })
  await boss.complete(RUNS_QUEUE, jobId, { code: error.code })
}
