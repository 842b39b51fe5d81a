import { isRecord, readJson } from './check-message.js'
import { type Handler, refuse, threadOf, writableChannel } from './handler.js'
import type { JsonRecord, StoredFile } from './world.js'

const getUploadUrl: Handler = {
  known: ['filename', 'length', 'alt_txt', 'snippet_type'],
  scopes: () => ['files:write'],
  run({ world, token, args, origin }) {
    const name = args.get('filename') ?? ''
    const length = Number(args.get('length'))
    if (name === '') return refuse('invalid_arguments', 'filename')
    if (!Number.isInteger(length) || length <= 0) return refuse('invalid_arguments', 'length')
    const id = world.nextId('F')
    world.files.set(id, {
      id,
      name,
      title: name,
      length,
      bytes: null,
      token: token.token,
      user: token.botUserId,
      shares: [],
      isCompleted: false,
    })
    return { upload_url: `${origin}/upload/v1/${id}`, file_id: id }
  },
}

const complete: Handler = {
  known: ['files', 'channel_id', 'thread_ts', 'initial_comment', 'blocks'],
  scopes: () => ['files:write'],
  run(context) {
    const { world, token, args } = context
    const entries = readJson(args.get('files'))
    const [entry] = Array.isArray(entries) ? entries : []
    if (!isRecord(entry) || typeof entry.id !== 'string') return refuse('invalid_arguments', 'files')
    const file = world.files.get(entry.id)
    // Completing is not repeatable: the upload is used up.
    if (!file || file.isCompleted || file.bytes === null) return refuse('file_not_found')
    const channel = writableChannel(context, 'channel_id')
    if ('error' in channel) return channel
    const place = threadOf(channel, args.get('thread_ts'))
    if ('error' in place) return place
    file.isCompleted = true
    if (typeof entry.title === 'string') file.title = entry.title
    const message = world.addMessage(channel, {
      user: token.botUserId,
      botId: token.botId,
      appId: token.appId,
      threadTs: place.threadTs,
      files: [{ id: file.id, name: file.name, title: file.title }],
    })
    file.shares.push({
      channel: channel.id,
      isPublic: channel.kind === 'public',
      ts: message.ts,
      threadTs: place.threadTs,
    })
    return { files: [{ id: file.id, title: file.title }] }
  },
}

const info: Handler = {
  known: ['file'],
  scopes: () => ['files:read'],
  run({ world, args }) {
    const file = world.files.get(args.get('file') ?? '')
    return file?.isCompleted ? { file: fileToWire(file) } : refuse('file_not_found')
  },
}

const remove: Handler = {
  known: ['file'],
  scopes: () => ['files:write'],
  run({ world, args }) {
    const file = world.files.get(args.get('file') ?? '')
    if (!file) return refuse('file_not_found')
    world.files.delete(file.id)
    for (const share of file.shares) {
      const channel = world.channels.get(share.channel)
      if (channel) channel.messages = channel.messages.filter(({ ts }) => ts !== share.ts)
    }
    return {}
  },
}

export const FILE_HANDLERS: Readonly<Record<string, Handler>> = {
  'files.getUploadURLExternal': getUploadUrl,
  'files.completeUploadExternal': complete,
  'files.info': info,
  'files.delete': remove,
}

function fileToWire(file: StoredFile): JsonRecord {
  const shares = (isPublic: boolean) =>
    Object.fromEntries(
      file.shares
        .filter((share) => share.isPublic === isPublic)
        .map(({ channel, ts, threadTs }) => [
          channel,
          [{ ts, ...(threadTs === null ? {} : { thread_ts: threadTs }) }],
        ]),
    )
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    permalink: `https://fake.slack.com/files/${file.user}/${file.id}/${file.name}`,
    shares: { public: shares(true), private: shares(false) },
  }
}
