import { resolveLanguage } from '../locales.js'
import type { AttemptRecord, StoredPart } from './ledger.js'
import { die, follow, type PartStep } from './part-step.js'
import { contextFor } from './plan.js'
import type { EditResult, Fault, SendResult } from './platform.js'
import { lookUp, reconcile } from './reconcile.js'
import { refusedTwice, resolveFault } from './resolve-fault.js'
import { markerOf, replacePart, save, settle, type Work } from './work.js'

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
  const mayStand = current.state === 'unknown' || current.state === 'sending'
  let hasRefreshed = false
  for (;;) {
    const waitMs = waitFor(work)
    if (waitMs > 0) return postpone(work, work.engine.now() + waitMs)
    const sending = await markSending(work, current)
    if (sending === null) return { kind: 'lost' }
    const startedAtMs = work.engine.now()
    const result = await call(work, sending)
    if (mayStand && result.kind === 'anchor_dead') {
      const found = await lookUp(work, sending)
      if (found.kind !== 'resend') return found
    }
    const outcome = await settleCall(work, sending, result, startedAtMs, hasRefreshed)
    if (outcome.kind !== 'again') return outcome
    hasRefreshed = hasRefreshed || outcome.hasRefreshed
    current = outcome.part
  }
}

function waitFor(work: Work): number {
  const { engine, target, lane } = work
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

async function markSending(work: Work, part: StoredPart): Promise<StoredPart | null> {
  const nowMs = work.engine.now()
  const sending: StoredPart = {
    ...part,
    state: 'sending',
    attempt: part.attempt + 1,
    attemptAtMs: nowMs,
    firstAttemptAtMs: part.firstAttemptAtMs ?? nowMs,
  }
  const written = await save(work, { parts: [sending], patch: { state: 'delivering' } })
  if (written === 'lost') return null
  replacePart(work, sending)
  return sending
}

function call(work: Work, part: StoredPart): Promise<SendResult | EditResult> {
  const marker = markerOf(work, part)
  return part.replaces === null
    ? work.platform.send(work.target, part.part, marker)
    : work.platform.edit(work.target, part.replaces, part.part, marker)
}

type CallOutcome =
  | PartStep
  | { readonly kind: 'again'; readonly part: StoredPart; readonly hasRefreshed: boolean }

async function settleCall(
  work: Work,
  part: StoredPart,
  result: SendResult | EditResult,
  startedAtMs: number,
  hasRefreshed: boolean,
): Promise<CallOutcome> {
  const attempt = attemptRecord(work, part, result, startedAtMs)
  const again = (next: StoredPart, refreshed = false): CallOutcome => ({
    kind: 'again',
    part: next,
    hasRefreshed: refreshed,
  })
  switch (result.kind) {
    case 'sent':
      if (!result.inPlace)
        work.engine.log.warn({ deliveryId: work.head.id }, 'a reply landed outside its thread')
      return markSent(work, part, result.messageId, attempt)
    case 'edited':
      return markSent(work, part, part.replaces ?? '', attempt)
    case 'not_editable': {
      if (work.head.decision?.kind === 'drop') return markSent(work, part, part.replaces ?? '', attempt)
      const fresh = await rewrite(work, { ...part, replaces: null, rendering: part.rendering + 1 }, attempt)
      return fresh === null ? { kind: 'lost' } : again(fresh)
    }
    case 'token': {
      const back = await rewrite(work, part, attempt)
      if (back === null) return { kind: 'lost' }
      if (hasRefreshed)
        return follow(
          work,
          back,
          await refusedTwice(work.engine, result.code, work.lane.installationId),
          result.code,
        )
      const refreshed = await work.platform.refreshToken(work.target.installation)
      if (refreshed.kind === 'refreshed') return again(back, true)
      return failed(work, back, wholeFault(refreshed), null)
    }
    case 'content':
      return simpler(work, part, result, attempt)
    case 'anchor_dead':
      return otherAnchor(work, part, result, attempt)
    default:
      return failed(work, part, result, attempt)
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
  if (isLast && work.head.decision?.kind !== 'drop') {
    return { kind: 'ended', step: await settle(work, 'delivered', null, { parts: [sent], attempt }) }
  }
  return (await save(work, { parts: [sent], attempt })) === 'lost' ? { kind: 'lost' } : { kind: 'sent' }
}

/** A refused rendering goes one rung down; a file falls back to as many parts as it takes. */
async function simpler(
  work: Work,
  part: StoredPart,
  fault: Extract<Fault, { kind: 'content' }>,
  attempt: AttemptRecord,
): Promise<CallOutcome> {
  const installation = await work.engine.ledger.installation(work.lane.installationId)
  if (fault.final || installation === null) return die(work, part, fault.code, attempt)
  if (part.part.kind === 'file') await work.engine.ledger.noteFilesRefused(installation.id)
  const { words, settings } = work.engine
  const language = resolveLanguage(work.head.locale, words.languages) ?? settings.defaultLanguage
  const context = await contextFor(work.engine, installation, work.head, language)
  const parts = work.platform.simplify(part.part, fault.code, context)
  if (parts === null || parts.length === 0) return die(work, part, fault.code, attempt)
  const replaced = parts.map(
    (simple, offset): StoredPart => ({
      ...(offset === 0
        ? part
        : { ...part, attempt: 0, firstAttemptAtMs: null, attemptAtMs: null, replaces: null }),
      index: part.index + offset,
      rendering: part.rendering + 1,
      part: simple,
      state: 'pending',
    }),
  )
  const [first] = replaced
  const before = work.head.parts.filter((one) => one.index < part.index)
  const after = work.head.parts
    .filter((one) => one.index > part.index)
    .map((one) => ({ ...one, index: one.index + parts.length - 1 }))
  work.head = { ...work.head, parts: [...before, ...replaced, ...after] }
  const written = await save(work, { parts: [...replaced, ...after], attempt })
  return written === 'lost' || first === undefined
    ? { kind: 'lost' }
    : { kind: 'again', part: first, hasRefreshed: false }
}

/** The message or thread to answer is gone: the platform's rule says where the answer goes instead, if anywhere. */
async function otherAnchor(
  work: Work,
  part: StoredPart,
  fault: Extract<Fault, { kind: 'anchor_dead' }>,
  attempt: AttemptRecord,
): Promise<CallOutcome> {
  const isStuck =
    fault.fallback === 'none' || (fault.fallback === 'conversation' && work.target.anchor === null)
  if (isStuck) return die(work, part, fault.code, attempt)
  const anchor = fault.fallback === 'conversation' ? null : work.target.anchor
  work.target = { ...work.target, anchor, inTopic: false }
  work.patch = { ...work.patch, anchor, inTopic: false }
  const moved = await rewrite(work, { ...part, rendering: part.rendering + 1 }, attempt)
  return moved === null ? { kind: 'lost' } : { kind: 'again', part: moved, hasRefreshed: false }
}

/** Back to `pending`, as something that is known not to stand in the chat. */
async function rewrite(work: Work, part: StoredPart, attempt: AttemptRecord): Promise<StoredPart | null> {
  const pending: StoredPart = { ...part, state: 'pending' }
  replacePart(work, pending)
  return (await save(work, { parts: [pending], attempt })) === 'lost' ? null : pending
}

/** A token endpoint has neither content nor anchors: such an answer is a mistake of ours. */
function wholeFault(fault: Fault): Exclude<Fault, { kind: 'content' | 'anchor_dead' }> {
  return fault.kind === 'content' || fault.kind === 'anchor_dead' ? { kind: 'bug', code: fault.code } : fault
}

async function failed(
  work: Work,
  part: StoredPart,
  fault: Exclude<Fault, { kind: 'content' | 'anchor_dead' }>,
  attempt: AttemptRecord | null,
): Promise<PartStep> {
  if (fault.kind === 'unknown' || fault.kind === 'token') {
    const unknown: StoredPart = { ...part, state: 'unknown' }
    replacePart(work, unknown)
    const unknownCount = work.head.unknownCount + 1
    work.head = { ...work.head, unknownCount }
    const patch = { unknownCount, reason: fault.code, tries: work.head.tries + 1 }
    const written = await save(work, { parts: [unknown], patch, ...(attempt === null ? {} : { attempt }) })
    if (written === 'lost') return { kind: 'lost' }
    return { kind: 'wait', readyAtMs: work.engine.now() + work.engine.settings.settleMs }
  }
  const consequence = await resolveFault(work.engine, fault, work.target, work.head, 'send')
  const state = fault.kind === 'in_flight' ? 'unknown' : 'pending'
  return follow(work, { ...part, state }, consequence, fault.code, attempt)
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
    method: work.platform.toRequest(work.target, part.part, markerOf(work, part)).method,
    startedAtMs: part.attemptAtMs ?? startedAtMs,
    endedAtMs,
    outcome: result.kind,
    code,
    waitMs: result.kind === 'rate_limited' ? result.retryAfterMs : null,
    vendorLogId: 'vendorLogId' in result ? (result.vendorLogId ?? null) : null,
  }
}
