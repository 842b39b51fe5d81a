import type { Refusal } from './check-message.js'
import type { Channel, JsonRecord, Token, World } from './world.js'

export interface HandlerContext {
  readonly world: World
  readonly token: Token
  /** The workspace the call acts in. */
  readonly team: string
  readonly args: ReadonlyMap<string, string>
  readonly origin: string
  /** History and replies give 15 messages at most (platforms.md 1.8). */
  readonly isRestricted: boolean
}

/** `scopes`: what is needed, given the channel the call names. */
export interface Handler {
  readonly known: readonly string[]
  readonly scopes: (channel: Channel | null) => readonly string[]
  run(context: HandlerContext): JsonRecord | Refusal
}

export function refuse(error: string, detail?: string): Refusal {
  return detail === undefined ? { error } : { error, detail }
}

const KIND_PREFIX = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' } as const

export function scopeFor(action: 'read' | 'history'): Handler['scopes'] {
  return (channel) => [`${KIND_PREFIX[channel?.kind ?? 'public']}:${action}`]
}

/** The channel a call names, if this token may know of it. */
export function visibleChannel(
  { world, token, team, args }: HandlerContext,
  name = 'channel',
): Channel | null {
  const channel = world.channels.get(args.get(name) ?? '')
  if (!channel || channel.team !== team) return null
  return channel.kind === 'public' || channel.members.has(token.botUserId) ? channel : null
}

/** The channel a call reads, or its refusal. Reading needs membership. */
export function readableChannel(context: HandlerContext): Channel | Refusal {
  const channel = visibleChannel(context)
  if (channel === null) return refuse('channel_not_found')
  return channel.members.has(context.token.botUserId) ? channel : refuse('not_in_channel')
}

/** The channel a call writes to, or its refusal. */
export function writableChannel(context: HandlerContext, name = 'channel'): Channel | Refusal {
  const channel = visibleChannel(context, name)
  if (channel === null) return refuse('channel_not_found')
  if (channel.isArchived) return refuse('is_archived')
  const mayPostOutside = channel.kind === 'public' && context.token.scopes.has('chat:write.public')
  if (!channel.members.has(context.token.botUserId) && !mayPostOutside) return refuse('not_in_channel')
  if (channel.restriction === 'restricted') return refuse('restricted_action')
  if (channel.restriction === 'read_only') return refuse('restricted_action_read_only_channel')
  return channel
}

/**
 * Where an answer hangs: null for the channel itself. A reply's ts is no parent: the answer lands in the channel
 * (slackapi/python-slack-sdk#1116).
 */
export function threadOf(
  channel: Channel,
  threadTs: string | undefined,
): { readonly threadTs: string | null } | Refusal {
  if (threadTs === undefined) {
    return channel.restriction === 'thread_only'
      ? refuse('restricted_action_thread_only_channel')
      : { threadTs: null }
  }
  if (!/^\d+\.\d{6}$/.test(threadTs)) return refuse('invalid_arguments', 'thread_ts')
  if (channel.restriction === 'non_threadable') return refuse('restricted_action_non_threadable_channel')
  if (channel.lockedThreads.has(threadTs)) return refuse('restricted_action_thread_locked')
  const parent = channel.messages.find((message) => message.ts === threadTs)
  if (!parent) return channel.missingParent === 'channel' ? { threadTs: null } : refuse('thread_not_found')
  const isReply = parent.threadTs !== null && parent.threadTs !== parent.ts
  return { threadTs: isReply ? null : threadTs }
}
