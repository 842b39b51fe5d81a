import type { Engine } from './engine.js'
import type {
  AttemptRecord,
  DeliveryPatch,
  EndState,
  Head,
  LaneClaim,
  StoredPart,
  WriteResult,
} from './ledger.js'
import type { Marker, Platform, Target } from './platform.js'
import { deliveryReceipt } from './receipt.js'

/** What became of one delivery for now, and so what the lane does next. */
export type Step =
  /** Settled; the lane is still ours and has more. */
  | { readonly kind: 'next' }
  /** Settled, and the lane was given back with the same commit. */
  | { readonly kind: 'released' }
  | { readonly kind: 'wait'; readonly readyAtMs: number }
  | { readonly kind: 'parked' }
  /** A newer owner has the lane. */
  | { readonly kind: 'lost' }

/** A delivery under work: the row as read, and what this worker changed since. */
export interface Work {
  readonly engine: Engine
  readonly lane: LaneClaim
  readonly platform: Platform
  target: Target
  head: Head
  /** Written with the next part; carries the plan until the first call. */
  patch: DeliveryPatch
  leftovers: readonly string[]
  /** How often the platform had its messages hang elsewhere. */
  moves: number
}

/** Ids that mark a part on the platform. A simpler rendering is another content and so another key. */
export function markerOf(work: Work, part: StoredPart): Marker {
  return {
    deliveryId: work.head.id,
    partIndex: part.index,
    rendering: part.rendering,
    isNotice: work.head.decision?.kind !== 'relay',
  }
}

export function replacePart(work: Work, part: StoredPart): void {
  work.head = { ...work.head, parts: work.head.parts.map((one) => (one.index === part.index ? part : one)) }
}

/** Writes what changed, with the patch that was waiting. */
export async function save(
  work: Work,
  write: {
    readonly parts?: readonly StoredPart[]
    readonly attempt?: AttemptRecord
    readonly patch?: DeliveryPatch
  },
): Promise<WriteResult> {
  const patch = { ...work.patch, ...write.patch }
  work.patch = {}
  return work.engine.ledger.write(work.engine.workerId, {
    lane: work.lane,
    deliveryId: work.head.id,
    ...(Object.keys(patch).length === 0 ? {} : { patch }),
    ...(write.parts === undefined ? {} : { parts: write.parts }),
    ...(write.attempt === undefined ? {} : { attempt: write.attempt }),
  })
}

/** Ends a delivery: tidies up what the producer and earlier attempts left, and tells the end in the same commit. */
export async function settle(
  work: Work,
  state: EndState,
  reason: string | null,
  last: { readonly parts?: readonly StoredPart[]; readonly attempt?: AttemptRecord } = {},
): Promise<Step> {
  await tidy({
    ...work,
    leftovers: work.leftovers.filter((id) => state !== 'dead' || isPlaceholder(work, id)),
  })
  work.engine.reached('tidied')
  const settledAtMs = work.engine.now()
  const patch: DeliveryPatch = { ...work.patch, state, reason, settledAtMs }
  const written = await work.engine.ledger.write(work.engine.workerId, {
    lane: work.lane,
    deliveryId: work.head.id,
    patch,
    ...last,
    receipt: deliveryReceipt(work.head, {
      state,
      reason,
      decision: work.head.decision,
      parts: work.head.parts,
      settledAtMs,
    }),
    release: { kind: 'if_idle' },
  })
  if (written === 'lost') return { kind: 'lost' }
  work.engine.reached('settled')
  tellSettled(work.engine, work.head, state, reason, settledAtMs)
  return written === 'released' ? { kind: 'released' } : { kind: 'next' }
}

/** An answer that was given up takes nothing away but the line that announced it: what was said of its run stands. */
function isPlaceholder(work: Work, messageId: string): boolean {
  return messageId === work.head.run.acknowledgement?.message
}

/** Whether the end of a delivery makes calls of its own. */
export function hasTidying(work: Work): boolean {
  const { acknowledgement } = work.head.run
  return work.leftovers.length > 0 || acknowledgement?.reaction != null || acknowledgement?.status === true
}

/** Best effort: a reaction, a status line or a stale notice left behind never costs an answer. */
export async function tidy(
  work: Pick<Work, 'engine' | 'platform' | 'target' | 'head' | 'leftovers'>,
): Promise<void> {
  const { acknowledgement } = work.head.run
  for (const messageId of work.leftovers) await work.platform.remove(work.target, messageId)
  if (acknowledgement !== null && (acknowledgement.reaction !== null || acknowledgement.status)) {
    const fault = await work.platform.clearAcknowledgement(work.target, acknowledgement)
    if (fault !== null)
      work.engine.log.info(
        { deliveryId: work.head.id, code: fault.code },
        'an acknowledgement was left behind',
      )
  }
}

export function tellSettled(
  engine: Engine,
  head: Head,
  state: EndState,
  reason: string | null,
  settledAtMs: number,
): void {
  engine.observer.ended(head.id, state)
  engine.emit({
    kind: 'settled',
    deliveryId: head.id,
    runId: head.run.runId,
    platform: head.run.conversation.platform,
    state,
    reason,
    acceptedAtMs: head.acceptedAtMs,
    settledAtMs,
  })
}
