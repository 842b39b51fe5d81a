import type { StoredPart } from './ledger.js'
import type { PartStep } from './part-step.js'
import type { EditResult, SendResult } from './platform.js'
import { lookUp, reconcile } from './reconcile.js'
import { settleCall } from './settle-call.js'
import { markerOf, replacePart, save, type Work } from './work.js'

/**
 * Longest pause between recording `sending` and making the call, in ms. A process that stood still for longer may have
 * been taken for dead, so it asks for its lane again first. Shorter than the time until a silent worker is dead.
 */
const STALE_RIGHT_MS = 2_000

/** Pause while this process may be taken for dead, in ms: its calls would not leave the host. */
const LAPSED_MS = 1_000

/**
 * Takes one part as far as it goes: looks it up when its last call has no known end, waits for gates and pace, records
 * `sending`, makes the call, records what came back.
 */
export async function sendPart(work: Work, part: StoredPart): Promise<PartStep> {
  let current = part
  if (current.state === 'sending' || current.state === 'unknown') {
    const found = await reconcile(work, current)
    if (found.kind !== 'resend') return found
    current = found.part
  }
  // Its last call may have landed: before it goes anywhere else under another key, it is looked up.
  let mayStand = current.state === 'unknown'
  let hasRefreshed = false
  for (;;) {
    const waitMs = waitFor(work)
    if (waitMs > 0) return postpone(work, work.engine.now() + waitMs)
    const right = await markSending(work, current)
    if (right === null) return { kind: 'lost' }
    const { sending } = right
    const startedAtMs = work.engine.now()
    const result = await call(work, sending).finally(right.giveBackSlot)
    work.engine.reached('answered')
    if (mayStand && (result.kind === 'anchor_dead' || result.kind === 'content')) {
      const found = await lookUp(work, sending)
      if (found.kind !== 'resend') return found
      mayStand = false
    }
    const outcome = await settleCall(work, sending, result, { startedAtMs, hasRefreshed, mayStand })
    if (outcome.kind !== 'again') return outcome
    hasRefreshed = hasRefreshed || outcome.hasRefreshed
    current = outcome.part
  }
}

function waitFor(work: Work): number {
  const { engine, target, lane } = work
  if (engine.lease.isLapsed()) return LAPSED_MS
  const gateMs = engine.gates.waitMs(target, 'send')
  if (gateMs > 0) return gateMs
  return engine.pacer.reserve(
    target.installation.platform,
    target.installation.id,
    target.conversationId,
    lane.key,
  )
}

/** A wait costs nothing but the plan, which must not be made again. */
async function postpone(work: Work, readyAtMs: number): Promise<PartStep> {
  if (Object.keys(work.patch).length > 0) {
    const written = await save(work, { parts: work.head.parts })
    if (written === 'lost') return { kind: 'lost' }
  }
  return { kind: 'wait', readyAtMs }
}

/** A part that is recorded as being sent, with a place among the calls that are under way. */
interface RightToCall {
  readonly sending: StoredPart
  readonly giveBackSlot: () => void
}

/**
 * Commits `sending` under a new attempt number and takes a place among the calls; again when that took so long that
 * the lane may be gone.
 */
async function markSending(work: Work, part: StoredPart): Promise<RightToCall | null> {
  let current = part
  for (;;) {
    const nowMs = work.engine.now()
    const sending: StoredPart = {
      ...current,
      state: 'sending',
      attempt: current.attempt + 1,
      attemptAtMs: nowMs,
      firstAttemptAtMs: current.firstAttemptAtMs ?? nowMs,
    }
    const written = await save(work, { parts: [sending], patch: { state: 'delivering' } })
    if (written === 'lost') return null
    replacePart(work, sending)
    work.engine.reached('sending_recorded')
    const giveBackSlot = await work.engine.calls.take()
    if (work.engine.now() - nowMs < STALE_RIGHT_MS) return { sending, giveBackSlot }
    giveBackSlot()
    current = sending
  }
}

async function call(work: Work, part: StoredPart): Promise<SendResult | EditResult> {
  const marker = markerOf(work, part)
  const answer =
    part.replaces === null
      ? work.platform.send(work.target, part.part, marker)
      : work.platform.edit(work.target, part.replaces, part.part, marker)
  work.engine.reached('calling')
  return answer
}
