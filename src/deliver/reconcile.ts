import type { AttemptRecord, StoredPart } from './ledger.js'
import { follow, type PartStep } from './part-step.js'
import type { Fault, FindResult } from './platform.js'
import { contextOf } from './replace-part.js'
import { ofTokenEndpoint, resolveFault } from './resolve-fault.js'
import { markerOf, replacePart, save, settle, type Work } from './work.js'

/** Either the part goes out again, or the part's step is known. */
export type Reconciled = PartStep | { readonly kind: 'resend'; readonly part: StoredPart }

/**
 * Finds out what became of a call without a known end. The platform is left alone for a while first: a call that was
 * cut off may still be on its way. Then the same idempotency key where there is one, else a look-up, else the
 * installation's policy.
 */
export async function reconcile(work: Work, part: StoredPart): Promise<Reconciled> {
  const { engine, platform } = work
  if (part.state === 'sending') return leaveAlone(work, part)
  const nowMs = engine.now()
  const lastAttemptAtMs = part.attemptAtMs ?? nowMs
  const settledAtMs = lastAttemptAtMs + engine.settings.settleMs
  if (nowMs < settledAtMs) return { kind: 'wait', readyAtMs: settledAtMs }
  const firstAttemptAtMs = part.firstAttemptAtMs ?? lastAttemptAtMs
  const isSafeToRepeat = part.replaces !== null || nowMs - firstAttemptAtMs < platform.sameKeyWindowMs
  return isSafeToRepeat ? { kind: 'resend', part } : lookUp(work, part)
}

/**
 * A part that another process left in `sending` is an unknown outcome like any other, and is counted as one. Its call
 * ended when that process lost its lanes at the latest (`lease.ts`): from now on the platform has time.
 */
async function leaveAlone(work: Work, part: StoredPart): Promise<PartStep> {
  const unknown: StoredPart = { ...part, state: 'unknown' }
  replacePart(work, unknown)
  const unknownCount = work.head.unknownCount + 1
  work.head = { ...work.head, unknownCount }
  const written = await save(work, { parts: [unknown], patch: { unknownCount, reason: 'interrupted' } })
  if (written === 'lost') return { kind: 'lost' }
  return { kind: 'wait', readyAtMs: work.engine.now() + work.engine.settings.settleMs }
}

/** Asks the platform whether a part stands in the conversation. */
export async function lookUp(work: Work, part: StoredPart): Promise<Reconciled> {
  const { engine, platform } = work
  const nowMs = engine.now()
  const waitMs = engine.gates.waitMs(work.target, 'find')
  if (waitMs > 0) return { kind: 'wait', readyAtMs: nowMs + waitMs }
  const lastAttemptAtMs = part.attemptAtMs ?? nowMs
  const firstAttemptAtMs = part.firstAttemptAtMs ?? lastAttemptAtMs
  const result = await platform.find(work.target, markerOf(work, part), {
    firstAttemptAtMs,
    lastAttemptAtMs,
    nowMs,
  })
  return act(work, part, result, nowMs)
}

async function act(
  work: Work,
  part: StoredPart,
  result: FindResult,
  startedAtMs: number,
): Promise<Reconciled> {
  work.engine.reached('looked_up')
  const attempt = lookUpRecord(work, part, result, startedAtMs)
  switch (result.kind) {
    case 'sent': {
      const sent: StoredPart = { ...part, state: 'sent', messageId: result.messageId }
      replacePart(work, sent)
      const written = await save(work, { parts: [sent], attempt })
      return written === 'lost' ? { kind: 'lost' } : { kind: 'sent' }
    }
    case 'absent': {
      const pending: StoredPart = { ...part, state: 'pending' }
      replacePart(work, pending)
      const written = await save(work, { parts: [pending], attempt })
      return written === 'lost' ? { kind: 'lost' } : { kind: 'resend', part: pending }
    }
    case 'rate_limited':
    case 'in_flight':
    case 'not_sent':
      return follow(
        work,
        part,
        await resolveFault(work.engine, result, work.target, work.head, 'find'),
        result.code,
      )
    case 'unknown':
    case 'token':
      return askAgain(work, part, result)
    case 'installation_dead':
      if (result.remedy === 'reinstall') {
        return follow(
          work,
          part,
          await resolveFault(work.engine, result, work.target, work.head, 'find'),
          result.code,
        )
      }
      return byPolicy(work, part, result)
    default:
      return byPolicy(work, part, result)
  }
}

/** A look-up that failed in passing changes nothing: it is asked again. */
async function askAgain(
  work: Work,
  part: StoredPart,
  fault: Extract<Fault, { kind: 'unknown' | 'token' }>,
): Promise<PartStep> {
  const passing = { kind: 'not_sent', code: fault.code } as const
  const refreshed = fault.kind === 'token' ? await work.platform.refreshToken(work.target.installation) : null
  const known = refreshed === null || refreshed.kind === 'refreshed' ? passing : ofTokenEndpoint(refreshed)
  const consequence = await resolveFault(work.engine, known, work.target, work.head, 'find')
  return follow(work, part, consequence, known.code)
}

/** Nobody can tell: the installation's policy says whether a possible repeat or a possible gap is worse. */
async function byPolicy(work: Work, part: StoredPart, fault: Fault): Promise<Reconciled> {
  const installation = await work.engine.ledger.installation(work.lane.installationId)
  const policy = installation?.unknownPolicy ?? work.engine.settings.unknownPolicy
  work.engine.log.warn(
    { deliveryId: work.head.id, code: fault.code, policy },
    'nobody can tell whether a part was posted',
  )
  if (policy === 'hold') {
    return { kind: 'ended', step: await settle(work, 'dead', 'unknown_outcome', { parts: [part] }) }
  }
  const pending: StoredPart = { ...(await marked(work, part)), state: 'pending' }
  replacePart(work, pending)
  const written = await save(work, { parts: [pending], patch: { reason: 'resent_unknown' } })
  return written === 'lost' ? { kind: 'lost' } : { kind: 'resend', part: pending }
}

/** What is sent again without knowing says so; it is another content then, and so has another key. */
async function marked(work: Work, part: StoredPart): Promise<StoredPart> {
  const installation = await work.engine.ledger.installation(work.lane.installationId)
  if (installation === null) return part
  const other = work.platform.markRepeat(part.part, await contextOf(work, installation))
  return other === null ? part : { ...part, part: other, rendering: part.rendering + 1 }
}

/** Look-ups stand in the journal under the attempt they ask about, counted on from it. */
function lookUpRecord(work: Work, part: StoredPart, result: FindResult, startedAtMs: number): AttemptRecord {
  return {
    partIndex: part.index,
    number: part.attempt,
    rendering: part.rendering,
    method: 'find',
    startedAtMs,
    endedAtMs: work.engine.now(),
    outcome: `look_up_${result.kind}`,
    code: 'code' in result ? result.code : null,
    waitMs: null,
    vendorLogId: 'vendorLogId' in result ? (result.vendorLogId ?? null) : null,
  }
}
