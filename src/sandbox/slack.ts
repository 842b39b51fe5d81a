import { createEmulator } from 'emulate'
import { bindToLoopback, closeServer, freePort } from './loopback.js'

/** Ids `emulate` gives its first workspace, channel and person. */
const WORKSPACE = 'T000000001'
const CHANNEL = 'C000000001'
const PERSON = 'U000000001'

const BOT = { appId: 'A0SANDBOX', botId: 'B0SANDBOX', userId: 'U0SANDBOX', token: 'xoxb-sandbox' } as const
/** Used to ask the questions and to read for our pages; apart from the bot's, whose calls `emulate` counts (5000 an hour). */
const PERSON_TOKEN = 'xoxp-sandbox'
const READER_TOKEN = 'xoxp-sandbox-reader'

export interface SlackSandbox {
  /** What a client takes as `slackApiUrl`; ends in `/api/`. */
  readonly apiUrl: string
  /** `emulate`'s own page of everything in the workspace. */
  readonly inspectorUrl: string
  readonly botToken: string
  readonly workspace: string
  readonly channel: string
  /** The parent message of the thread in `channel`. */
  readonly thread: string
  readonly directChannel: string
  readonly userId: string
  readonly botUserId: string
  /** Messages of a channel or direct conversation, oldest first, thread replies left out. */
  history(channel: string): Promise<readonly SlackMessage[]>
  /** A parent message and its replies, oldest first. */
  replies(channel: string, thread: string): Promise<readonly SlackMessage[]>
  close(): Promise<void>
}

/** A message as `conversations.history` gives it. */
export type SlackMessage = { readonly [field: string]: unknown }

/** Starts a Slack workspace on loopback with a channel, a thread in it and a direct conversation. */
export async function startSlack(port?: number): Promise<SlackSandbox> {
  const chosen = port === undefined || port === 0 ? await freePort() : port
  const baseUrl = `http://127.0.0.1:${chosen}`
  const { server } = await bindToLoopback(chosen, () =>
    createEmulator({ service: 'slack', port: chosen, baseUrl, seed: { slack: seed() } }),
  )
  const apiUrl = `${baseUrl}/api/`
  const person = (method: string, args: Args) => call(apiUrl, PERSON_TOKEN, method, args)
  const read = (method: string, args: Args) => call(apiUrl, READER_TOKEN, method, args)
  try {
    const { thread, directChannel } = await furnish(apiUrl, person)
    return {
      apiUrl,
      inspectorUrl: `${baseUrl}/`,
      botToken: BOT.token,
      workspace: WORKSPACE,
      channel: CHANNEL,
      thread,
      directChannel,
      userId: PERSON,
      botUserId: BOT.userId,
      history: async (channel) =>
        messagesOf(await read('conversations.history', { channel, limit: '200' })).toReversed(),
      replies: async (channel, ts) => messagesOf(await read('conversations.replies', { channel, ts })),
      close: () => closeServer(server),
    }
  } catch (error) {
    await closeServer(server)
    throw error
  }
}

type Args = Readonly<Record<string, string>>
type Caller = (method: string, args: Args) => Promise<SlackMessage>

function seed(): Record<string, unknown> {
  const person = { user: PERSON, type: 'user' }
  return {
    team: { name: 'Sandbox', domain: 'sandbox' },
    oauth_apps: [
      {
        app_id: BOT.appId,
        client_id: '1.sandbox',
        client_secret: 'sandbox',
        name: 'Agent',
        redirect_uris: [],
        scopes: [],
        bot_id: BOT.botId,
        bot_user_id: BOT.userId,
        bot_name: 'agent',
      },
    ],
    tokens: [
      {
        token: BOT.token,
        type: 'bot',
        user: BOT.userId,
        app_id: BOT.appId,
        bot_id: BOT.botId,
        bot_user_id: BOT.userId,
      },
      { token: PERSON_TOKEN, ...person },
      { token: READER_TOKEN, ...person },
    ],
  }
}

/** The conversations the samples land in. */
async function furnish(apiUrl: string, person: Caller): Promise<{ thread: string; directChannel: string }> {
  await person('users.profile.set', {
    profile: JSON.stringify({ real_name: 'Mei Lin', display_name: 'mei' }),
  })
  await call(apiUrl, BOT.token, 'conversations.join', { channel: CHANNEL })
  const asked = await person('chat.postMessage', { channel: CHANNEL, text: ASKED_IN_THREAD })
  const direct = await person('chat.postMessage', { channel: BOT.userId, text: ASKED_DIRECTLY })
  return { thread: textOf(asked, 'ts'), directChannel: textOf(direct, 'channel') }
}

const ASKED_IN_THREAD = `<@${BOT.userId}> why did last night's build fail, and what should we do about it?`
const ASKED_DIRECTLY = 'Please look at the failing build when you have a minute.'

async function call(apiUrl: string, token: string, method: string, args: Args): Promise<SlackMessage> {
  const response = await fetch(`${apiUrl}${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(args),
  })
  const body: unknown = await response.json()
  if (!isRecord(body) || body.ok !== true) {
    throw new Error(
      `the sandbox workspace refused ${method}: ${isRecord(body) ? String(body.error) : response.status}`,
    )
  }
  return body
}

function messagesOf(body: SlackMessage): readonly SlackMessage[] {
  return Array.isArray(body.messages) ? body.messages.filter(isRecord) : []
}

function textOf(body: SlackMessage, field: string): string {
  const value = body[field]
  if (typeof value !== 'string') throw new TypeError(`the sandbox workspace gave no ${field}`)
  return value
}

function isRecord(value: unknown): value is SlackMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
