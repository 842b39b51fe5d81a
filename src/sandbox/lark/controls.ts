import type { App, Chat, Message, Tenant, User, World } from './records.js'
import type { LarkChatSeed, LarkUserSeed } from './seed.js'
import { revokeTokens } from './tokens.js'
import { addChat, addUser } from './world.js'

/** What a test or a page may look at and change from outside, as an administrator or a person would. */
export interface LarkControls {
  /** Messages of a chat in the order the platform took them, recalled ones included. */
  messages(chatId: string): readonly Message[]
  message(messageId: string): Message
  chat(chatId: string): Chat
  user(openId: string): User
  app(appId: string): App
  tenant(key: string): Tenant
  addChat(seed: LarkChatSeed): Chat
  addUser(seed: LarkUserSeed): User
  recall(messageId: string): void
  removeBot(chatId: string, appId?: string): void
  addBot(chatId: string, appId: string): void
  dissolve(chatId: string): void
  /** The topic is gone: replies inside it get 230019. */
  dropTopic(threadId: string): void
  /** Uninstalls an app from a tenant. */
  uninstall(appId: string, tenantKey: string): void
  /** Every token issued so far stops working. */
  expireTokens(): void
  /** Sets a store app's ticket, as a push would. */
  pushTicket(appId: string, ticket: string): void
  /** The bytes and name of an uploaded file. */
  file(fileKey: string): { readonly name: string; readonly bytes: Uint8Array }
}

export function createControls(world: World): LarkControls {
  const chat = (id: string): Chat => known(world.chats.get(id), 'chat', id)
  const app = (id: string): App => known(world.apps.get(id), 'app', id)
  const message = (id: string): Message => known(world.messages.get(id), 'message', id)
  const tenant = (key: string): Tenant => known(world.tenants.get(key), 'tenant', key)
  return {
    messages: (chatId) => world.byChat.get(chatId) ?? [],
    message,
    chat,
    user: (openId) => known(world.users.get(openId), 'user', openId),
    app,
    tenant,
    addChat: (seed) => addChat(world, seed),
    addUser: (seed) => addUser(world, seed),
    recall: (messageId) => {
      message(messageId).recalled = true
    },
    removeBot: (chatId, appId) => {
      if (appId === undefined) chat(chatId).bots.clear()
      else chat(chatId).bots.delete(appId)
    },
    addBot: (chatId, appId) => {
      chat(chatId).bots.add(app(appId).id)
    },
    dissolve: (chatId) => {
      chat(chatId).dissolved = true
    },
    dropTopic: (threadId) => {
      world.deadTopics.add(threadId)
    },
    uninstall: (appId, tenantKey) => {
      tenant(tenantKey).apps.delete(appId)
    },
    expireTokens: () => revokeTokens(world),
    pushTicket: (appId, ticket) => {
      app(appId).ticket = ticket
    },
    file: (fileKey) => known(world.files.get(fileKey), 'file', fileKey),
  }
}

function known<T>(value: T | undefined, kind: string, id: string): T {
  if (value === undefined) throw new RangeError(`no such ${kind}: ${id}`)
  return value
}
