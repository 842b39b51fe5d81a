import type { Settled } from '../support/engine.js'
import { LARK } from '../support/lark/seed.js'
import type { Pipeline } from '../support/pipeline.js'
import { SLACK } from '../support/slack/fake.js'
import { inOurWords, type PublicCase, type ReportedRun } from './public-case.js'

/** A conversation of its own for one case, on one of the strict fakes. */
export interface Place {
  readonly id: string
  readonly platform: 'slack' | 'lark'
  /** As a run names it. */
  readonly conversation: Record<string, unknown>
  /** The message of a person that the run answers; null in a conversation without one. */
  readonly question: string | null
}

let count = 0

/** Makes the conversation that a case happened in. */
export function placeOf(
  { engine }: Pipeline,
  platform: Place['platform'],
  surface: PublicCase['input']['surface'],
): Place {
  count += 1
  const kind = surface === 'direct' ? 'direct' : 'channel'
  if (platform === 'lark') {
    const id = `oc_${String(count).padStart(32, 'c')}`
    engine.lark.addChat({
      id,
      name: '',
      mode: surface === 'direct' ? 'p2p' : 'group',
      members: [LARK.user],
      bots: [LARK.appId],
    })
    return { id, platform, question: null, conversation: { platform, chat: id, kind } }
  }
  const id = `${surface === 'direct' ? 'D' : 'C'}0CASE${String(count).padStart(4, '0')}`
  engine.slack.add({
    channels: [
      {
        id,
        team: SLACK.team,
        kind: surface === 'direct' ? 'im' : 'public',
        members: [SLACK.botUser, SLACK.user],
      },
    ],
  })
  const question = engine.slack.say(id, 'a question')
  const thread = surface === 'thread' ? { thread: question } : {}
  return { id, platform, question, conversation: { platform, channel: id, kind, ...thread } }
}

/** Posts a run of a case through the HTTP door and waits for its end. */
export function play(
  pipeline: Pipeline,
  place: Place,
  run: ReportedRun,
  { input }: PublicCase,
  change: Record<string, unknown> = {},
): Promise<Settled> {
  count += 1
  return pipeline.deliver({
    runId: `${run.id ?? 'run'}-${count}`,
    conversation: place.conversation,
    ...inOurWords(run, input.locale),
    ...change,
  })
}

/** What people see of the bot in a conversation: the words of each message that stands there, in order. */
export function seen({ engine }: Pipeline, place: Place): readonly string[] {
  if (place.platform === 'lark') {
    return engine.lark
      .messages(place.id)
      .filter((message) => message.sender.kind === 'app' && !message.recalled)
      .map((message) => wordsIn(JSON.parse(message.content)))
  }
  return engine.slack
    .messages(place.id)
    .filter((message) => message.botId !== null && !message.isTombstone)
    .map((message) => (message.blocks.length > 0 ? wordsIn(message.blocks) : message.text))
}

/** Parts of a card that say the same in other languages, or in a notification only. */
const NOT_SEEN = new Set(['i18n_content', 'config', 'summary'])

const SEEN = new Set(['text', 'content', 'name'])

/** Markdown's escapes are not seen. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
}

/** The texts of a message's structure, one a line. */
function wordsIn(value: unknown): string {
  return linesIn(value).join('\n')
}

function linesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    const inner = value.map((one) => linesIn(one))
    const isInline = value.every((one) => isText(one))
    return isInline ? [inner.flat().join('')] : inner.flat()
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (NOT_SEEN.has(key)) return []
    if (typeof inner === 'string') return SEEN.has(key) ? [unescaped(inner)] : []
    return linesIn(inner)
  })
}

function isText(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
}
