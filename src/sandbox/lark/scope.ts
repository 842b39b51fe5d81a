import type { LarkCall, Session } from './call.js'
import type { Chat, Message, World } from './records.js'
import { LarkRefusal } from './refusal.js'

/**
 * The message a path names, with its chat, if the caller may see it.
 *
 * @throws {LarkRefusal} 99992354 bad or foreign id, 232009 dissolved chat, 230002 bot not in the chat
 */
export function findMessage(
  world: World,
  call: LarkCall,
  session: Session,
): { message: Message; chat: Chat } {
  const id = call.params.message_id ?? ''
  const message = id.startsWith('om_') ? world.messages.get(id) : undefined
  const chat = message === undefined ? undefined : world.chats.get(message.chatId)
  if (message === undefined || chat === undefined || chat.tenant !== session.tenant.key) {
    throw new LarkRefusal(99992354, `Invalid ids: [${id}]`)
  }
  if (chat.dissolved) throw new LarkRefusal(232009)
  if (!chat.bots.has(session.app.id)) throw new LarkRefusal(230002)
  return { message, chat }
}

export function isOwn(message: Message, session: Session): boolean {
  return message.sender.kind === 'app' && message.sender.id === session.app.id
}
