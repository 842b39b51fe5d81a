import { isObject, type JsonObject, parseJson, stringOf } from './json.js'
import type { Message, World } from './records.js'

/** What older clients and plain reads show instead of a 2.0 card. */
const UPGRADE_TEXT = '请升级至最新版本客户端，以查看内容'

/** How a caller wants cards: `user` is the card as sent, otherwise the shortened old form (4.7). */
export type CardForm = 'short' | 'user' | 'raw'

export function cardFormOf(query: Readonly<Record<string, string>>): CardForm {
  if (query.card_msg_content_type === 'user_card_content') return 'user'
  return query.card_msg_content_type === 'raw_card_content' ? 'raw' : 'short'
}

/** A message as create, reply, get and list return it. Content is rewritten on the way out, as the platform does. */
export function messageView(world: World, message: Message, form: CardForm = 'short'): JsonObject {
  const chat = world.chats.get(message.chatId)
  const optional: Record<string, string> = {}
  if (message.rootId !== null) optional.root_id = message.rootId
  if (message.parentId !== null) optional.parent_id = message.parentId
  if (message.threadId !== null) optional.thread_id = message.threadId
  return {
    message_id: message.id,
    ...optional,
    msg_type: message.type,
    create_time: String(message.createdAtMs),
    update_time: String(message.updatedAtMs),
    deleted: message.recalled,
    updated: message.edits > 0,
    chat_id: message.chatId,
    sender: {
      id: message.sender.id,
      id_type: message.sender.kind === 'app' ? 'app_id' : 'open_id',
      sender_type: message.sender.kind,
      tenant_key: chat?.tenant ?? '',
    },
    body: { content: message.recalled ? 'This message was recalled' : readBack(message, form) },
  }
}

function readBack(message: Message, form: CardForm): string {
  const content = parseJson(message.content)
  if (!isObject(content)) return message.content
  if (message.type === 'interactive') return cardBack(message.content, content, form)
  if (message.type === 'post') return JSON.stringify(postBack(content))
  return message.content
}

/** 2.0 cards are not shown by a plain read; only `card_msg_content_type` gives them back. */
function cardBack(source: string, card: JsonObject, form: CardForm): string {
  if (form === 'user') return JSON.stringify({ user_dsl: source })
  if (form === 'raw') return JSON.stringify({ json_card: source, json_attachment: '{}', card_schema: 2 })
  const header = isObject(card.header) ? card.header : {}
  const title = isObject(header.title) ? stringOf(header.title, 'content') : null
  return JSON.stringify({ title, elements: [[{ tag: 'text', text: UPGRADE_TEXT }]] })
}

/** One language, `md` rewritten to plain nodes (4.6). */
function postBack(content: JsonObject): JsonObject {
  const chosen = content.zh_cn ?? content.en_us ?? Object.values(content)[0]
  if (!isObject(chosen) || !Array.isArray(chosen.content)) return { title: '', content: [] }
  const rows = chosen.content.map((row) => (Array.isArray(row) ? row.map(nodeBack) : []))
  return { title: stringOf(chosen, 'title') ?? '', content: rows }
}

function nodeBack(node: unknown): unknown {
  if (!isObject(node) || node.tag !== 'md') return node
  return { tag: 'text', text: (stringOf(node, 'text') ?? '').replace(/\*\*|__|~~|`/g, ''), style: [] }
}
