import { backoffMs } from './backoff.js'
import type { AttemptRecord, StoredPart } from './ledger.js'
import { follow, type PartStep } from './part-step.js'
import type { EditResult, Fault, SendResult } from './platform.js'
import { otherAnchor, otherConversation, rewrite, simpler } from './replace-part.js'
import { ofTokenEndpoint, refusedTwice, resolveFault, type WholeFault } from './resolve-fault.js'
import { hasTidying, markerOf, replacePart, save, settle, type Work } from './work.js'

/** What one call led to. `again`: the part as it is to be tried next, now. */
export type CallOutcome =
  | PartStep
  | { readonly kind: 'again'; readonly part: StoredPart; readonly hasRefreshed: boolean }

/** What is known besides the answer itself. */
export interface CallFacts {
  readonly startedAtMs: number
  /** The token was refreshed for this part a moment ago. */
  readonly hasRefreshed: boolean
  /** An earlier call with the same key has no known end. */
  readonly mayStand: boolean
}

/** Writes down what came back of a call, and finds the part's next step. */
export async function settleCall(
  work: Work,
  part: StoredPart,
  result: SendResult | EditResult,
  facts: CallFacts,
): Promise<CallOutcome> {
  const attempt = attemptRecord(work, part, result, facts.startedAtMs)
  switch (result.kind) {
    case 'sent':
      if (!result.inPlace)
        work.engine.log.warn({ deliveryId: work.head.id }, 'a reply landed outside its thread')
      return markSent(work, part, result.messageId, attempt)
    case 'edited':
      return markSent(work, part, part.replaces ?? '', attempt)
    case 'not_editable':
      return notEditable(work, part, attempt)
    case 'token':
      return refusedToken(work, part, result, attempt, facts)
    case 'content':
      return simpler(work, part, result, attempt)
    case 'anchor_dead':
      return otherAnchor(work, part, result, attempt)
    case 'conversation_dead':
      return (await otherConversation(work, part, attempt)) ?? failed(work, part, result, attempt, facts)
    default:
      return failed(work, part, result, attempt, facts)
  }
}

async function markSent(
  work: Work,
  part: StoredPart,
  messageId: string,
  attempt: AttemptRecord,
): Promise<PartStep> {
  const sent: StoredPart = { ...part, state: 'sent', messageId }
  replacePart(work, sent)
  const isLast = work.head.parts.every((one) => one.state === 'sent')
  // Calls that only tidy up must not stand between a message and the record of it.
  if (isLast && work.head.decision?.kind !== 'drop' && !hasTidying(work)) {
    return { kind: 'ended', step: await settle(work, 'delivered', null, { parts: [sent], attempt }) }
  }
  const patch = work.head.tries === 0 ? {} : { patch: { tries: 0 } }
  work.head = { ...work.head, tries: 0 }
  if ((await save(work, { parts: [sent], attempt, ...patch })) === 'lost') return { kind: 'lost' }
  work.engine.reached('part_recorded')
  return { kind: 'sent' }
}

/** The message to replace stays as it is: the answer follows it, and the old one is removed when that can be done. */
async function notEditable(work: Work, part: StoredPart, attempt: AttemptRecord): Promise<CallOutcome> {
  if (work.head.decision?.kind === 'drop') return markSent(work, part, part.replaces ?? '', attempt)
  if (part.replaces !== null) work.leftovers = [...work.leftovers, part.replaces]
  const fresh = await rewrite(work, { ...part, replaces: null, rendering: part.rendering + 1 }, attempt)
  return fresh === null ? { kind: 'lost' } : { kind: 'again', part: fresh, hasRefreshed: false }
}

async function refusedToken(
  work: Work,
  part: StoredPart,
  fault: Extract<Fault, { kind: 'token' }>,
  attempt: AttemptRecord,
  facts: CallFacts,
): Promise<CallOutcome> {
  const back = await rewrite(work, part, attempt, facts.mayStand ? 'unknown' : 'pending')
  if (back === null) return { kind: 'lost' }
  if (facts.hasRefreshed) {
    const consequence = await refusedTwice(work.engine, fault.code, work.lane.installationId)
    return follow(work, back, consequence, fault.code)
  }
  const refreshed = await work.platform.refreshToken(work.target.installation)
  if (refreshed.kind === 'refreshed') return { kind: 'again', part: back, hasRefreshed: true }
  return failed(work, back, ofTokenEndpoint(refreshed), null, facts)
}

async function failed(
  work: Work,
  part: StoredPart,
  fault: WholeFault | Extract<Fault, { kind: 'unknown' }>,
  attempt: AttemptRecord | null,
  facts: CallFacts,
): Promise<PartStep> {
  if (fault.kind === 'unknown') return endUnknown(work, part, fault, attempt)
  const consequence = await resolveFault(work.engine, fault, work.target, work.head, 'send')
  // This call left nothing behind; one before it, under the same key, still may have.
  const state = fault.kind === 'in_flight' || facts.mayStand ? 'unknown' : 'pending'
  return follow(work, { ...part, state }, consequence, fault.code, attempt)
}

/** Nobody knows yet: let the platform settle, and longer each time, since it may be down for an hour. */
async function endUnknown(
  work: Work,
  part: StoredPart,
  fault: Extract<Fault, { kind: 'unknown' }>,
  attempt: AttemptRecord | null,
): Promise<PartStep> {
  const unknown: StoredPart = { ...part, state: 'unknown' }
  replacePart(work, unknown)
  const unknownCount = work.head.unknownCount + 1
  const tries = work.head.tries + 1
  work.head = { ...work.head, unknownCount, tries }
  const patch = { unknownCount, reason: fault.code, tries }
  const written = await save(work, { parts: [unknown], patch, ...(attempt === null ? {} : { attempt }) })
  if (written === 'lost') return { kind: 'lost' }
  const { settings, random, now } = work.engine
  return { kind: 'wait', readyAtMs: now() + Math.max(settings.settleMs, backoffMs(tries, random)) }
}

function attemptRecord(
  work: Work,
  part: StoredPart,
  result: SendResult | EditResult,
  startedAtMs: number,
): AttemptRecord {
  const endedAtMs = work.engine.now()
  const code = 'code' in result ? result.code : null
  work.engine.emit({
    kind: 'attempted',
    deliveryId: work.head.id,
    platform: work.platform.name,
    outcome: result.kind,
    code,
    durationMs: endedAtMs - startedAtMs,
  })
  return {
    partIndex: part.index,
    number: part.attempt,
    rendering: part.rendering,
    method:
      part.replaces === null
        ? work.platform.toRequest(work.target, part.part, markerOf(work, part)).method
        : 'edit',
    startedAtMs: part.attemptAtMs ?? startedAtMs,
    endedAtMs,
    outcome: result.kind,
    code,
    waitMs: result.kind === 'rate_limited' ? result.retryAfterMs : null,
    vendorLogId: 'vendorLogId' in result ? (result.vendorLogId ?? null) : null,
  }
}
