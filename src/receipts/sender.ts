import type { Logger } from '../log.js'
import type { OutgoingEvent } from './event.js'
import type { MessageEnd, Outbox, OwedMessage } from './outbox.js'
import type { Poster, PostResult } from './post.js'
import { DISABLE_AFTER_MS, retryWaitMs } from './schedule.js'

/** How the sender paces itself. Times in ms. */
const PACE = {
  /** Longest wait for a new event. */
  pollMs: 1_000,
  /** A failing endpoint is asked this often at most. */
  probeMs: 10_000,
  inFlight: 64,
  inFlightAnEndpoint: 16,
} as const

export interface SenderOptions {
  readonly workerId: string
  readonly outbox: Outbox
  readonly poster: Pick<Poster, 'post'>
  /** Adds what is only worth a call when somebody reads it, such as links to messages. */
  readonly complete: (event: OutgoingEvent, deliveryId: string | null) => Promise<OutgoingEvent>
  readonly now: () => number
  /** Returns [0, 1). */
  readonly random: () => number
  readonly log: Logger
  /** Told of what became of each call. */
  readonly onEnd: (end: MessageEnd['kind']) => void
}

export interface Sender {
  start(): void
  /** Owes what is new, sends what is due, and resolves when that is done; returns how many were sent or failed. */
  runOnce(): Promise<number>
  /** Claims nothing new; resolves when calls in flight have their end. */
  stop(): Promise<void>
}

/**
 * Sends events to webhook endpoints. Any number of processes may send from one database: a message is claimed by one
 * of them, and one that died gives its messages up after a minute.
 */
export function createSender(options: SenderOptions): Sender {
  const inFlight = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | null = null
  let isBusy = false

  async function claim(): Promise<readonly Promise<void>[]> {
    const { outbox, workerId, now } = options
    await outbox.fanOut(now())
    const limit = PACE.inFlight - running.size
    if (limit <= 0) return []
    const busyEndpoints = [...inFlight]
      .filter(([, count]) => count >= PACE.inFlightAnEndpoint)
      .map(([endpointId]) => endpointId)
    const messages = await outbox.claim({ workerId, nowMs: now(), limit, busyEndpoints })
    return messages.map(launch)
  }

  function launch(message: OwedMessage): Promise<void> {
    const { endpointId } = message
    inFlight.set(endpointId, (inFlight.get(endpointId) ?? 0) + 1)
    const sending = sendOne(options, message)
      .catch((err) => options.log.error({ err, endpointId }, 'a webhook message met a fault of ours'))
      .finally(() => {
        running.delete(sending)
        const left = (inFlight.get(endpointId) ?? 1) - 1
        if (left === 0) inFlight.delete(endpointId)
        else inFlight.set(endpointId, left)
      })
    running.add(sending)
    return sending
  }

  function tick(): void {
    if (isBusy) return
    isBusy = true
    claim()
      .catch((err) => options.log.error({ err }, 'could not look for webhook messages; trying again'))
      .finally(() => {
        isBusy = false
      })
  }

  return {
    start() {
      timer = setInterval(tick, PACE.pollMs)
    },
    async runOnce() {
      const sent = await claim()
      await Promise.all(sent)
      return sent.length
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      await Promise.all(running)
    },
  }
}

async function sendOne(options: SenderOptions, message: OwedMessage): Promise<void> {
  const { outbox, workerId, now, log } = options
  if (message.target === null) {
    // The claim runs out by itself: a process with the key, or this one after a restart, sends it then.
    log.error({ endpointId: message.endpointId }, 'the secret of a webhook does not open')
    return
  }
  const event = await options.complete(message.event, message.deliveryId)
  const result = await options.poster.post(message.target, event)
  const nowMs = now()
  const end = endOf(options, message, result, nowMs)
  await outbox.settle(workerId, message, end, nowMs)
  options.onEnd(end.kind)
  if (result.kind === 'accepted') return
  const code = result.kind === 'gone' ? '410' : result.code
  const { endpointId } = message
  log.warn({ endpointId, eventId: event.id, attempt: message.attempt, code }, 'a webhook was not taken')
  const failingForMs = nowMs - (message.failingSinceMs ?? nowMs)
  if (result.kind !== 'gone' && failingForMs < DISABLE_AFTER_MS) return
  if (await outbox.disable(endpointId, code, nowMs)) {
    log.error({ endpointId, code }, 'a webhook endpoint was disabled; enable it by hand')
  }
}

function endOf(options: SenderOptions, message: OwedMessage, result: PostResult, nowMs: number): MessageEnd {
  if (result.kind === 'accepted') return { kind: 'sent', code: result.code }
  const code = result.kind === 'gone' ? '410' : result.code
  const retryAfterMs = result.kind === 'gone' ? null : result.retryAfterMs
  const waitMs = retryWaitMs(message.attempt, retryAfterMs, options.random)
  const notBeforeMs = nowMs + Math.max(PACE.probeMs, Math.min(retryAfterMs ?? 0, waitMs ?? 0))
  return waitMs === null
    ? { kind: 'given_up', code, notBeforeMs }
    : { kind: 'again', code, dueAtMs: nowMs + waitMs, notBeforeMs }
}
