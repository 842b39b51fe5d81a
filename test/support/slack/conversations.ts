import {
  type Handler,
  type HandlerContext,
  readableChannel,
  refuse,
  scopeFor,
  visibleChannel,
} from './handler.js'
import { type Channel, type JsonRecord, type Message, toWire } from './world.js'

const READ_ARGS = [
  'channel',
  'ts',
  'oldest',
  'latest',
  'inclusive',
  'limit',
  'cursor',
  'include_all_metadata',
]
const MAX_RESTRICTED_LIMIT = 15

const info: Handler = {
  known: ['channel', 'include_locale', 'include_num_members'],
  scopes: scopeFor('read'),
  run(context) {
    const channel = visibleChannel(context)
    if (channel === null) return refuse('channel_not_found')
    return { channel: channelToWire(channel, context, context.args.get('include_locale') === 'true') }
  },
}

const open: Handler = {
  known: ['users', 'channel', 'return_im', 'prevent_creation'],
  scopes: () => ['im:write'],
  run(context) {
    const { world, token, team, args } = context
    const ids = (args.get('users') ?? '').split(',').filter((id) => id !== '')
    const [userId] = ids
    if (userId === undefined) return refuse('not_enough_users')
    if (ids.length > 8) return refuse('too_many_users')
    const user = world.users.get(userId)
    if (!user || user.team !== team) return refuse('user_not_found')
    if (user.isDisabled) return refuse('user_disabled')
    if (user.isBot) return refuse('cannot_dm_bot')
    const existing = [...world.channels.values()].find(
      ({ kind, members }) => kind === 'im' && members.has(userId) && members.has(token.botUserId),
    )
    const channel =
      existing ??
      world.addChannel({ id: world.nextId('D'), team, kind: 'im', members: [userId, token.botUserId] })
    const wire = channelToWire(channel, context, false)
    return {
      already_open: existing !== undefined,
      channel: args.get('return_im') === 'true' ? wire : { id: channel.id },
    }
  },
}

const history: Handler = {
  known: READ_ARGS,
  scopes: scopeFor('history'),
  run(context) {
    const channel = readableChannel(context)
    if ('error' in channel) return channel
    const top = channel.messages.filter(({ threadTs, ts }) => threadTs === null || threadTs === ts)
    return page(context, top.filter(inWindow(context.args)).reverse())
  },
}

const replies: Handler = {
  known: READ_ARGS,
  scopes: scopeFor('history'),
  run(context) {
    const channel = readableChannel(context)
    if ('error' in channel) return channel
    const ts = context.args.get('ts')
    const parent = channel.messages.find((message) => message.ts === ts)
    if (!parent) return refuse('thread_not_found')
    const answers = channel.messages.filter(({ threadTs, ts: own }) => threadTs === ts && own !== ts)
    // The parent comes first whatever the window is.
    return page(context, [parent, ...answers.filter(inWindow(context.args))])
  },
}

const userInfo: Handler = {
  known: ['user', 'include_locale'],
  scopes: () => ['users:read'],
  run({ world, team, args }) {
    const user = world.users.get(args.get('user') ?? '')
    if (!user || user.team !== team) return refuse('user_not_found')
    const locale = args.get('include_locale') === 'true' ? { locale: user.locale ?? 'en-US' } : {}
    return {
      user: {
        id: user.id,
        team_id: user.team,
        deleted: user.isDisabled === true,
        is_bot: user.isBot === true,
        ...locale,
      },
    }
  },
}

export const CONVERSATION_HANDLERS: Readonly<Record<string, Handler>> = {
  'conversations.info': info,
  'conversations.open': open,
  'conversations.history': history,
  'conversations.replies': replies,
  'users.info': userInfo,
}

function channelToWire(channel: Channel, { token }: HandlerContext, withLocale: boolean): JsonRecord {
  return {
    id: channel.id,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: channel.kind === 'im',
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    is_archived: channel.isArchived,
    ...(channel.kind === 'im' ? {} : { name: channel.name, is_member: channel.members.has(token.botUserId) }),
    ...(withLocale ? { locale: channel.locale } : {}),
  }
}

function inWindow(args: ReadonlyMap<string, string>): (message: Message) => boolean {
  const oldest = Number(args.get('oldest') ?? 0)
  const latest = Number(args.get('latest') ?? Number.POSITIVE_INFINITY)
  const isInclusive = args.get('inclusive') === 'true'
  return ({ ts }) => {
    const at = Number(ts)
    return isInclusive ? at >= oldest && at <= latest : at > oldest && at < latest
  }
}

function page({ args, isRestricted }: HandlerContext, messages: readonly Message[]): JsonRecord {
  const asked = Number(args.get('limit') ?? (isRestricted ? MAX_RESTRICTED_LIMIT : 100))
  const limit = isRestricted ? Math.min(asked, MAX_RESTRICTED_LIMIT) : Math.min(asked, 999)
  const start = Number(args.get('cursor') ?? 0)
  const withMetadata = args.get('include_all_metadata') === 'true'
  const hasMore = messages.length > start + limit
  return {
    messages: messages.slice(start, start + limit).map((message) => toWire(message, withMetadata)),
    has_more: hasMore,
    response_metadata: { next_cursor: hasMore ? String(start + limit) : '' },
  }
}
