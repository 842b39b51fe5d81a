import type { LarkConversation } from '../../contract/run.js'

/** What a Lark id names. The prefix says it; a topic id is not a message id and cannot be answered. */
export type LarkIdKind = 'chat' | 'message' | 'topic' | 'person' | 'tenant'

interface Shape {
  readonly pattern: RegExp
  readonly expected: string
}

/**
 * Shapes of the ids Lark hands out. The part after the prefix is opaque (live: 32 hex digits or more).
 * Source: open.feishu.cn, server-docs/im-v1/message/create and server-docs/im-v1/message/reply (2026-04).
 */
const SHAPES: Readonly<Record<LarkIdKind, Shape>> = {
  chat: {
    pattern: /^oc_[A-Za-z0-9_-]{1,125}$/,
    expected: 'a Lark chat id: oc_ and 1-125 letters, digits, _ or -',
  },
  message: {
    pattern: /^om_[A-Za-z0-9_-]{1,125}$/,
    expected: 'a Lark message id: om_ and 1-125 letters, digits, _ or -',
  },
  topic: {
    pattern: /^omt_[A-Za-z0-9_-]{1,124}$/,
    expected: 'a Lark topic id: omt_ and 1-124 letters, digits, _ or -',
  },
  person: {
    pattern: /^ou_[A-Za-z0-9_-]{1,125}$/,
    expected: 'a Lark open id: ou_ and 1-125 letters, digits, _ or -',
  },
  tenant: {
    pattern: /^[A-Za-z0-9_-]{1,64}$/,
    expected: 'a Lark tenant key: 1-64 letters, digits, _ or -',
  },
}

const KIND_OF_PREFIX: readonly (readonly [string, string])[] = [
  ['oc_', 'a chat id'],
  ['omt_', 'a topic id'],
  ['om_', 'a message id'],
  ['ou_', 'an open id'],
  ['on_', 'a union id'],
  ['cli_', 'an app id'],
]

/** One field of an address that cannot be what it says. `problem` never repeats the value. */
export interface AddressProblem {
  /** As the producer wrote it: `chat`, `openId`, `replyTo`, `thread`, `tenant`. */
  readonly field: string
  readonly problem: string
}

/** True when `raw` has the shape of that id. Ids go into request paths unescaped, so nothing else may pass. */
export function isLarkId(kind: LarkIdKind, raw: string): boolean {
  return SHAPES[kind].pattern.test(raw)
}

/** What is wrong with an id in `field`, or null. Says what was expected and which other id it looks like. */
export function larkIdProblem(field: string, kind: LarkIdKind, raw: string): AddressProblem | null {
  if (isLarkId(kind, raw)) return null
  const other = KIND_OF_PREFIX.find(([prefix]) => raw.startsWith(prefix))
  const seen =
    other !== undefined && !SHAPES[kind].expected.includes(`${other[0]} and`) ? `, got ${other[1]}` : ''
  return { field, problem: `expected ${SHAPES[kind].expected}${seen}` }
}

/** Every id of a Lark conversation that has the wrong shape, in the order a producer writes them. */
export function larkAddressProblems(conversation: LarkConversation): readonly AddressProblem[] {
  const { place, replyTo, thread, tenant } = conversation
  return [
    tenant === null ? null : larkIdProblem('tenant', 'tenant', tenant),
    place.kind === 'conversation'
      ? larkIdProblem('chat', 'chat', place.id)
      : larkIdProblem('openId', 'person', place.id),
    replyTo === null ? null : larkIdProblem('replyTo', 'message', replyTo),
    thread === null ? null : larkIdProblem('thread', 'topic', thread),
  ].filter((problem) => problem !== null)
}

/** Where an answer hangs: a message to answer, or a topic when the producer named no message in it. */
export interface LarkAnchor {
  readonly anchor: string | null
  readonly inTopic: boolean
}

/**
 * The anchor of a run's conversation. A topic id stands in only when no message was named; `send` then answers a
 * living message of the topic, because Lark refuses a topic id as a reply target (99992354).
 */
export function anchorOfLark(conversation: LarkConversation): LarkAnchor {
  return { anchor: conversation.replyTo ?? conversation.thread, inTopic: conversation.thread !== null }
}
