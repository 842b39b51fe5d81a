import { advance } from './advance.js'
import type { Engine } from './engine.js'
import type { LaneClaim, LaneWrite, Release } from './ledger.js'

/** How long one lane is worked on before the others have a turn, in ms. */
const SLICE_MS = 2_000

/** When the lane has work again: a moment, or null (when told, or never). */
export type LaneEnd = { readonly readyAtMs: number | null }

/**
 * Works on one claimed lane, oldest delivery first, until nothing is left, something must be waited for, the slice is
 * over, or the lane is lost. Never throws: a fault of ours costs this lane a pause, never its place.
 */
export async function workLane(engine: Engine, lane: LaneClaim, isStopping: () => boolean): Promise<LaneEnd> {
  const sliceEndsAtMs = engine.now() + SLICE_MS
  try {
    for (;;) {
      const head = await engine.ledger.head(lane)
      if (head === null) return await release(engine, lane, { kind: 'when_told' })
      const step = await advance(engine, lane, head, isStopping)
      if (step.kind === 'lost' || step.kind === 'released') return { readyAtMs: null }
      if (step.kind === 'wait') return await release(engine, lane, { kind: 'at', readyAtMs: step.readyAtMs })
      if (step.kind === 'parked') return await release(engine, lane, { kind: 'when_told' })
      if (isStopping() || engine.now() > sliceEndsAtMs) {
        return await release(engine, lane, { kind: 'at', readyAtMs: engine.now() })
      }
    }
  } catch (err) {
    engine.log.error(
      { err, installationId: lane.installationId },
      'a lane met a fault of ours; it is tried again',
    )
    return await release(engine, lane, { kind: 'at', readyAtMs: engine.now() + 5_000 }).catch(() => ({
      readyAtMs: null,
    }))
  }
}

async function release(engine: Engine, lane: LaneClaim, release: Release): Promise<LaneEnd> {
  const write: LaneWrite = { lane, release }
  await engine.ledger.write(engine.workerId, write)
  return { readyAtMs: release.kind === 'at' ? release.readyAtMs : null }
}
