import { z } from 'zod'
import { type Dialect, escapeHtml, markdownHtml } from './markdown-html.js'

const SLACK: Dialect = { cjkFriendly: true, tag: () => null }

const style = z
  .object({ bold: z.boolean(), italic: z.boolean(), strike: z.boolean(), code: z.boolean() })
  .partial()
  .optional()
const leaf = z.object({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  user_id: z.string().optional(),
  usergroup_id: z.string().optional(),
  channel_id: z.string().optional(),
  range: z.string().optional(),
  name: z.string().optional(),
  style,
})
type Leaf = z.infer<typeof leaf>
const textObject = z.object({ type: z.string(), text: z.string() })
const rich = z.object({
  type: z.string(),
  style: z.string().optional(),
  indent: z.number().optional(),
  offset: z.number().optional(),
  border: z.number().optional(),
  elements: z.array(z.unknown()),
})
const block = z.object({
  type: z.string(),
  text: z.unknown().optional(),
  elements: z.array(z.unknown()).optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  column_settings: z.array(z.object({ align: z.string().optional() }).nullable()).optional(),
})

function leafHtml(raw: unknown): string {
  const node: Leaf = leaf.parse(raw)
  const shown =
    node.text ??
    node.url ??
    node.user_id ??
    node.usergroup_id ??
    node.channel_id ??
    node.range ??
    node.name ??
    ''
  let html = escapeHtml(shown).replaceAll('\n', '<br>')
  if (node.type === 'link') html = `<a title="${escapeHtml(node.url ?? '')}">${html}</a>`
  else if (node.type === 'emoji') html = `:${html}:`
  else if (node.type === 'broadcast') html = `<span class="broken">@${html}</span>`
  else if (node.type !== 'text') html = `<span class="at">@${html}</span>`
  if (node.style?.code === true) html = `<code>${html}</code>`
  if (node.style?.bold === true) html = `<b>${html}</b>`
  if (node.style?.italic === true) html = `<i>${html}</i>`
  if (node.style?.strike === true) html = `<s>${html}</s>`
  return html
}

function richHtml(raw: unknown): string {
  const node = rich.parse(raw)
  const bar = node.border === 1 ? ' class="bar"' : ''
  switch (node.type) {
    case 'rich_text_preformatted':
      return `<pre>${node.elements.map(leafHtml).join('')}</pre>`
    case 'rich_text_quote':
      return `<blockquote dir="auto">${node.elements.map(leafHtml).join('')}</blockquote>`
    case 'rich_text_list': {
      const tag = node.style === 'ordered' ? 'ol' : 'ul'
      const margin = `margin-inline-start:${(node.indent ?? 0) * 24}px`
      const start = tag === 'ol' ? ` start="${(node.offset ?? 0) + 1}"` : ''
      const items = node.elements.map((item) => `<li dir="auto">${richHtml(item)}</li>`).join('')
      return `<${tag}${bar}${start} style="${margin}">${items}</${tag}>`
    }
    default:
      return `<div dir="auto">${node.elements.map(leafHtml).join('')}</div>`
  }
}

function cellHtml(raw: unknown): string {
  const parsed = z
    .object({ type: z.string(), text: z.string().optional(), elements: z.array(z.unknown()).optional() })
    .parse(raw)
  return parsed.type === 'raw_text'
    ? escapeHtml(parsed.text ?? '')
    : (parsed.elements ?? []).map(richHtml).join('')
}

function textHtml(raw: unknown): string {
  const parsed = textObject.safeParse(raw)
  if (!parsed.success) return ''
  const { type, text } = parsed.data
  // The marks of mrkdwn are left to be seen, but for links; what is escaped there is escaped for HTML too.
  const html =
    type === 'mrkdwn' ? text.replaceAll(/<([^<>|]*)\|([^<>]*)>/g, '<a title="$1">$2</a>') : escapeHtml(text)
  return html.replaceAll('\n', '<br>')
}

function blockHtml(raw: unknown): string {
  const node = block.parse(raw)
  switch (node.type) {
    case 'markdown':
      return `<div class="md">${markdownHtml(z.string().parse(node.text), SLACK)}</div>`
    case 'rich_text':
      return `<div class="md">${(node.elements ?? []).map(richHtml).join('')}</div>`
    case 'header':
      return `<h2 class="header">${textHtml(node.text)}</h2>`
    case 'section':
      return `<p dir="auto">${textHtml(node.text)}</p>`
    case 'context':
      return `<p class="context">${(node.elements ?? []).map(textHtml).join(' ')}</p>`
    case 'divider':
      return '<hr>'
    case 'actions':
      return (node.elements ?? [])
        .map((button) => `<button>${textHtml(z.object({ text: z.unknown() }).parse(button).text)}</button>`)
        .join(' ')
    case 'table': {
      const align = (column: number) => node.column_settings?.[column]?.align ?? 'left'
      const rows = (node.rows ?? []).map(
        (row) =>
          `<tr>${row.map((cell, column) => `<td style="text-align:${align(column)}">${cellHtml(cell)}</td>`).join('')}</tr>`,
      )
      return `<table>${rows.join('')}</table>`
    }
    default:
      return `<div class="broken">unknown block ${escapeHtml(node.type)}</div>`
  }
}

/** One Slack message payload as its client would about show it; the notification line is shown above it. */
export function slackHtml(raw: unknown): string {
  const message = z
    .object({ text: z.string().optional(), blocks: z.array(z.unknown()).optional() })
    .parse(raw)
  const notification = `<div class="notification">${escapeHtml(message.text ?? '(no text)').slice(0, 400)}</div>`
  const body =
    message.blocks === undefined ? escapeHtml(message.text ?? '') : message.blocks.map(blockHtml).join('')
  return `${notification}<div class="slack">${body}</div>`
}
