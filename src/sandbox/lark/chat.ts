import { answer, type Handler, type LarkAnswer, type Session } from './call.js'
import type { User, World } from './records.js'
import { LarkRefusal } from './refusal.js'
import { p2pChatOf } from './world.js'

/** `GET im/v1/chats/:chat_id` (4.7): what a chat is. It has no language. */
export const getChat: Handler = (world, call, session) => {
  const id = call.params.chat_id ?? ''
  const chat = id.startsWith('oc_') ? world.chats.get(id) : undefined
  if (chat === undefined || chat.tenant !== session.tenant.key) throw new LarkRefusal(232006)
  if (chat.dissolved) throw new LarkRefusal(232009)
  if (!chat.bots.has(session.app.id)) throw new LarkRefusal(232011)
  return {
    name: chat.name,
    description: '',
    owner_id_type: 'open_id',
    chat_mode: chat.mode,
    chat_type: chat.type,
    chat_tag: 'inner',
    group_message_type: chat.messageForm,
    external: chat.external,
    tenant_key: chat.tenant,
    user_count: String(chat.members.size),
    bot_count: String(chat.bots.size),
    chat_status: 'normal',
  }
}

/**
 * `POST im/v1/chat_p2p/batch_query`: the direct chats with some people. Not in the SDK; public projects call it both
 * with tenant and with user tokens. Here a tenant token does, and only chats that exist already are returned.
 */
export const findP2pChats: Handler = (world, call, session) => {
  const { chatter_ids: ids } = call.body
  if (call.query.chatter_id_type !== 'open_id') throw new LarkRefusal(99992402, 'chatter_id_type')
  if (!Array.isArray(ids) || ids.length === 0) throw new LarkRefusal(99992402, 'chatter_ids is required')
  const found = ids.map((id) => userByOpenId(world, String(id), session))
  const chats = found.flatMap((user) =>
    [...world.chats.values()]
      .filter((chat) => chat.mode === 'p2p' && chat.members.has(user.openId) && chat.bots.has(session.app.id))
      .map((chat) => ({ chat_id: chat.id, chatter_id: user.openId })),
  )
  return { p2p_chats: chats }
}

/** `POST chat/v4/p2p/id` (the old API): opens the direct chat with a person and returns its id. */
export const openP2pChat: Handler = (world, call, session) => {
  const { open_id: openId } = call.body
  if (typeof openId !== 'string') throw new LarkRefusal(99992402, 'open_id is required')
  const user = userByOpenId(world, openId, session)
  if (user.resigned) throw new LarkRefusal(230029)
  if (!user.available) throw new LarkRefusal(230013)
  return { chat_id: p2pChatOf(world, user, session.app).id, open_id: openId }
}

/** `GET contact/v3/users/:user_id`: no language field exists (4.4). */
export const getUser: Handler = (world, call, session) => {
  const id = call.params.user_id ?? ''
  const idType = call.query.user_id_type ?? 'open_id'
  const user = userByAnyId(world, idType, id)
  if (user === null || user.tenant !== session.tenant.key)
    throw new LarkRefusal(99992351, `Invalid ids: [${id}]`)
  if (!user.available) throw new LarkRefusal(41050)
  return {
    user: {
      open_id: user.openId,
      union_id: user.unionId,
      user_id: user.userId,
      name: user.name,
      en_name: '',
      status: {
        is_frozen: false,
        is_resigned: user.resigned,
        is_activated: true,
        is_exited: false,
        is_unjoin: false,
      },
    },
  }
}

/** `GET bot/v3/info`: answers with `bot` beside `code`, unlike the rest of the platform. */
export function botInfo(session: Session): LarkAnswer {
  const { app } = session
  return answer({
    code: 0,
    msg: 'ok',
    bot: {
      activate_status: app.botEnabled ? 2 : 0,
      app_name: app.name,
      avatar_url: '',
      open_id: app.botOpenId,
    },
  })
}

function userByOpenId(world: World, openId: string, session: Session): User {
  const user = openId.startsWith('ou_') ? world.users.get(openId) : undefined
  if (user === undefined) throw new LarkRefusal(99992351, `Invalid ids: [${openId}]`)
  if (user.tenant !== session.tenant.key) throw new LarkRefusal(230038)
  return user
}

function userByAnyId(world: World, idType: string, id: string): User | null {
  for (const user of world.users.values()) {
    const candidate = idType === 'open_id' ? user.openId : idType === 'union_id' ? user.unionId : user.userId
    if (candidate === id) return user
  }
  return null
}
