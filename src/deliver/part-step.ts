import type { AttemptRecord, StoredPart } from './ledger.js'
import type { Consequence } from './resolve-fault.js'
import { replacePart, type Step, save, settle, type Work } from './work.js'

/** `sent`: go on with the next part. `ended`: the delivery was settled. The rest is the lane's matter. */
export type PartStep =
  | { readonly kind: 'sent' }
  | { readonly kind: 'ended'; readonly step: Step }
  | Extract<Step, { kind: 'wait' | 'parked' | 'lost' }>

/** Writes down what a fault led to, and hands the lane its next step. */
export async function follow(
  work: Work,
  part: StoredPart,
  consequence: Consequence,
  code: string,
  attempt: AttemptRecord | null = null,
): Promise<PartStep> {
  replacePart(work, part)
  if (consequence.kind === 'dead') return die(work, part, code, attempt)
  const isParked = consequence.kind === 'park' || consequence.isParked
  const tries = work.head.tries + (consequence.kind === 'wait' && consequence.countsAsTry ? 1 : 0)
  const written = await save(work, {
    parts: [part],
    patch: { state: isParked ? 'parked' : 'delivering', reason: code, tries },
    ...(attempt === null ? {} : { attempt }),
  })
  if (written === 'lost') return { kind: 'lost' }
  return consequence.kind === 'park' ? { kind: 'parked' } : { kind: 'wait', readyAtMs: consequence.readyAtMs }
}

/** Gives a delivery up: it needs an operator. What was sent stays sent. */
export async function die(
  work: Work,
  part: StoredPart,
  code: string,
  attempt: AttemptRecord | null,
): Promise<PartStep> {
  const dead: StoredPart = { ...part, state: 'failed' }
  replacePart(work, dead)
  work.engine.log.error({ deliveryId: work.head.id, code }, 'a delivery was given up')
  const step = await settle(work, 'dead', code, { parts: [dead], ...(attempt === null ? {} : { attempt }) })
  return { kind: 'ended', step }
}
