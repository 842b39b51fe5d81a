import { decide } from '../contract/decide.js'
import type { Decision, DropReason } from '../contract/decision.js'
import type { ButtonKind } from '../contract/run.js'
import { type Language, resolveLanguage } from '../locales.js'
import { compose } from '../render/compose.js'
import { renderWords } from '../render/literally.js'
import type { Button, RenderContext } from '../render/message.js'
import type { Part } from '../render/part.js'
import type { Engine } from './engine.js'
import { languageOf } from './language.js'
import type { DeliveryPatch, EarlierDelivery, Head, InstallationFacts, StoredPart } from './ledger.js'
import { findNotice, type NoticeFinding } from './notice.js'
import { placeDelivery } from './place.js'
import type { Fault, Platform, Target } from './platform.js'

/** What a first repeat is counted as: the message it is counted in was the first time. */
const FIRST_REPEAT = 2

/** What one delivery will do: frozen before the first call. `parts` may be empty (a drop). */
export interface DeliveryPlan {
  readonly kind: 'planned'
  readonly target: Target
  readonly decision: Decision
  readonly patch: DeliveryPatch
  readonly parts: readonly StoredPart[]
  /** Earlier messages of this run that nothing replaces; removed when the delivery ends. */
  readonly leftovers: readonly string[]
}

export type Planning =
  | DeliveryPlan
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'known_dead'; readonly code: string }

/** What is settled before a delivery is worded. */
interface Ground {
  readonly engine: Engine
  readonly platform: Platform
  readonly head: Head
  readonly target: Target
  readonly decision: Decision
  readonly causeKey: string | null
  readonly context: RenderContext
  /** Messages of ours that what is shown now replaces, in order. */
  readonly stale: readonly string[]
  readonly patch: (final: Decision) => DeliveryPatch
}

/** Decides, words and cuts one delivery. Calls the platform only to learn where it goes and who reads it. */
export async function planDelivery(
  engine: Engine,
  platform: Platform,
  installation: InstallationFacts,
  head: Head,
): Promise<Planning> {
  const placed = await placeDelivery(engine, platform, installation, head)
  if (placed.kind === 'known_dead') return placed
  if (placed.kind !== 'placed') return { kind: 'fault', fault: placed }
  const { target } = placed
  const noticeFinding = await findNotice(engine.ledger, head)
  const decision = decideFor(engine, head, target, noticeFinding)
  const language = await languageOf(engine, platform, installation, head, target, placed.locale, decision)
  const context = await contextFor(engine, installation, head, language.language)
  const causeKey = causeKeyOf(decision)
  const earlier = head.run.attempt > 1 ? await engine.ledger.earlierNotice(head) : null
  const ground: Ground = {
    engine,
    platform,
    head,
    target,
    decision,
    causeKey,
    context,
    stale: [...placeholderOf(head), ...(earlier?.messageIds ?? [])],
    patch: (final) => ({
      state: 'planned',
      decision: final,
      causeKey,
      surface: target.surface,
      locale: language.language,
      localeFrom: language.from,
      conversationId: target.conversationId,
      anchor: target.anchor,
      inTopic: target.inTopic,
      noticeFinding,
      plannedAtMs: engine.now(),
    }),
  }
  return (await counted(ground)) ?? worded(ground)
}

/** The plan when the same failure was shown a while ago: its notice is counted up instead. */
async function counted(ground: Ground): Promise<DeliveryPlan | null> {
  const repeated = await repeatPlan(ground)
  if (repeated === null) return null
  const replaced = new Set(repeated.parts.map((part) => part.replaces))
  const leftovers = ground.stale.filter((id) => !replaced.has(id))
  const patch = ground.patch(repeated.decision)
  return { kind: 'planned', target: ground.target, leftovers, patch, ...repeated }
}

function worded({ platform, head, target, decision, context, stale, patch }: Ground): DeliveryPlan {
  if (decision.kind === 'drop') {
    const leftovers = head.hasLaterAttempt ? [] : stale
    return { kind: 'planned', target, decision, patch: patch(decision), parts: [], leftovers }
  }
  const message = compose(decision, {
    buttons: buttonsOf(head, decision),
    runUrl: head.run.runUrl,
  })
  if (message === null) throw new TypeError('only a drop has no message')
  const plan = renderWords(platform, message, context)
  const parts = plan.parts.map((part, index) =>
    renewed(head.parts[index], pendingPart(part, index, stale[index] ?? null)),
  )
  return {
    kind: 'planned',
    target,
    decision,
    patch: { ...patch(decision), notes: plan.notes },
    parts,
    leftovers: stale.filter((id) => !parts.some((part) => part.replaces === id)),
  }
}

