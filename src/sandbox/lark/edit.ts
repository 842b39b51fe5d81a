import type { Handler } from './call.js'
import { checkContent, checkTyped } from './content.js'
import { stringOf } from './json.js'
import { LarkRefusal } from './refusal.js'
import { findMessage, isOwn } from './scope.js'
import { messageView } from './view.js'

/** Platform notes 4.6: a text or post may be edited 20 times, a card for 14 days. */
const MAX_EDITS = 20
const CARD_LIFE_MS = 14 * 86_400_000

/** `PUT im/v1/messages/:message_id`: a new text or post in place of the old one. */
export const editMessage: Handler = (world, call, session) => {
  const { message } = findMessage(world, call, session)
  if (message.recalled) throw new LarkRefusal(230011)
  if (!isOwn(message, session)) throw new LarkRefusal(230071)
  const isEditable = message.type === 'text' || message.type === 'post'
  if (!isEditable) throw new LarkRefusal(230054)
  const { type, content } = checkContent(world, call, session.app)
  if (type !== 'text' && type !== 'post') throw new LarkRefusal(230001, 'only text and post can be edited')
  if (type !== message.type) throw new LarkRefusal(230001, 'msg_type differs from the message')
  if (message.edits >= MAX_EDITS) throw new LarkRefusal(230072)
  message.content = content
  message.edits += 1
  message.updatedAtMs = world.now()
  return messageView(world, message)
}

/** `PATCH im/v1/messages/:message_id`: a new card in place of the old one. */
export const patchCard: Handler = (world, call, session) => {
  const { message } = findMessage(world, call, session)
  if (message.recalled) throw new LarkRefusal(230011)
  if (message.type !== 'interactive') throw new LarkRefusal(230001, 'This message is NOT a card.')
  if (!isOwn(message, session)) throw new LarkRefusal(230017)
  if (world.now() - message.createdAtMs > CARD_LIFE_MS) throw new LarkRefusal(230031)
  const content = stringOf(call.body, 'content')
  if (content === null) throw new LarkRefusal(99992402, 'content must be a JSON string')
  checkTyped(world, { type: 'interactive', content, bodyBytes: call.bodyBytes, app: session.app })
  message.content = content
  message.edits += 1
  message.updatedAtMs = world.now()
  return {}
}

/** `DELETE im/v1/messages/:message_id`: recalls one of our own. */
export const recallMessage: Handler = (world, call, session) => {
  const { message } = findMessage(world, call, session)
  if (!isOwn(message, session)) throw new LarkRefusal(230026)
  if (message.recalled) throw new LarkRefusal(230011)
  message.recalled = true
  message.updatedAtMs = world.now()
  return {}
}
