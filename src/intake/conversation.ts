import type { Conversation } from '../contract/run.js'
import type { WireConversation } from './schema.js'

/** Our conversation from the wire's. */
export function conversationOf(wire: WireConversation): Conversation {
  const surface = wire.kind ?? null
  if (wire.platform === 'slack') {
    return {
      platform: 'slack',
      workspace: wire.workspace ?? null,
      place: placeOf(wire.channel, wire.user),
      thread: wire.thread ?? null,
      surface,
    }
  }
  return {
    platform: 'lark',
    tenant: wire.tenant ?? null,
    place: placeOf(wire.chat, wire.openId),
    replyTo: wire.replyTo ?? null,
    thread: wire.thread ?? null,
    surface,
  }
}

function placeOf(conversation: string | undefined, person: string | undefined): Conversation['place'] {
  if (conversation !== undefined) return { kind: 'conversation', id: conversation }
  if (person !== undefined) return { kind: 'person', id: person }
  throw new TypeError('the schema lets no conversation through without a place')
}
