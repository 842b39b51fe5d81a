import { PLACE_IDS } from '../../contract/place-ids.js'
import type { LarkConversation } from '../../contract/run.js'

/** What a Lark id names. The prefix says it; a topic id is not a message id and cannot be answered. */
export type LarkIdKind = keyof typeof PLACE_IDS.lark

/** True when `raw` has the shape of that id. Ids go into request paths unescaped, so nothing else may pass. */
export function isLarkId(kind: LarkIdKind, raw: string): boolean {
  return PLACE_IDS.lark[kind].pattern.test(raw)
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
