import type { SlackMessage, SlackSandbox } from '../slack.js'
import { list, string } from './fields.js'
import { type Html, html } from './html.js'
import { messageRow, type NavLink, type PageView } from './layout.js'
import { slackMessage } from './slack-message.js'

export interface SlackView {
  readonly platform: 'slack'
  readonly name: string
  readonly path: string
  readonly about: string
  readonly shows: 'channel' | 'thread' | 'direct'
}

export function slackViews({ channel, thread, directChannel }: SlackSandbox): readonly SlackView[] {
  const view = (shows: SlackView['shows'], name: string, about: string): SlackView => {
    return { platform: 'slack', name, path: `/slack/${shows}`, about, shows }
  }
  return [
    view('channel', 'Slack channel', `#general, ${channel}`),
    view('thread', 'Slack thread', `a thread of #general, ${channel} ${thread}`),
    view('direct', 'Slack DM', `Mei and the agent, ${directChannel}`),
  ]
}

/** One Slack conversation as it stands now. */
export async function slackPage(
  slack: SlackSandbox,
  view: SlackView,
  nav: readonly NavLink[],
): Promise<PageView> {
  const rows = await messagesOf(slack, view)
  const content = rows.length === 0 ? html`<p class="empty">Nothing yet.</p>` : html`${rows}`
  return {
    title: view.name,
    about: view.about,
    platform: 'slack',
    path: view.path,
    nav,
    languages: [],
    content,
  }
}

async function messagesOf(slack: SlackSandbox, view: SlackView): Promise<readonly Html[]> {
  if (view.shows === 'thread') {
    const messages = await slack.replies(slack.channel, slack.thread)
    return messages.map((message, index) => row(slack, message, index > 0))
  }
  const channel = view.shows === 'direct' ? slack.directChannel : slack.channel
  const rows: Html[] = []
  for (const message of await slack.history(channel)) {
    rows.push(row(slack, message, false))
    if (Number(message.reply_count ?? 0) === 0) continue
    const [, ...replies] = await slack.replies(channel, string(message.ts))
    rows.push(...replies.map((reply) => row(slack, reply, true)))
  }
  return rows
}

function row(slack: SlackSandbox, message: SlackMessage, nested: boolean): Html {
  const names = (id: string) => (id === slack.botUserId ? 'Agent' : id === slack.userId ? 'Mei Lin' : id)
  const ts = string(message.ts)
  const reactions = list(message.reactions).map(({ name, count }) => `:${string(name)}: ${string(count)}`)
  return messageRow({
    id: `m${ts}`,
    author: names(string(message.user)),
    isBot: message.user === slack.botUserId,
    atMs: Math.floor(Number(ts)) * 1000,
    nested,
    notes: [...(message.edited === undefined ? [] : ['(edited)']), ...reactions],
    body: slackMessage(message, names),
  })
}
