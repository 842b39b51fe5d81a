import { createHash, randomUUID } from 'node:crypto'
import type { App, Chat, Message, User, World } from './records.js'
import type { LarkChatSeed, LarkSeed, LarkUserSeed } from './seed.js'

/** @param clock milliseconds since the Unix epoch */
export function createWorld(seed: LarkSeed, clock: () => number): World {
  const world = emptyWorld(clock)
  fillOrganisation(world, seed)
  for (const user of seed.users ?? []) addUser(world, user)
  for (const chat of seed.chats ?? []) addChat(world, chat)
  for (const message of seed.messages ?? []) {
    addMessage(world, {
      id: message.id,
      chatId: message.chat,
      sender: { kind: 'user', id: message.from },
      type: 'text',
      content: JSON.stringify({ text: message.text }),
      rootId: message.root ?? null,
      parentId: message.root ?? null,
      threadId: message.thread ?? null,
      uuid: null,
    })
  }
  return world
}

function emptyWorld(clock: () => number): World {
  let made = 0
  return {
    apps: new Map(),
    tenants: new Map(),
    users: new Map(),
    chats: new Map(),
    messages: new Map(),
    byChat: new Map(),
    files: new Map(),
    tokens: new Map(),
    appAccessTokens: new Map(),
    deadTopics: new Set(),
    uuids: new Map(),
    sending: new Set(),
    now: clock,
    newId: (prefix) => {
      made += 1
      return `${prefix}${createHash('sha256').update(`${prefix}${made}`).digest('hex').slice(0, 32)}`
    },
  }
}

function fillOrganisation(world: World, seed: LarkSeed): void {
  const firstTenant = seed.tenants[0]?.key ?? 'tenant'
  for (const tenant of seed.tenants) {
    world.tenants.set(tenant.key, {
      key: tenant.key,
      name: tenant.name,
      apps: new Set(tenant.apps ?? []),
      deleted: false,
      monthlyCalls: tenant.monthlyCalls ?? null,
    })
  }
  for (const app of seed.apps) {
    const ownerTenant = app.tenant ?? firstTenant
    const kind = app.kind ?? 'internal'
    world.apps.set(app.appId, {
      id: app.appId,
      secret: app.appSecret,
      name: app.name,
      kind,
      ownerTenant,
      botOpenId: app.botOpenId ?? world.newId('ou_'),
      scopes: app.scopes === undefined ? null : new Set(app.scopes),
      enabled: true,
      botEnabled: true,
      ticket: null,
    })
    if (kind === 'internal') world.tenants.get(ownerTenant)?.apps.add(app.appId)
  }
}

export function addUser(world: World, seed: LarkUserSeed): User {
  const user: User = {
    tenant: seed.tenant ?? firstTenantOf(world),
    openId: seed.openId,
    userId: seed.userId ?? `user_${seed.openId.slice(3)}`,
    unionId: seed.unionId ?? `on_${seed.openId.slice(3)}`,
    email: seed.email ?? `${seed.openId}@example.com`,
    name: seed.name,
    available: seed.available ?? true,
    resigned: seed.resigned ?? false,
    stoppedBot: seed.stoppedBot ?? false,
  }
  world.users.set(user.openId, user)
  return user
}

export function addChat(world: World, seed: LarkChatSeed): Chat {
  const tenant = seed.tenant ?? firstTenantOf(world)
  const chat: Chat = {
    id: seed.id,
    tenant,
    name: seed.name,
    mode: seed.mode,
    type: seed.type ?? 'private',
    messageForm: seed.messageForm ?? 'chat',
    members: new Set(seed.members ?? []),
    bots: new Set(seed.bots ?? world.tenants.get(tenant)?.apps ?? []),
    external: seed.external ?? false,
    refusesTypes: new Set(seed.refusesTypes ?? []),
    threadReplies: seed.threadReplies ?? true,
    dissolved: false,
    muted: false,
  }
  world.chats.set(chat.id, chat)
  world.byChat.set(chat.id, world.byChat.get(chat.id) ?? [])
  return chat
}

type NewMessage = Pick<
  Message,
  'id' | 'chatId' | 'sender' | 'type' | 'content' | 'rootId' | 'parentId' | 'threadId' | 'uuid'
>

export function addMessage(world: World, fields: NewMessage): Message {
  const inChat = world.byChat.get(fields.chatId) ?? []
  const createdAtMs = world.now()
  const message: Message = {
    ...fields,
    createdAtMs,
    position: inChat.length,
    updatedAtMs: createdAtMs,
    edits: 0,
    recalled: false,
    reactions: new Map(),
  }
  inChat.push(message)
  world.byChat.set(fields.chatId, inChat)
  world.messages.set(message.id, message)
  return message
}

/** The direct chat of a person and a bot, opened when there is none yet. */
export function p2pChatOf(world: World, user: User, app: App): Chat {
  for (const chat of world.chats.values()) {
    if (chat.mode === 'p2p' && chat.members.has(user.openId) && chat.bots.has(app.id)) return chat
  }
  return addChat(world, {
    id: world.newId('oc_'),
    name: '',
    mode: 'p2p',
    tenant: user.tenant,
    members: [user.openId],
    bots: [app.id],
  })
}

/** Topic groups, and groups whose messages are all topics: a create opens a topic there. */
export function opensTopics(chat: Chat): boolean {
  return chat.mode === 'topic' || chat.messageForm === 'thread'
}

/** The id Lark's support asks for; a new one for every call. */
export function newLogId(): string {
  return randomUUID().replaceAll('-', '').toUpperCase()
}

function firstTenantOf(world: World): string {
  const [first] = world.tenants.keys()
  if (first === undefined) throw new RangeError('a Lark server needs at least one tenant')
  return first
}
