import type { Engine } from './engine.js'
import { isWithheld } from './last-gate.js'
import type { DeliveryPatch, EndState, Head, InstallationFacts, LaneClaim } from './ledger.js'
import { workspaceOf } from './place.js'
import { leftoversOf, type Planning, planDelivery } from './plan.js'
import type { Fault, Platform, Target } from './platform.js'
import { deliveryReceipt, whyOf } from './receipt.js'
import { ofQuestion, ofTokenEndpoint, refusedTwice, resolveFault } from './resolve-fault.js'
import { sendPart } from './send-part.js'
import { type Step, save, settle, tellSettled, tidy, type Work } from './work.js'

/**
 * How long past its deadline a delivery that stands half in the chat is still finished, in ms; also in `sweep`. After
 * that it is given up, so that its conversation is not blocked for ever.
 */
const HALF_SENT_GRACE_MS = 24 * 3_600_000

/** Takes a delivery as far as it goes now: plan it, send its parts in order, settle it. */
export async function advance(
  engine: Engine,
  lane: LaneClaim,
  head: Head,
  isStopping: () => boolean,
): Promise<Step> {
  const platform = engine.platformOf(head.run.conversation.platform)
  const installation = await engine.ledger.installation(lane.installationId)
  if (platform === null || installation === null)
    return settleBare(engine, lane, head, 'dead', 'no_such_platform')
  const isActive = installation.state === 'active'
  if (head.expiresAtMs <= engine.now()) {
    if (!isHalfSent(head)) {
      if (isActive) await tidyUnplaced(engine, platform, installation, head)
      return settleBare(engine, lane, head, 'expired', 'expired')
    }
    if (head.expiresAtMs + HALF_SENT_GRACE_MS <= engine.now())
      return settleBare(engine, lane, head, 'dead', 'unfinished')
  }
  if (!isActive) return { kind: 'parked' }

  const isPlanned = head.state !== 'accepted' && head.decision !== null && head.conversationId !== null
  const isOvertaken = head.hasLaterAttempt && !isHalfSent(head)
  if (isPlanned && !isOvertaken && !isWithheld(head, engine.settings.policy))
    return sendAll(await resume(engine, lane, platform, installation, head), isStopping)

  const planning = await planWithToken(engine, platform, installation, head)
  if (planning.kind === 'known_dead') return settleBare(engine, lane, head, 'dead', planning.code)
  if (planning.kind === 'fault') return unplaceable(engine, lane, installation, head, planning.fault)
  const { decision, target, patch, parts, leftovers } = planning
  engine.reached('planned')
  engine.emit({
    kind: 'planned',
    deliveryId: head.id,
    runId: head.run.runId,
    platform: platform.name,
    decision: decision.kind,
    why: whyOf(decision),
  })
  const planned: Head = { ...head, ...patchedHead(head, patch), decision, parts }
  const work: Work = { engine, lane, platform, target, head: planned, patch, leftovers, moves: 0 }
  return sendAll(work, isStopping, true)
}

/** Plans, and once more with a fresh token when the platform would not say where the delivery goes for want of one. */
async function planWithToken(
  engine: Engine,
  platform: Platform,
  installation: InstallationFacts,
  head: Head,
): Promise<Planning> {
  const planning = await planDelivery(engine, platform, installation, head)
  if (planning.kind !== 'fault' || planning.fault.kind !== 'token') return planning
  const refreshed = await platform.refreshToken(installation)
  if (refreshed.kind === 'refreshed') return planDelivery(engine, platform, installation, head)
  return { kind: 'fault', fault: ofTokenEndpoint(refreshed) }
}

function patchedHead(head: Head, patch: DeliveryPatch): Partial<Head> {
  return {
    state: 'planned',
    surface: patch.surface ?? head.surface,
    locale: patch.locale ?? head.locale,
    localeFrom: patch.localeFrom ?? head.localeFrom,
    conversationId: patch.conversationId ?? head.conversationId,
    anchor: patch.anchor ?? null,
    inTopic: patch.inTopic ?? false,
    causeKey: patch.causeKey ?? null,
    notes: patch.notes ?? null,
    noticeFinding: patch.noticeFinding ?? null,
  }
}

/** A delivery that another worker planned: the frozen parts stand, nothing is cut again. */
async function resume(
  engine: Engine,
  lane: LaneClaim,
  platform: Platform,
  installation: InstallationFacts,
  head: Head,
): Promise<Work> {
  const earlier = head.run.attempt > 1 ? await engine.ledger.earlierNotice(head) : null
  return workOn(engine, lane, platform, installation, head, leftoversOf(head, earlier))
}

