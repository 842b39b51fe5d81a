import { resolveLanguage } from '../locales.js'
import { personOf } from './language.js'
import type { AttemptRecord, InstallationFacts, StoredPart } from './ledger.js'
import { die } from './part-step.js'
import { contextFor } from './plan.js'
import type { Fault } from './platform.js'
import type { CallOutcome } from './settle-call.js'
import { replacePart, save, type Work } from './work.js'

/** A refused rendering goes one rung down; a file falls back to as many parts as it takes. */
export async function simpler(
  work: Work,
  part: StoredPart,
  fault: Extract<Fault, { kind: 'content' }>,
  attempt: AttemptRecord,
): Promise<CallOutcome> {
  const installation = await work.engine.ledger.installation(work.lane.installationId)
  if (fault.final || installation === null) return die(work, part, fault.code, attempt)
  if (part.part.kind === 'file') await work.engine.ledger.noteFilesRefused(installation.id)
  const context = await contextOf(work, installation)
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

/** What this delivery's rendering depends on, as when it was planned. */
export function contextOf(work: Work, installation: InstallationFacts): ReturnType<typeof contextFor> {
  const { words, settings } = work.engine
  const language = resolveLanguage(work.head.locale, words.languages) ?? settings.defaultLanguage
  return contextFor(work.engine, installation, work.head, language)
}

/** Into the topic, out of it, to the conversation: who is sent further than that is sent in a circle. */
const MAX_MOVES = 4

/** The message or thread to answer is gone: the platform's rule says where the answer goes instead, if anywhere. */
export async function otherAnchor(
  work: Work,
  part: StoredPart,
  fault: Extract<Fault, { kind: 'anchor_dead' }>,
  attempt: AttemptRecord,
): Promise<CallOutcome> {
  const { anchor: asked, inTopic } = work.target
  const isStuck =
    fault.fallback === 'none' ||
    (fault.fallback === 'conversation' && asked === null) ||
    (fault.fallback === 'plain_reply' && !inTopic)
  work.moves += 1
  if (isStuck || work.moves > MAX_MOVES) return die(work, part, fault.code, attempt)
  if (fault.fallback === 'conversation' && (await wouldOpenTopic(work))) {
    if (work.target.inTopic) return die(work, part, fault.code, attempt)
    // Asked to stay in the topic, the platform looks for another message of it to answer.
    work.target = { ...work.target, inTopic: true }
    work.patch = { ...work.patch, inTopic: true }
    return movedPart(work, part, attempt)
  }
  const anchor = fault.fallback === 'conversation' ? null : work.target.anchor
  work.target = { ...work.target, anchor, inTopic: false }
  work.patch = { ...work.patch, anchor, inTopic: false }
  return movedPart(work, part, attempt)
}

/** Whether a message without an anchor would start a topic of its own here, away from the question. */
async function wouldOpenTopic(work: Work): Promise<boolean> {
  if (work.head.run.conversation.platform !== 'lark' || work.target.surface === 'direct') return false
  const { installation, workspace, conversationId } = work.target
  const facts = await work.platform.describe(installation, workspace, conversationId)
  return facts.kind === 'facts' ? facts.isTopicGroup : (work.head.conversation?.isTopicGroup ?? false)
}

/**
 * A direct conversation that is gone is opened anew with its one person: ids of direct conversations end with a
 * reinstall or a migration. Null when there is nobody to open it with, or nothing new comes of it.
 */
export async function otherConversation(
  work: Work,
  part: StoredPart,
  attempt: AttemptRecord,
): Promise<CallOutcome | null> {
  const personId = personOf(work.head)
  const { installation, workspace, surface, conversationId } = work.target
  if (surface !== 'direct' || personId === null) return null
  const opened = await work.platform.openDirect(installation, workspace, personId)
  if (opened.kind !== 'facts' || opened.conversationId === conversationId) return null
  await work.engine.ledger.markConversationDead(installation.id, conversationId, attempt.code ?? 'gone')
  await work.engine.ledger.rememberPerson(installation.id, personId, { directId: opened.conversationId })
  work.target = { ...work.target, conversationId: opened.conversationId, anchor: null, inTopic: false }
  work.patch = { ...work.patch, conversationId: opened.conversationId, anchor: null, inTopic: false }
  return movedPart(work, part, attempt)
}

async function movedPart(work: Work, part: StoredPart, attempt: AttemptRecord): Promise<CallOutcome> {
  const replaces = null
  const moved = await rewrite(work, { ...part, replaces, rendering: part.rendering + 1 }, attempt)
  return moved === null ? { kind: 'lost' } : { kind: 'again', part: moved, hasRefreshed: false }
}

/** To be tried again: `pending` when it is known not to stand in the chat, else `unknown`. */
export async function rewrite(
  work: Work,
  part: StoredPart,
  attempt: AttemptRecord,
  state: 'pending' | 'unknown' = 'pending',
): Promise<StoredPart | null> {
  const next: StoredPart = { ...part, state }
  replacePart(work, next)
  return (await save(work, { parts: [next], attempt })) === 'lost' ? null : next
}
