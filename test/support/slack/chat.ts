import { readMessage } from './check-message.js'
import {
  type Handler,
  type HandlerContext,
  readableChannel,
  refuse,
  threadOf,
  writableChannel,
} from './handler.js'
import { type Channel, type Message, toWire } from './world.js'

const MAX_TEXT_CHARS = 40_000
const MAX_UPDATE_TEXT_CHARS = 4_000

const POST_ARGS = ['channel', 'text', 'blocks', 'metadata', 'thread_ts', 'reply_broadcast', 'mrkdwn']
const UNFURL_ARGS = ['unfurl_links', 'unfurl_media', 'parse', 'link_names']

const postMessage: Handler = {
  known: [...POST_ARGS, ...UNFURL_ARGS],
  scopes: () => ['chat:write'],
  run(context) {
    const { world, token, args } = context
    const channel = writableChannel(context)
    if ('error' in channel) return channel
    const content = readMessage(args)
    if ('error' in content) return content
    const place = threadOf(channel, args.get('thread_ts'))
    if ('error' in place) return place
    const message = world.addMessage(channel, {
      ...content,
      text: content.text.slice(0, MAX_TEXT_CHARS),
      threadTs: place.threadTs,
      user: token.botUserId,
      botId: token.botId,
      appId: token.appId,
    })
    if (place.threadTs !== null) world.statuses.delete(`${channel.id}/${place.threadTs}`)
    return {
      channel: channel.id,
      ts: message.ts,
      message: toWire(message, false),
      ...(content.text.length > MAX_TEXT_CHARS
        ? { warning: 'message_truncated', response_metadata: { warnings: ['message_truncated'] } }
        : {}),
    }
  },
}

const update: Handler = {
  known: ['channel', 'ts', 'text', 'blocks', 'metadata', 'parse', 'link_names'],
  scopes: () => ['chat:write'],
  run(context) {
    const found = ownMessage(context, 'ts', 'cant_update_message')
    if ('error' in found) return found
    const { message } = found
    if ((context.args.get('text') ?? '').length > MAX_UPDATE_TEXT_CHARS) return refuse('msg_too_long')
    const content = readMessage(context.args)
    if ('error' in content) return content
    message.text = content.text
    if (context.args.has('blocks')) message.blocks = content.blocks
    if (content.metadata !== null) message.metadata = content.metadata
    message.editCount += 1
    return { channel: found.channel.id, ts: message.ts, text: message.text, message: toWire(message, false) }
  },
}

const remove: Handler = {
  known: ['channel', 'ts'],
  scopes: () => ['chat:write'],
  run(context) {
    const found = ownMessage(context, 'ts', 'cant_delete_message')
    if ('error' in found) return found
    deleteMessage(found.channel, found.message.ts)
    return { channel: found.channel.id, ts: found.message.ts }
  },
}

const getPermalink: Handler = {
  known: ['channel', 'message_ts'],
  scopes: () => [],
  run(context) {
    const channel = readableChannel(context)
    if ('error' in channel) return channel
    const ts = context.args.get('message_ts') ?? ''
    const message = channel.messages.find((each) => each.ts === ts)
    if (!message) return refuse('message_not_found')
    return {
      channel: channel.id,
      permalink: `https://fake.slack.com/archives/${channel.id}/p${ts.replace('.', '')}`,
    }
  },
}

const reaction = (change: (message: Message, name: string, user: string) => string | null): Handler => ({
  known: ['channel', 'timestamp', 'name'],
  scopes: () => ['reactions:write'],
  run(context) {
    const channel = readableChannel(context)
    if ('error' in channel) return channel
    const message = channel.messages.find((each) => each.ts === context.args.get('timestamp'))
    if (!message || message.isTombstone) return refuse('message_not_found')
    const name = context.args.get('name') ?? ''
    if (!/^[a-z0-9_+-]+$/.test(name)) return refuse('invalid_name')
    const error = change(message, name, context.token.botUserId)
    return error === null ? {} : refuse(error)
  },
})

const addReaction = reaction((message, name, user) => {
  if (message.reactions.some((each) => each.name === name && each.user === user)) return 'already_reacted'
  message.reactions.push({ name, user })
  return null
})

const removeReaction = reaction((message, name, user) => {
  const index = message.reactions.findIndex((each) => each.name === name && each.user === user)
  if (index < 0) return 'no_reaction'
  message.reactions.splice(index, 1)
  return null
})

const setStatus: Handler = {
  known: ['channel_id', 'thread_ts', 'status', 'loading_messages'],
  scopes: () => ['chat:write'],
  run(context) {
    const channel = writableChannel(context, 'channel_id')
    if ('error' in channel) return channel
    const ts = context.args.get('thread_ts') ?? ''
    if (!channel.messages.some((message) => message.ts === ts)) return refuse('thread_not_found')
    const status = context.args.get('status')
    if (status === undefined) return refuse('invalid_arguments', 'status')
    if (status === '') context.world.statuses.delete(`${channel.id}/${ts}`)
    else context.world.statuses.set(`${channel.id}/${ts}`, status)
    return {}
  },
}

export const CHAT_HANDLERS: Readonly<Record<string, Handler>> = {
  'chat.postMessage': postMessage,
  'chat.update': update,
  'chat.delete': remove,
  'chat.getPermalink': getPermalink,
  'reactions.add': addReaction,
  'reactions.remove': removeReaction,
  'assistant.threads.setStatus': setStatus,
}

/** A parent with answers leaves a tombstone and can still be answered; anything else is gone. */
export function deleteMessage(channel: Channel, ts: string): void {
  const message = channel.messages.find((each) => each.ts === ts)
  if (!message) return
  const hasReplies = channel.messages.some((each) => each.threadTs === ts && each.ts !== ts)
  if (!hasReplies) {
    channel.messages.splice(channel.messages.indexOf(message), 1)
    return
  }
  Object.assign(message, {
    isTombstone: true,
    text: 'This message was deleted.',
    blocks: [],
    metadata: null,
    files: [],
  })
}

function ownMessage(context: HandlerContext, name: string, refusal: string) {
  const channel = writableChannel(context)
  if ('error' in channel) return channel
  const message = channel.messages.find((each) => each.ts === context.args.get(name))
  if (!message || message.isTombstone) return refuse('message_not_found')
  return message.botId === context.token.botId ? { channel, message } : refuse(refusal)
}
