/** What the fake Slack holds. Wire names are Slack's. */

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim'
export type TokenState = 'active' | 'expired' | 'revoked' | 'invalid' | 'inactive'
export type Restriction = 'none' | 'restricted' | 'read_only' | 'thread_only' | 'non_threadable'

export interface TokenSeed {
  readonly token: string
  /** Team the token belongs to, or null for an org-wide token, which needs `team_id` on every call. */
  readonly team: string | null
  readonly enterprise?: string
  readonly appId?: string
  readonly botId?: string
  readonly botUserId?: string
  readonly scopes?: readonly string[]
  readonly state?: TokenState
  /** Lets `oauth.v2.access` with `grant_type=refresh_token` replace the token, once. */
  readonly refreshToken?: string
}

export interface GrantSeed {
  readonly code: string
  /** The workspace's or organization's name. */
  readonly name: string
  readonly token: TokenSeed
  readonly expiresInSeconds?: number
}

export interface UserSeed {
  readonly id: string
  readonly team: string
  readonly locale?: string
  readonly isBot?: boolean
  readonly isDisabled?: boolean
}

export interface ChannelSeed {
  readonly id: string
  readonly team: string
  readonly kind: ChannelKind
  readonly name?: string
  /** User ids, the bot's included. */
  readonly members?: readonly string[]
  readonly locale?: string
  readonly isArchived?: boolean
  readonly restriction?: Restriction
  /** What an answer to a parent that never existed does: refused, or put into the channel. */
  readonly missingParent?: 'refuse' | 'channel'
}

export interface Token {
  token: string
  team: string | null
  enterprise: string | null
  appId: string
  botId: string
  botUserId: string
  scopes: Set<string>
  state: TokenState
  refreshToken: string | null
}

export interface Channel {
  id: string
  team: string
  kind: ChannelKind
  name: string
  members: Set<string>
  locale: string
  isArchived: boolean
  restriction: Restriction
  missingParent: 'refuse' | 'channel'
  lockedThreads: Set<string>
  messages: Message[]
}

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }
export type JsonRecord = { readonly [key: string]: Json | undefined }

export interface Message {
  ts: string
  threadTs: string | null
  user: string
  botId: string | null
  appId: string | null
  text: string
  blocks: readonly Json[]
  metadata: JsonRecord | null
  files: readonly { readonly id: string; readonly name: string; readonly title: string }[]
  reactions: { name: string; user: string }[]
  isTombstone: boolean
  editCount: number
}

export interface StoredFile {
  id: string
  name: string
  title: string
  length: number
  bytes: Uint8Array | null
  token: string
  user: string
  shares: { channel: string; isPublic: boolean; ts: string; threadTs: string | null }[]
  isCompleted: boolean
}

export const ALL_SCOPES = [
  'chat:write',
  'channels:read',
  'groups:read',
  'im:read',
  'mpim:read',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
  'im:write',
  'users:read',
  'files:read',
  'files:write',
  'reactions:write',
] as const

export class World {
  readonly tokens = new Map<string, Token>()
  readonly users = new Map<string, UserSeed>()
  readonly channels = new Map<string, Channel>()
  readonly files = new Map<string, StoredFile>()
  /** Codes of consent pages that were agreed to, each good once. */
  readonly grants = new Map<string, GrantSeed>()
  /** Workspaces an organization's app may work in; an organization that is not listed allows any. */
  readonly organizations = new Map<string, readonly string[]>()
  /** `channel/thread_ts` to the line shown there. */
  readonly statuses = new Map<string, string>()
  readonly #now: () => number
  #lastMicros = 0
  #nextId = 1

  constructor(now: () => number) {
    this.#now = now
  }

  /** Ids of messages: the server's clock with six decimals, never twice, never backwards. */
  nextTs(): string {
    this.#lastMicros = Math.max(this.#lastMicros + 1, this.#now() * 1_000)
    return `${Math.floor(this.#lastMicros / 1e6)}.${String(this.#lastMicros % 1e6).padStart(6, '0')}`
  }

  nextId(prefix: string): string {
    const id = `${prefix}${String(this.#nextId).padStart(9, '0')}`
    this.#nextId += 1
    return id
  }

  addToken(seed: TokenSeed): void {
    this.tokens.set(seed.token, {
      token: seed.token,
      team: seed.team,
      enterprise: seed.enterprise ?? null,
      appId: seed.appId ?? 'A0APP00001',
      botId: seed.botId ?? 'B0BOT00001',
      botUserId: seed.botUserId ?? 'U0BOT00001',
      scopes: new Set(seed.scopes ?? ALL_SCOPES),
      state: seed.state ?? 'active',
      refreshToken: seed.refreshToken ?? null,
    })
  }

  addChannel(seed: ChannelSeed): Channel {
    const channel: Channel = {
      id: seed.id,
      team: seed.team,
      kind: seed.kind,
      name: seed.name ?? seed.id.toLowerCase(),
      members: new Set(seed.members ?? ['U0BOT00001']),
      locale: seed.locale ?? 'en-US',
      isArchived: seed.isArchived ?? false,
      restriction: seed.restriction ?? 'none',
      missingParent: seed.missingParent ?? 'refuse',
      lockedThreads: new Set(),
      messages: [],
    }
    this.channels.set(channel.id, channel)
    return channel
  }

  addMessage(channel: Channel, message: Partial<Message> & { readonly user: string }): Message {
    const stored: Message = {
      ts: this.nextTs(),
      threadTs: null,
      botId: null,
      appId: null,
      text: '',
      blocks: [],
      metadata: null,
      files: [],
      reactions: [],
      isTombstone: false,
      editCount: 0,
      ...message,
    }
    channel.messages.push(stored)
    return stored
  }
}

/** A message as Slack writes it; metadata only where it was asked for. */
export function toWire(message: Message, withMetadata: boolean): JsonRecord {
  return {
    type: 'message',
    ...(message.isTombstone
      ? { subtype: 'tombstone' }
      : message.files.length > 0
        ? { subtype: 'file_share' }
        : {}),
    user: message.user,
    ...(message.botId === null ? {} : { bot_id: message.botId, app_id: message.appId }),
    text: message.text,
    ts: message.ts,
    ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.files.length > 0 ? { files: message.files } : {}),
    ...(withMetadata && message.metadata !== null ? { metadata: message.metadata } : {}),
  }
}
