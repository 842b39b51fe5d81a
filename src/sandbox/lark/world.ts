import { createHash, randomUUID } from 'node:crypto'
import type { LarkChatSeed, LarkSeed, LarkUserSeed } from './seed.js'

export interface App {
  readonly id: string
  readonly secret: string
  readonly name: string
  readonly kind: 'internal' | 'store'
  readonly ownerTenant: string
  readonly botOpenId: string
  readonly scopes: ReadonlySet<string> | null
  enabled: boolean
  botEnabled: boolean
  ticket: string | null
}

export interface Tenant {
  readonly key: string
  readonly name: string
  readonly apps: Set<string>
  deleted: boolean
  /** Calls left this month; null is unlimited. */
  monthlyCalls: number | null
}

export interface User {
  readonly tenant: string
  readonly openId: string
  readonly userId: string
  readonly unionId: string
  readonly email: string
  readonly name: string
  available: boolean
  resigned: boolean
  stoppedBot: boolean
}

export interface Chat {
  readonly id: string
  readonly tenant: string
  readonly name: string
  readonly mode: 'group' | 'topic' | 'p2p'
  readonly type: 'private' | 'public'
  readonly messageForm: 'chat' | 'thread'
  readonly members: Set<string>
  readonly bots: Set<string>
  readonly external: boolean
  readonly refusesTypes: ReadonlySet<string>
  readonly threadReplies: boolean
  dissolved: boolean
  /** Speaking is forbidden for bots. */
  muted: boolean
}

export interface Message {
  readonly id: string
  readonly chatId: string
  readonly sender: { readonly kind: 'app' | 'user'; readonly id: string }
  readonly type: string
  /** The JSON string as sent; replaced by an edit. */
  content: string
  readonly rootId: string | null
  readonly parentId: string | null
  threadId: string | null
  readonly createdAtMs: number
  /** Place in the chat, growing: the order in which the platform took the messages. */
  readonly position: number
  updatedAtMs: number
  edits: number
  recalled: boolean
  readonly uuid: string | null
  readonly reactions: Map<string, { readonly emoji: string; readonly appId: string }>
}

export interface StoredFile {
  readonly key: string
  readonly appId: string
  readonly type: string
  readonly name: string
  readonly bytes: Uint8Array
}

export interface Token {
  readonly value: string
  readonly appId: string
  readonly tenant: string
  readonly expiresAtMs: number
}

/** Everything one server knows. In memory, one per server, ids deterministic for the same calls in the same order. */
export interface World {
  readonly apps: Map<string, App>
  readonly tenants: Map<string, Tenant>
  readonly users: Map<string, User>
  readonly chats: Map<string, Chat>
  readonly messages: Map<string, Message>
  readonly byChat: Map<string, Message[]>
  readonly files: Map<string, StoredFile>
  readonly tokens: Map<string, Token>
  readonly appAccessTokens: Map<string, string>
  readonly deadTopics: Set<string>
  /** uuid keys of messages made, with the time; the platform remembers them for an hour. */
  readonly uuids: Map<string, { readonly messageId: string; readonly atMs: number }>
  readonly sending: Set<string>
  readonly now: () => number
  /** A new id of the platform's look: prefix and 32 hex digits. */
  readonly newId: (prefix: string) => string
}

/** @param clock milliseconds since the Unix epoch */
export function createWorld(seed: LarkSeed, clock: () => number): World {
  let made = 0
  const world: World = {
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
