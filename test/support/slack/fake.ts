import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { AUTH_HANDLERS, authenticate, exchange } from './auth.js'
import { CHAT_HANDLERS, deleteMessage } from './chat.js'
import { CONVERSATION_HANDLERS } from './conversations.js'
import { Faults, type SlackCallRecord } from './faults.js'
import { FILE_HANDLERS } from './files.js'
import type { Handler } from './handler.js'
import { RateBuckets } from './rates.js'
import { type Reply, respond, Timers } from './respond.js'
import { bearer, listen, missingScope, readArgs, readBody, toReply } from './wire.js'
import {
  type Channel,
  type ChannelSeed,
  type GrantSeed,
  type Message,
  type Token,
  type TokenSeed,
  type TokenState,
  type UserSeed,
  World,
} from './world.js'

const HANDLERS: Readonly<Record<string, Handler>> = {
  ...AUTH_HANDLERS,
  ...CHAT_HANDLERS,
  ...CONVERSATION_HANDLERS,
  ...FILE_HANDLERS,
}

/** Ids of the workspace every fake starts with, unless `seed` says otherwise. */
export const SLACK = {
  team: 'T0TEAM0001',
  token: 'xoxb-fake-1',
  app: 'A0APP00001',
  bot: 'B0BOT00001',
  botUser: 'U0BOT00001',
  user: 'U0USER0001',
  channel: 'C0GENERAL1',
  private: 'C0PRIVATE1',
  direct: 'D0DIRECT01',
  group: 'G0GROUPDM1',
} as const

export interface SlackSeed {
  readonly tokens?: readonly TokenSeed[]
  readonly users?: readonly UserSeed[]
  readonly channels?: readonly ChannelSeed[]
  readonly grants?: readonly GrantSeed[]
  readonly organizations?: Readonly<Record<string, readonly string[]>>
}

export interface SlackFakeOptions {
  /** 0 (default) takes a free one. */
  readonly port?: number
  /** Added to the default workspace. */
  readonly seed?: SlackSeed
  /** Leaves the default workspace out. */
  readonly isEmpty?: boolean
  /** chat.postMessage by channel (platforms.md 1.5). Off by default. */
  readonly postRate?: { readonly perSecond: number; readonly burst: number }
  /** History and replies: 15 messages and one call a minute (platforms.md 1.8). */
  readonly isRestricted?: boolean
  /** The server's clock, milliseconds since the epoch. */
  readonly now?: () => number
  /** Every answer takes this long. */
  readonly latencyMs?: number
}

export interface SlackFake {
  readonly port: number
  /** `http://127.0.0.1:PORT/api/`, for SLACK_API_URL. */
  readonly apiUrl: string
  readonly faults: Faults
  /** Every call in the order it arrived, refused ones included. */
  readonly calls: readonly SlackCallRecord[]
  callsOf(method: string): readonly SlackCallRecord[]
  /** Messages in order: of the whole channel, of one thread without its parent, or (null) outside threads. */
  messages(channel: string, thread?: string | null): readonly Message[]
  /** A person writes; the ts of the message. */
  say(channel: string, text?: string, thread?: string, user?: string): string
  deleteMessage(channel: string, ts: string): void
  lockThread(channel: string, ts: string): void
  channel(id: string): Channel
  token(raw: string): Token
  setToken(raw: string, state: TokenState): void
  react(channel: string, ts: string, name: string): void
  setStatus(channel: string, thread: string, status: string): void
  status(channel: string, thread: string): string | null
  file(id: string): { readonly name: string; readonly title: string; readonly text: string }
  add(seed: SlackSeed): void
  /** Resolves once every late commit and slow answer is done. */
  idle(): Promise<void>
  /** Forgets the call log; messages stay. */
  clearCalls(): void
  close(): Promise<void>
}

