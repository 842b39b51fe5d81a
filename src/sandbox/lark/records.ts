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