function workOn(
  engine: Engine,
  lane: LaneClaim,
  platform: Platform,
  installation: InstallationFacts,
  head: Head,
  leftovers: readonly string[],
): Work {
  const { id, tenant } = installation
  return {
    engine,
    lane,
    platform,
    head,
    patch: {},
    leftovers,
    moves: 0,
    target: {
      installation: { id, platform: platform.name, tenant },
      workspace: workspaceOf(head.run.conversation, installation),
      conversationId: head.conversationId ?? '',
      anchor: head.anchor,
      inTopic: head.inTopic,
      surface: head.surface ?? 'channel',
    },
  }
}

/** Something of it stands in the chat already: it is finished, not expired. */
function isHalfSent(head: Head): boolean {
  return head.parts.some((part) => part.state !== 'pending' && part.state !== 'failed')
}

async function sendAll(work: Work, isStopping: () => boolean, mustFreeze = false): Promise<Step> {
  if (mustFreeze && work.head.parts.length > 1) {
    const frozen = await save(work, { parts: work.head.parts })
    if (frozen === 'lost') return { kind: 'lost' }
    work.engine.reached('frozen')
  }
  for (;;) {
    const next = work.head.parts.find((part) => part.state !== 'sent')
    if (next === undefined) return finish(work)
    const sent = await sendPart(work, next)
    if (sent.kind !== 'sent') return sent.kind === 'ended' ? sent.step : sent
    if (isStopping() && work.head.parts.some((part) => part.state !== 'sent')) {
      return { kind: 'wait', readyAtMs: work.engine.now() }
    }
  }
}

async function finish(work: Work): Promise<Step> {
  const { decision } = work.head
  const [state, reason]: [EndState, string | null] =
    decision?.kind === 'drop'
      ? [decision.why === 'expired' ? 'expired' : 'dropped', decision.why]
      : ['delivered', null]
  return settle(work, state, reason)
}

/** A run that expired unsaid still leaves its asker a thread without a "working" line. */
async function tidyUnplaced(
  engine: Engine,
  platform: Platform,
  installation: InstallationFacts,
  head: Head,
): Promise<void> {
  const { conversation } = head.run
  const conversationId =
    head.conversationId ?? (conversation.place.kind === 'conversation' ? conversation.place.id : null)
  if (conversationId === null) return
  const anchored = platform.anchorOf(conversation)
  const placed: Head = { ...head, conversationId, ...(head.decision === null ? anchored : {}) }
  await tidy(
    workOn(
      engine,
      { key: '', epoch: 0, installationId: installation.id },
      platform,
      installation,
      placed,
      [],
    ),
  )
}

/** Ends a delivery that has no place to tidy. */
async function settleBare(
  engine: Engine,
  lane: LaneClaim,
  head: Head,
  state: EndState,
  reason: string,
): Promise<Step> {
  const settledAtMs = engine.now()
  const written = await engine.ledger.write(engine.workerId, {
    lane,
    deliveryId: head.id,
    patch: { state, reason, settledAtMs },
    receipt: deliveryReceipt(head, {
      state,
      reason,
      decision: head.decision,
      parts: head.parts,
      settledAtMs,
    }),
    release: { kind: 'if_idle' },
  })
  if (written === 'lost') return { kind: 'lost' }
  engine.reached('settled')
  tellSettled(engine, head, state, reason, settledAtMs)
  return written === 'released' ? { kind: 'released' } : { kind: 'next' }
}

/** The platform would not say where the delivery goes. */
async function unplaceable(
  engine: Engine,
  lane: LaneClaim,
  installation: Target['installation'],
  head: Head,
  fault: Fault,
): Promise<Step> {
  const target = { installation, conversationId: head.run.conversation.place.id }
  const consequence =
    fault.kind === 'token'
      ? await refusedTwice(engine, fault.code, installation.id)
      : await resolveFault(engine, ofQuestion(fault), target, head, 'send')
  if (consequence.kind === 'dead') {
    engine.log.error({ deliveryId: head.id, code: fault.code }, 'a delivery was given up')
    return settleBare(engine, lane, head, 'dead', fault.code)
  }
  const isParked = consequence.kind === 'park' || consequence.isParked
  const tries = head.tries + (consequence.kind === 'wait' && consequence.countsAsTry ? 1 : 0)
  const written = await engine.ledger.write(engine.workerId, {
    lane,
    deliveryId: head.id,
    patch: { state: isParked ? 'parked' : head.state, reason: fault.code, tries },
  })
  if (written === 'lost') return { kind: 'lost' }
  return consequence.kind === 'wait' ? { kind: 'wait', readyAtMs: consequence.readyAtMs } : { kind: 'parked' }
}
