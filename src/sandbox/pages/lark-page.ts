import type { Message } from '../lark/index.js'
import type { LarkSandbox } from '../lark-tenant.js'
import { type Html, html } from './html.js'
import { larkMessage } from './lark-message.js'
import type { LarkReader } from './lark-reader.js'
import { messageRow, type NavLink, type PageView } from './layout.js'

export interface LarkView {
  readonly platform: 'lark'
  readonly name: string
  readonly path: string
  readonly about: string
  readonly chat: string
}

/** Languages a reader's client may be set to, of the 16 a card can carry. */
const LANGUAGES = ['zh_cn', 'en_us', 'ja_jp', 'de_de'] as const

export function larkViews({ groupChat, directChat, topicChat }: LarkSandbox): readonly LarkView[] {
  const view = (name: string, path: string, about: string, chat: string): LarkView => {
    return { platform: 'lark', name, path, about, chat }
  }
  return [
    view('Lark group', '/lark/group', `构建与发布, ${groupChat}`, groupChat),
    view('Lark direct', '/lark/direct', `林梅 and the agent, ${directChat}`, directChat),
    view('Lark topics', '/lark/topics', `值班问答, ${topicChat}`, topicChat),
  ]
}

/** One Lark chat as a reader of `language` sees it now. Topics and replies stand under what they answer. */
export function larkPage(
  lark: LarkSandbox,
  view: LarkView,
  nav: readonly NavLink[],
  language: string,
): PageView {
  const reader: LarkReader = {
    language,
    nameOf: (openId) => (lark.server.world.users.has(openId) ? lark.server.user(openId).name : ''),
    fileName: (key) => {
      const file = lark.server.world.files.get(key)
      return file === undefined ? null : { name: file.name, bytes: file.bytes.length }
    },
  }
  const messages = lark.server.messages(view.chat)
  const roots = messages.filter(({ rootId }) => rootId === null)
  const rows = roots.flatMap((root) => [
    row(lark, root, reader),
    ...messages.filter(({ rootId }) => rootId === root.id).map((reply) => row(lark, reply, reader)),
  ])
  const languages = LANGUAGES.map((name) => ({ name, path: `${view.path}?language=${name}` }))
  return {
    title: view.name,
    about: view.about,
    platform: 'lark',
    path: languages.find(({ name }) => name === language)?.path ?? view.path,
    nav,
    languages,
    content: rows.length === 0 ? html`<p class="empty">Nothing yet.</p>` : html`${rows}`,
  }
}

function row(lark: LarkSandbox, message: Message, reader: LarkReader): Html {
  const isBot = message.sender.kind === 'app'
  const reactions = [...message.reactions.values()].map(({ emoji }) => `[${emoji}]`)
  return messageRow({
    id: message.id,
    author: isBot ? lark.server.app(message.sender.id).name : lark.server.user(message.sender.id).name,
    isBot,
    atMs: message.createdAtMs,
    nested: message.rootId !== null,
    notes: [...(message.edits > 0 ? ['(edited)'] : []), ...reactions],
    body: larkMessage(message, reader),
  })
}