/** Starts a strict Slack on loopback. Its rules cite platforms.md; what Slack refuses, it refuses. */
export async function startSlackFake(options: SlackFakeOptions = {}): Promise<SlackFake> {
  const now = options.now ?? Date.now
  const world = new World(now)
  const faults = new Faults()
  const calls: SlackCallRecord[] = []
  const rates = new RateBuckets(now)
  const timers = new Timers()
  if (!options.isEmpty) seedDefault(world)
  seed(world, options.seed ?? {})

  const server = createServer((request, response) => {
    void receive(request, response).catch(() => response.destroy())
  })
  const port = await listen(server, options.port ?? 0)
  const origin = `http://127.0.0.1:${port}`

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const path = new URL(request.url ?? '/', origin).pathname
    const args = path.startsWith('/upload/') ? new Map<string, string>() : readArgs(body, request)
    const method = path.startsWith('/upload/') ? 'upload' : path.replace(/^\/api\//, '')
    const token = bearer(request) ?? args.get('token') ?? null
    args.delete('token')
    const channel = args.get('channel') ?? args.get('channel_id') ?? null
    const call: SlackCallRecord = { number: calls.length + 1, method, token, channel, args, atMs: now() }
    calls.push(call)
    const work = () => (method === 'upload' ? upload(path, body) : answer(call))
    respond({ response, fault: faults.take(call), work, timers, latencyMs: options.latencyMs ?? 0 })
  }

  function upload(path: string, body: Buffer): Reply {
    const file = world.files.get(path.split('/').at(-1) ?? '')
    if (!file || file.length !== body.byteLength) return { status: 400, text: 'bad upload' }
    file.bytes = new Uint8Array(body)
    return { status: 200, text: `OK - ${body.byteLength}` }
  }

  function answer(call: SlackCallRecord): Reply {
    if (call.method === 'oauth.v2.access') return toReply(exchange(world, call.args))
    const handler = HANDLERS[call.method]
    if (!handler) return toReply({ error: 'unknown_method' })
    const caller = authenticate(world, call.token, call.args.get('team_id'), call.method)
    if ('error' in caller) return toReply(caller)
    const { token, team } = caller
    const strange = [...call.args.keys()].find((name) => name !== 'team_id' && !handler.known.includes(name))
    if (strange !== undefined) return toReply({ error: 'invalid_arguments', detail: strange })
    const needed = handler.scopes(world.channels.get(call.channel ?? '') ?? null)
    if (needed.some((scope) => !token.scopes.has(scope))) return missingScope(needed, token)
    const wait = waitSeconds(call, token)
    if (wait !== null)
      return {
        status: 429,
        text: '{"ok":false,"error":"ratelimited"}',
        headers: { 'retry-after': String(wait) },
      }
    const context = {
      world,
      token,
      team,
      args: call.args,
      origin,
      isRestricted: options.isRestricted ?? false,
    }
    return toReply(handler.run(context), token)
  }

  function waitSeconds(call: SlackCallRecord, token: Token): number | null {
    const isLookUp = call.method === 'conversations.history' || call.method === 'conversations.replies'
    if (options.isRestricted && isLookUp) return rates.take(`${call.method}/${token.token}`, 1 / 60, 1)
    if (!options.postRate || call.method !== 'chat.postMessage') return null
    return rates.take(`post/${call.channel}`, options.postRate.perSecond, options.postRate.burst)
  }

  function channelOf(id: string): Channel {
    const channel = world.channels.get(id)
    if (!channel) throw new Error(`no channel ${id} in the fake`)
    return channel
  }

  function tokenOf(raw: string): Token {
    const token = world.tokens.get(raw)
    if (!token) throw new Error('no such token in the fake')
    return token
  }

  return {
    port,
    apiUrl: `${origin}/api/`,
    faults,
    calls,
    callsOf: (method) => calls.filter((call) => call.method === method),
    messages: (channel, thread) =>
      channelOf(channel).messages.filter(
        ({ threadTs, ts }) => thread === undefined || (threadTs === thread && ts !== thread),
      ),
    say: (channel, text = 'hello', thread, user = SLACK.user) =>
      world.addMessage(channelOf(channel), { user, text, threadTs: thread ?? null }).ts,
    deleteMessage: (channel, ts) => deleteMessage(channelOf(channel), ts),
    lockThread: (channel, ts) => void channelOf(channel).lockedThreads.add(ts),
    channel: channelOf,
    token: tokenOf,
    setToken: (raw, state) => {
      tokenOf(raw).state = state
    },
    react(channel, ts, name) {
      const message = channelOf(channel).messages.find((each) => each.ts === ts)
      message?.reactions.push({ name, user: SLACK.botUser })
    },
    setStatus: (channel, thread, status) => void world.statuses.set(`${channel}/${thread}`, status),
    status: (channel, thread) => world.statuses.get(`${channel}/${thread}`) ?? null,
    file(id) {
      const file = world.files.get(id)
      if (!file) throw new Error(`no file ${id} in the fake`)
      return {
        name: file.name,
        title: file.title,
        text: new TextDecoder().decode(file.bytes ?? new Uint8Array()),
      }
    },
    add: (more) => seed(world, more),
    idle: () => timers.idle(),
    clearCalls: () => {
      calls.length = 0
    },
    async close() {
      timers.clear()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function seedDefault(world: World): void {
  const team = SLACK.team
  const both = [SLACK.botUser, SLACK.user]
  seed(world, {
    tokens: [{ token: SLACK.token, team }],
    users: [
      { id: SLACK.user, team, locale: 'zh-CN' },
      { id: SLACK.botUser, team, isBot: true },
    ],
    channels: [
      { id: SLACK.channel, team, kind: 'public', name: 'general', members: both },
      { id: SLACK.private, team, kind: 'private', name: 'secret', members: both },
      { id: SLACK.direct, team, kind: 'im', members: both },
      { id: SLACK.group, team, kind: 'mpim', name: 'mpdm-a--b--c-1', members: both },
    ],
  })
}

function seed(world: World, seeds: SlackSeed): void {
  const { tokens = [], users = [], channels = [], grants = [], organizations = {} } = seeds
  for (const grant of grants) world.grants.set(grant.code, grant)
  for (const [id, workspaces] of Object.entries(organizations)) world.organizations.set(id, workspaces)
  for (const token of tokens) world.addToken(token)
  for (const user of users) world.users.set(user.id, user)
  for (const channel of channels) world.addChannel(channel)
}
