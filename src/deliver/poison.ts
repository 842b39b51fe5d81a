import { PLATFORM_NAMES } from '../contract/run.js'
import type { Engine } from './engine.js'
import type { Head, LaneClaim } from './ledger.js'
import type { Step } from './work.js'

/** Why a delivery was taken out of its lane at once instead of being tried again. */
export type PoisonCode = 'poison_unreadable' | 'poison_fault'

/** Whether a stored run has what every step needs. Rows may be older than this code, or written by other hands. */
export function isReadable(head: Head): boolean {
  const run: unknown = head.run
  if (!isObject(run) || typeof run.runId !== 'string' || run.runId === '') return false
  const { conversation } = run
  if (!isObject(conversation) || !isObject(conversation.place)) return false
  return PLATFORM_NAMES.some((name) => name === conversation.platform) && isObject(run.outcome)
}

/** A mistake in code or data: it would happen again at every try. Passing faults have other classes. */
export function isFaultOfOurs(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
}

/**
 * Gives up a delivery that nobody can work on, so that the others of its lane go on. The row keeps the run as it was
 * taken in; the receipt is made of the row's own columns, since the run may be anything.
 */
export async function bury(engine: Engine, lane: LaneClaim, head: Head, code: PoisonCode): Promise<Step> {
  engine.log.error({ deliveryId: head.id, code }, 'a delivery cannot be worked on; it was given up')
  const settledAtMs = engine.now()
  const written = await engine.ledger.write(engine.workerId, {
    lane,
    deliveryId: head.id,
    patch: { state: 'dead', reason: code, settledAtMs },
    receipt: {
      kind: 'delivery.dead',
      body: {
        deliveryId: head.id,
        producer: head.producer,
        conversation: head.conversationKey,
        state: 'dead',
        reason: code,
        acceptedAt: new Date(head.acceptedAtMs).toISOString(),
        settledAt: new Date(settledAtMs).toISOString(),
      },
    },
    release: { kind: 'if_idle' },
  })
  engine.observer.ended(head.id, written === 'lost' ? 'handed_over' : 'dead')
  if (written === 'lost') return { kind: 'lost' }
  return written === 'released' ? { kind: 'released' } : { kind: 'next' }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
