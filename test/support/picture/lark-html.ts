import { z } from 'zod'
import { type Dialect, escapeHtml, markdownHtml } from './markdown-html.js'

const text = z.object({ tag: z.string(), content: z.string() })
const column = z.object({ tag: z.literal('column'), elements: z.array(z.unknown()) })
const element = z.union([
  z.object({ tag: z.literal('column_set'), columns: z.array(column) }),
  z.object({ tag: z.literal('markdown'), content: z.string(), text_size: z.string().optional() }),
  z.object({ tag: z.literal('div'), text: text.extend({ text_size: z.string().optional() }) }),
  z.object({ tag: z.literal('button'), text, type: z.string().optional() }),
])
const card = z.object({
  header: z.object({ title: text, template: z.string().optional() }).optional(),
  body: z.object({ elements: z.array(z.unknown()) }),
})
const post = z.record(
  z.string(),
  z.object({ title: z.string().optional(), content: z.array(z.array(z.unknown())) }),
)
const postNode = z.object({ tag: z.string(), text: z.string().optional() })
const content = z.object({ msg_type: z.string(), content: z.string() })

const LARK: Dialect = {
  cjkFriendly: false,
  tag: (html) => {
    const at = /^<at id=(\S+?)>$/.exec(html)
    if (at !== null) return `<span class="at">@${escapeHtml(at[1] ?? '')}`
    if (html === '</at>') return '</span>'
    return html === '<br>' ? '<br>' : null
  },
}

function elementHtml(raw: unknown): string {
  const parsed = element.safeParse(raw)
  if (!parsed.success) return `<div class="broken">unknown element ${escapeHtml(JSON.stringify(raw))}</div>`
  switch (parsed.data.tag) {
    case 'markdown':
      return `<div class="md ${parsed.data.text_size ?? ''}">${markdownHtml(parsed.data.content, LARK)}</div>`
    case 'div':
      return `<div class="${parsed.data.text.text_size ?? ''}">${escapeHtml(parsed.data.text.content).replaceAll('\n', '<br>')}</div>`
    case 'column_set':
      return parsed.data.columns.map(({ elements }) => elements.map(elementHtml).join('')).join(' ')
    case 'button':
      return parsed.data.type === 'text'
        ? `<p class="context"><a>${escapeHtml(parsed.data.text.content)}</a></p>`
        : `<button>${escapeHtml(parsed.data.text.content)}</button>`
    default:
      return parsed.data satisfies never
  }
}

/** One Lark message content as its client would about show it. */
export function larkHtml(raw: unknown): string {
  const message = content.parse(raw)
  const body: unknown = JSON.parse(message.content)
  if (message.msg_type === 'text') {
    return `<div class="lark text">${escapeHtml(z.object({ text: z.string() }).parse(body).text)}</div>`
  }
  if (message.msg_type === 'post') {
    const first = Object.values(post.parse(body))[0]
    const nodes = (first?.content ?? []).flat().map((node) => postNode.parse(node))
    const title = first?.title === undefined ? '' : `<b>${escapeHtml(first.title)}</b>`
    return `<div class="lark post">${title}${nodes.map((node) => markdownHtml(node.text ?? '', LARK)).join('')}</div>`
  }
  const parsed = card.parse(body)
  const title = parsed.header
  const header =
    title === undefined
      ? ''
      : `<div class="head ${title.template ?? ''}">${escapeHtml(title.title.content)}</div>`
  return `<div class="lark">${header}<div class="body">${parsed.body.elements.map(elementHtml).join('')}</div></div>`
}
