import type { Conversation } from '../contract/run.js'
import type { Engine } from './engine.js'
import { personOf } from './language.js'
import type { ConversationMemory, Head } from './ledger.js'
import type { ConversationFacts, Fault, InstallationRef, Platform, Target } from './platform.js'

/** How long what a platform said of a conversation is believed, in ms. Events correct it sooner. */
const FACTS_TTL_MS = 24 * 3_600_000

/** How long a dead conversation is not tried again, in ms. */
const DEAD_COOL_DOWN_MS = 24 * 3_600_000

/** Where a delivery goes, or why it cannot. `known_dead`: it was refused a while ago and is not asked again yet. */
export type Placed =
  | {
      readonly kind: 'placed'
      readonly target: Target
      readonly isTopicGroup: boolean
      readonly locale: string | null
    }
  | { readonly kind: 'known_dead'; readonly code: string }
  | Fault

/** The workspace or tenant a call acts in: the run's own word, else the installation's. */
export function workspaceOf(conversation: Conversation, installation: InstallationRef): string {
  const named = conversation.platform === 'slack' ? conversation.workspace : conversation.tenant
  return named ?? installation.tenant
}

/** Whom to ask, about which run. */
interface Asking {
  readonly engine: Engine
  readonly platform: Platform
  readonly installation: InstallationRef
  readonly workspace: string
  readonly head: Head
}

/**
 * Finds the conversation of a run: opens the direct one when a person is named, asks what it is when neither the run
 * nor our memory knows. Asks the platform at most once, and remembers.
 */
export async function placeDelivery(
  engine: Engine,
  platform: Platform,
  installation: InstallationRef,
  head: Head,
): Promise<Placed> {
  const { conversation } = head.run
  const workspace = workspaceOf(conversation, installation)
  const asking: Asking = { engine, platform, installation, workspace, head }
  const memory = fresh(head.conversation, engine.now())
  if (memory?.state === 'dead') return placeOfDead(asking, memory)
  if (conversation.place.kind === 'person') {
    const opened = await openDirect(asking, conversation.place.id)
    return opened.kind === 'facts' ? placedIn(asking, { ...opened, surface: 'direct' }) : opened
  }
  const { id } = conversation.place
  const surface = conversation.surface ?? memory?.surface ?? null
  if (surface !== null) {
    const { isTopicGroup = false, locale = null } = memory ?? {}
    return placedIn(asking, { conversationId: id, surface, isTopicGroup, locale })
  }
  const facts = await platform.describe(installation, workspace, id)
  if (facts.kind !== 'facts') return facts
  await remember(engine, installation, facts)
  return placedIn(asking, { ...facts, conversationId: id })
}

/** A direct conversation that was given up may have another one in its place, which is opened by its person. */
async function placeOfDead(asking: Asking, memory: ConversationMemory): Promise<Placed> {
  const { head } = asking
  const { place, surface } = head.run.conversation
  const personId = (surface ?? memory.surface) === 'direct' ? personOf(head) : null
  if (place.kind === 'person' || personId === null) return knownDead(memory)
  const opened = await openDirect(asking, personId)
  if (opened.kind !== 'facts' || opened.conversationId === place.id) return knownDead(memory)
  const { conversationId } = opened
  const placed = placedIn(asking, { conversationId, surface: 'direct', isTopicGroup: false, locale: null })
  return { ...placed, target: { ...placed.target, anchor: null, inTopic: false } }
}

function placedIn(
  { platform, installation, workspace, head }: Asking,
  {
    conversationId,
    surface,
    isTopicGroup,
    locale,
  }: Pick<Target, 'conversationId' | 'surface'> & Pick<ConversationMemory, 'isTopicGroup' | 'locale'>,
): Extract<Placed, { kind: 'placed' }> {
  const anchored = platform.anchorOf(head.run.conversation)
  return {
    kind: 'placed',
    target: { installation, workspace, conversationId, surface, ...anchored },
    isTopicGroup,
    locale,
  }
}

function knownDead(memory: ConversationMemory): Placed {
  return { kind: 'known_dead', code: memory.stateCode ?? 'conversation_dead' }
}

function fresh(memory: ConversationMemory | null, nowMs: number): ConversationMemory | null {
  if (memory === null) return null
  const ageMs = nowMs - memory.checkedAtMs
  return ageMs < (memory.state === 'dead' ? DEAD_COOL_DOWN_MS : FACTS_TTL_MS) ? memory : null
}

async function openDirect(
  { engine, platform, installation, workspace }: Asking,
  personId: string,
): Promise<ConversationFacts | Fault> {
  const known = await engine.ledger.person(installation.id, personId)
  if (known?.directId != null) return directFacts(known.directId, known.locale)
  const opened = await platform.openDirect(installation, workspace, personId)
  if (opened.kind === 'facts') {
    await engine.ledger.rememberPerson(installation.id, personId, { directId: opened.conversationId })
  }
  return opened
}

function directFacts(conversationId: string, locale: string | null): ConversationFacts {
  return {
    kind: 'facts',
    conversationId,
    surface: 'direct',
    isMember: true,
    isArchived: false,
    isTopicGroup: false,
    name: null,
    locale,
  }
}

async function remember(
  engine: Engine,
  installation: InstallationRef,
  facts: ConversationFacts,
): Promise<void> {
  await engine.ledger.rememberConversation(installation.id, facts.conversationId, {
    surface: facts.surface,
    isTopicGroup: facts.isTopicGroup,
    isMember: facts.isMember,
    isArchived: facts.isArchived,
    name: facts.name,
    locale: facts.locale,
    state: 'open',
    stateCode: null,
    checkedAtMs: engine.now(),
  })
}
