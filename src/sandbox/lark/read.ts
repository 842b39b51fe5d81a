import type { Handler, LarkCall, Session } from './call.js'
import type { Message, World } from './records.js'
import { LarkRefusal } from './refusal.js'
import { findMessage } from './scope.js'
import { cardFormOf, messageView } from './view.js'

/** `GET im/v1/messages/:message_id`. */
export const getMessage: Handler = (world, call, session) => {
  const { message } = findMessage(world, call, session)
  return { items: [messageView(world, message, cardFormOf(call.query))] }
}

/** `GET im/v1/messages` (4.7): times in SECONDS, at most 50 a page; a thread takes no time range. */
export const listMessages: Handler = (world, call, session) => {
  const messages = container(world, call, session)
  const sort = call.query.sort_type ?? 'ByCreateTimeAsc'
  if (sort !== 'ByCreateTimeAsc' && sort !== 'ByCreateTimeDesc') throw new LarkRefusal(99992402, 'sort_type')
  const ordered = sort === 'ByCreateTimeAsc' ? messages : messages.toReversed()
  const pageSize = wholeNumber(call.query.page_size ?? '20', 'page_size')
  if (pageSize < 1 || pageSize > 50) throw new LarkRefusal(99992402, 'page_size must be 1-50')
  const offset = pageOffset(call.query.page_token)
  const page = ordered.slice(offset, offset + pageSize)
  const hasMore = offset + pageSize < ordered.length
  return {
    has_more: hasMore,
    page_token: hasMore ? Buffer.from(String(offset + pageSize)).toString('base64url') : '',
    items: page.map((message) => messageView(world, message, cardFormOf(call.query))),
  }
}

function container(world: World, call: LarkCall, session: Session): readonly Message[] {
  const { container_id_type: kind, container_id: id = '' } = call.query
  if (kind === 'thread') {
    const inTopic = [...world.messages.values()].filter((message) => message.threadId === id)
    const [first] = inTopic
    if (!id.startsWith('omt_') || first === undefined) throw new LarkRefusal(230001, 'invalid container_id')
    checkReadable(world, first.chatId, session)
    return inTopic
  }
  if (kind !== 'chat') throw new LarkRefusal(99992402, 'container_id_type is required')
  checkReadable(world, id, session)
  const start = call.query.start_time === undefined ? 0 : seconds(call.query.start_time, 'start_time')
  const end = call.query.end_time === undefined ? Infinity : seconds(call.query.end_time, 'end_time')
  return (world.byChat.get(id) ?? []).filter((message) => {
    const atSeconds = Math.floor(message.createdAtMs / 1000)
    return atSeconds >= start && atSeconds <= end && isListed(message)
  })
}

/** A chat lists the first message of a topic, not the answers inside it. */
function isListed(message: Message): boolean {
  return message.threadId === null || message.rootId === null
}

function checkReadable(world: World, chatId: string, session: Session): void {
  const chat = chatId.startsWith('oc_') ? world.chats.get(chatId) : undefined
  if (chat === undefined || chat.tenant !== session.tenant.key)
    throw new LarkRefusal(230001, 'invalid container_id')
  if (chat.dissolved) throw new LarkRefusal(232009)
  if (!chat.bots.has(session.app.id)) throw new LarkRefusal(230002)
}

/** Milliseconds here are the classic mistake: they are refused rather than read as a far future. */
function seconds(text: string, field: string): number {
  const value = wholeNumber(text, field)
  if (value > 99_999_999_999) throw new LarkRefusal(230001, `${field} must be in seconds`)
  return value
}

function wholeNumber(text: string, field: string): number {
  if (!/^\d+$/.test(text)) throw new LarkRefusal(99992402, `${field} is not a number`)
  return Number(text)
}

function pageOffset(token: string | undefined): number {
  if (token === undefined || token === '') return 0
  const text = Buffer.from(token, 'base64url').toString()
  if (!/^\d+$/.test(text)) throw new LarkRefusal(230001, 'invalid page_token')
  return Number(text)
}
