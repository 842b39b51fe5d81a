import { advance } from './advance.js'
import type { Engine } from './engine.js'
import type { Head, LaneClaim, LaneWrite, Release } from './ledger.js'
import { bury, isFaultOfOurs, isReadable } from './poison.js'
import type { Step } from './work.js'
import type { WorkEnd } from './work-lifecycle.js'

/** How long one lane is worked on before the others have a turn, in ms. */
const SLICE_MS = 2_000

/** Pause of a lane after a fault that may pass (the database was away), in ms. */
const FAULT_PAUSE_MS = 5_000

/** When the lane has work again: a moment, or null (when told, or never). */
export type LaneEnd = { readonly readyAtMs: number | null }

/**
 * Works on one claimed lane, oldest delivery first, until nothing is left, something must be waited for, the slice is
 * over, or the lane is lost. Never throws: a fault of ours costs its delivery, a passing one a pause, neither the lane.
 */
export async function workLane(engine: Engine, lane: LaneClaim, isStopping: () => boolean): Promise<LaneEnd> {
  const sliceEndsAtMs = engine.now() + SLICE_MS
  engine.reached('claimed')
  try {
    for (;;) {
      if (isStopping()) return await release(engine, lane, { kind: 'at', readyAtMs: engine.now() })
      const head = await engine.ledger.head(lane)
      engine.reached('read')
      if (head === null) return await release(engine, lane, { kind: 'when_told' })
      const step = await stepOf(engine, lane, head, isStopping)
      if (step.kind === 'lost' || step.kind === 'released') return { readyAtMs: null }
      if (step.kind === 'wait') return await release(engine, lane, { kind: 'at', readyAtMs: step.readyAtMs })
      if (step.kind === 'parked') return await release(engine, lane, { kind: 'when_told' })
      if (engine.now() > sliceEndsAtMs)
        return await release(engine, lane, { kind: 'at', readyAtMs: engine.now() })
    }
  } catch (err) {
    engine.log.error({ err, installationId: lane.installationId }, 'a lane met a fault; it is tried again')
    const readyAtMs = engine.now() + FAULT_PAUSE_MS
    return await release(engine, lane, { kind: 'at', readyAtMs }).catch(() => ({ readyAtMs: null }))
  }
}

async function stepOf(engine: Engine, lane: LaneClaim, head: Head, isStopping: () => boolean): Promise<Step> {
  if (!isReadable(head)) return bury(engine, lane, head, 'poison_unreadable')
  tellBegan(engine, lane, head)
  let end: WorkEnd = 'waiting'
  try {
    const step = await advance(engine, lane, head, isStopping)
    if (step.kind === 'lost') end = 'handed_over'
    if (step.kind === 'parked') end = 'parked'
    return step
  } catch (err) {
    if (!isFaultOfOurs(err)) throw err
    engine.log.error({ err, deliveryId: head.id }, 'a delivery met a fault of ours')
    return await bury(engine, lane, head, 'poison_fault')
  } finally {
    // A delivery that was settled has ended already, as what it was settled.
    engine.observer.ended(head.id, end)
  }
}

function tellBegan(engine: Engine, lane: LaneClaim, head: Head): void {
  const { runId, conversation, traceparent } = head.run
  engine.observer.began({
    deliveryId: head.id,
    runId,
    platform: conversation.platform,
    installationId: lane.installationId,
    acceptedAtMs: head.acceptedAtMs,
    traceparent,
  })
}

async function release(engine: Engine, lane: LaneClaim, release: Release): Promise<LaneEnd> {
  const write: LaneWrite = { lane, release }
  await engine.ledger.write(engine.workerId, write)
  engine.reached('released')
  return { readyAtMs: release.kind === 'at' ? release.readyAtMs : null }
}
