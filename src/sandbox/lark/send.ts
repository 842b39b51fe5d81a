import type { Handler, LarkCall, Session } from './call.js'
import { checkContent } from './content.js'
import { type JsonObject, stringOf } from './json.js'
import type { Pace } from './pace.js'
import type { Chat, Message, User, World } from './records.js'
import { LarkRefusal } from './refusal.js'
import { findMessage } from './scope.js'
import { messageView } from './view.js'
import { addMessage, opensTopics, p2pChatOf } from './world.js'

/** Platform notes 4.1: a `uuid` has at most 50 characters and is remembered for one hour. */
const MAX_UUID_CHARS = 50
const UUID_LIFE_MS = 3_600_000

/** Between taking a send and storing it. Lets a test hold a call while its twin arrives. */
export type BeforeCommit = (call: LarkCall) => Promise<void>

interface SendOptions {
  readonly pace: Pace
  readonly beforeCommit: BeforeCommit
}

/** `POST im/v1/messages` (4.1). In a topic group it opens a topic (4.7). */
export function createHandler(options: SendOptions): Handler {
  return async (world, call, session) => {
    const chat = receiverOf(world, call, session)
    return send(world, call, session, chat, null, options)
  }
}

/** `POST im/v1/messages/:message_id/reply` (4.1, 4.7). */
export function replyHandler(options: SendOptions): Handler {
  return async (world, call, session) => {
    const parent = findMessage(world, call, session)
    if (parent.message.threadId !== null && world.deadTopics.has(parent.message.threadId))
      throw new LarkRefusal(230019)
    if (parent.message.recalled) throw new LarkRefusal(230011)
    const inThread = call.body.reply_in_thread
    if (inThread !== undefined && typeof inThread !== 'boolean')
      throw new LarkRefusal(99992402, 'reply_in_thread')
    if (inThread === true && !parent.chat.threadReplies) throw new LarkRefusal(230071)
    if (inThread === true && parent.message.type === 'system') throw new LarkRefusal(230072)
    return send(world, call, session, parent.chat, parent.message, options)
  }
}

async function send(
  world: World,
  call: LarkCall,
  session: Session,
  chat: Chat,
  parent: Message | null,
  options: SendOptions,
): Promise<JsonObject> {
  const { type, content } = checkContent(world, call, session.app)
  mayPost(chat, session, type)
  const key = uuidKey(call, session)
  const known = key === null ? undefined : world.uuids.get(key)
  if (known !== undefined && world.now() - known.atMs < UUID_LIFE_MS) return original(world, known.messageId)
  if (key !== null && world.sending.has(key)) throw new LarkRefusal(230049)
  options.pace.send(chat.id)
  if (key !== null) world.sending.add(key)
  try {
    await options.beforeCommit(call)
    const message = addMessage(world, {
      id: world.newId('om_'),
      chatId: chat.id,
      sender: { kind: 'app', id: session.app.id },
      type,
      content,
      rootId: parent === null ? null : (parent.rootId ?? parent.id),
      parentId: parent?.id ?? null,
      threadId: threadFor(world, call, chat, parent),
      uuid: stringOf(call.body, 'uuid'),
    })
    if (key !== null) world.uuids.set(key, { messageId: message.id, atMs: world.now() })
    return messageView(world, message)
  } finally {
    if (key !== null) world.sending.delete(key)
  }
}

/** The same uuid again: the message already made, even when it was recalled meanwhile (4.1). */
function original(world: World, messageId: string): JsonObject {
  const message = world.messages.get(messageId)
  if (message === undefined) throw new LarkRefusal(230110)
  return messageView(world, message)
}

/** Whether create and reply share uuids is not documented; here they do not (4.1). */
function uuidKey(call: LarkCall, session: Session): string | null {
  const { uuid } = call.body
  if (uuid === undefined || uuid === '') return null
  if (typeof uuid !== 'string' || uuid.length > MAX_UUID_CHARS)
    throw new LarkRefusal(99992402, 'uuid: max length is 50')
  return `${session.app.id} ${session.tenant.key} ${call.name} ${uuid}`
}

function threadFor(world: World, call: LarkCall, chat: Chat, parent: Message | null): string | null {
  if (parent === null) return opensTopics(chat) ? world.newId('omt_') : null
  if (parent.threadId === null && call.body.reply_in_thread === true) parent.threadId = world.newId('omt_')
  return parent.threadId
}

function mayPost(chat: Chat, session: Session, type: string): void {
  if (chat.dissolved) throw new LarkRefusal(232009)
  if (!session.app.botEnabled) throw new LarkRefusal(230006)
  if (!chat.bots.has(session.app.id)) throw new LarkRefusal(230002)
  if (chat.muted) throw new LarkRefusal(230035)
  if (chat.refusesTypes.has(type)) throw new LarkRefusal(230054)
}

function receiverOf(world: World, call: LarkCall, session: Session): Chat {
  const receiver = stringOf(call.body, 'receive_id')
  if (receiver === null || receiver === '') throw new LarkRefusal(99992402, 'receive_id is required')
  const kind = call.query.receive_id_type
  if (kind === 'chat_id') return chatReceiver(world, receiver, session)
  return p2pChatOf(world, personReceiver(world, kind, receiver, session), session.app)
}

function chatReceiver(world: World, receiver: string, session: Session): Chat {
  if (!receiver.startsWith('oc_')) throw new LarkRefusal(230001, 'invalid receive_id')
  const chat = world.chats.get(receiver)
  if (chat === undefined || chat.tenant !== session.tenant.key) throw new LarkRefusal(230034)
  for (const member of chat.mode === 'p2p' ? chat.members : []) {
    const user = world.users.get(member)
    if (user !== undefined) mayReach(user)
  }
  return chat
}

function personReceiver(world: World, kind: string | undefined, receiver: string, session: Session): User {
  const field = PERSON_FIELDS.get(kind ?? '')
  if (field === undefined) throw new LarkRefusal(99992402, 'receive_id_type is required')
  if (field === 'openId' && !receiver.startsWith('ou_'))
    throw new LarkRefusal(99992351, `Invalid ids: [${receiver}]`)
  for (const user of world.users.values()) {
    if (user[field] !== receiver) continue
    if (user.tenant !== session.tenant.key) throw new LarkRefusal(230038)
    mayReach(user)
    return user
  }
  if (field === 'openId') throw new LarkRefusal(99992351, `Invalid ids: [${receiver}]`)
  throw new LarkRefusal(230034)
}

const PERSON_FIELDS: ReadonlyMap<string, 'openId' | 'userId' | 'unionId' | 'email'> = new Map([
  ['open_id', 'openId'],
  ['user_id', 'userId'],
  ['union_id', 'unionId'],
  ['email', 'email'],
])

function mayReach(user: User): void {
  if (user.resigned) throw new LarkRefusal(230029)
  if (!user.available) throw new LarkRefusal(230013)
  if (user.stoppedBot) throw new LarkRefusal(230053)
}
