import type { Nodes, Root, Table } from 'mdast'
import remarkCjkFriendly from 'remark-cjk-friendly'
import remarkCjkFriendlyStrikethrough from 'remark-cjk-friendly-gfm-strikethrough'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { Html, html, join, link } from './html.js'

const parser = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkCjkFriendly)
  .use(remarkCjkFriendlyStrikethrough)
  .freeze()

/** How a client treats a tag inside Markdown; the default shows it as the letters it is. */
export type TagRenderer = (tag: string) => Html

const asLetters: TagRenderer = (tag) => html`${tag}`

/** Renders a message's Markdown roughly as the chat clients do. Nothing in it becomes markup of ours. */
export function markdown(text: string, tag: TagRenderer = asLetters): Html {
  const root: Root = parser.parse(text)
  return children(root.children, tag)
}

function children(nodes: readonly Nodes[], tag: TagRenderer): Html {
  return join(nodes.map((node) => one(node, tag)))
}

function one(node: Nodes, tag: TagRenderer): Html {
  switch (node.type) {
    case 'text':
      return html`${node.value}`
    case 'html':
      return tag(node.value)
    case 'inlineCode':
      return html`<code>${node.value}</code>`
    case 'code':
      return html`<pre>${node.lang ? html`<span class="lang">${node.lang}</span>` : null}<code>${node.value}</code></pre>`
    case 'break':
      return html`<br>`
    case 'thematicBreak':
      return html`<hr>`
    case 'image':
      return link(node.url, html`${node.alt ?? node.url}`)
    case 'table':
      return table(node, tag)
    case 'listItem':
      return html`<li>${checkbox(node.checked)}${children(node.children, tag)}</li>`
    default:
      return 'children' in node ? container(node.type, node, tag) : html``
  }
}

function container(type: string, node: Extract<Nodes, { children: unknown }>, tag: TagRenderer): Html {
  const inner = children(node.children, tag)
  switch (type) {
    case 'paragraph':
      return html`<p dir="auto">${inner}</p>`
    case 'strong':
      return html`<strong>${inner}</strong>`
    case 'emphasis':
      return html`<em>${inner}</em>`
    case 'delete':
      return html`<del>${inner}</del>`
    case 'blockquote':
      return html`<blockquote>${inner}</blockquote>`
    case 'heading':
      return html`<p class="heading"><strong>${inner}</strong></p>`
    case 'link':
      return 'url' in node ? link(node.url, inner) : inner
    case 'list':
      return 'ordered' in node && node.ordered === true
        ? html`<ol start="${node.start ?? 1}">${inner}</ol>`
        : html`<ul>${inner}</ul>`
    default:
      return inner
  }
}

function checkbox(checked: boolean | null | undefined): Html | null {
  if (checked === null || checked === undefined) return null
  return checked ? html`<span class="box">☑</span> ` : html`<span class="box">☐</span> `
}

function table(node: Table, tag: TagRenderer): Html {
  const [head, ...body] = node.children
  const cells = (row: Table['children'][number] | undefined, name: 'th' | 'td') =>
    (row?.children ?? []).map((cell) => new Html(`<${name}>${children(cell.children, tag).text}</${name}>`))
  return html`<div class="table"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body.map(
    (row) => html`<tr>${cells(row, 'td')}</tr>`,
  )}</tbody></table></div>`
}