function decideFor(engine: Engine, head: Head, target: Target, noticeFinding: NoticeFinding): Decision {
  if (noticeFinding !== null && noticeFinding !== 'accepted') {
    engine.log.info(
      { deliveryId: head.id, code: noticeFinding },
      'a claimed completion notice does not count',
    )
  }
  if (head.hasLaterAttempt) return { kind: 'drop', why: 'superseded', silence: null }
  return decide(
    // The row's deadline is the run's own, unless an operator gave it another by a replay.
    head.run.expiresAtMs === null ? head.run : { ...head.run, expiresAtMs: head.expiresAtMs },
    { surface: target.surface, nowMs: engine.now(), noticeAccepted: noticeFinding === 'accepted' },
    engine.settings.policy,
  )
}

/** What rendering depends on besides the message; also needed again when a part is refused. */
export async function contextFor(
  engine: Engine,
  installation: InstallationFacts,
  head: Head,
  language: Language,
): Promise<RenderContext> {
  return {
    words: engine.words,
    language,
    installationLanguage:
      resolveLanguage(installation.locale, engine.words.languages) ?? engine.settings.defaultLanguage,
    mentions: head.run.mentions,
    secrets: await engine.secretsOf(installation.id),
    maxParts: engine.settings.maxParts,
    files: installation.files,
  }
}

/** Same failure, same fingerprint. Partial text is never held back, so a failure with some has none. */
function causeKeyOf(decision: Decision): string | null {
  return decision.kind === 'failure' && decision.partial === null
    ? `${decision.status}.${decision.cause}`
    : null
}

/** A failure shown a moment ago is counted there instead of shown again. */
async function repeatPlan({
  engine,
  platform,
  head,
  decision,
  causeKey,
  context,
}: Ground): Promise<Pick<DeliveryPlan, 'decision' | 'parts'> | null> {
  if (causeKey === null) return null
  const sinceMs = engine.now() - engine.settings.repeatWindowMs
  const shown = await engine.ledger.repeatOf(head, causeKey, sinceMs)
  const first = shown?.messageIds[0]
  if (shown === null || first === undefined || decision.kind === 'drop') return null
  const count = shown.repeatCount + FIRST_REPEAT
  const message = compose(decision, {
    buttons: [],
    repeatCount: count,
    runUrl: head.run.runUrl,
  })
  const [part] = message === null ? [] : platform.render(message, context).parts
  const why: DropReason = 'repeated_failure'
  return {
    decision: { kind: 'drop', why, silence: null },
    parts: part === undefined ? [] : [pendingPart(part, 0, first)],
  }
}

function placeholderOf(head: Head): readonly string[] {
  const message = head.run.acknowledgement?.message ?? null
  return message === null ? [] : [message]
}

function pendingPart(part: Part, index: number, replaces: string | null): StoredPart {
  return {
    index,
    rendering: 0,
    part,
    replaces: part.kind === 'file' ? null : replaces,
    state: 'pending',
    attempt: 0,
    firstAttemptAtMs: null,
    attemptAtMs: null,
    messageId: null,
  }
}

/** A part of a delivery that is planned again is other content under the same number: its attempts count on. */
function renewed(before: StoredPart | undefined, part: StoredPart): StoredPart {
  return before === undefined ? part : { ...part, attempt: before.attempt, rendering: before.rendering + 1 }
}

/** The buttons a run asked for, where they make sense. */
function buttonsOf(head: Head, decision: Decision): readonly Button[] {
  const fits: Readonly<Record<ButtonKind, boolean>> = {
    continue: decision.kind === 'failure' && decision.status === 'truncated',
    retry: decision.kind === 'failure' && decision.status !== 'truncated',
    feedback: decision.kind === 'relay',
  }
  return head.run.buttons.filter((kind) => fits[kind]).map((kind) => ({ kind, value: head.id }))
}

/** Leftovers of a delivery that was planned by an earlier worker are not remembered; its placeholder is. */
export function leftoversOf(head: Head, earlier: EarlierDelivery | null): readonly string[] {
  const replaced = new Set(head.parts.map((part) => part.replaces))
  return [...placeholderOf(head), ...(earlier?.messageIds ?? [])].filter((id) => !replaced.has(id))
}
