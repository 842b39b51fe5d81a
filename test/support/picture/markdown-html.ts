import type { Nodes, Root, RootContent, Table } from 'mdast'
import remarkCjkFriendly from 'remark-cjk-friendly'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

/** How one client departs from plain Markdown. */
export interface Dialect {
  /** Emphasis as the client's own parser sees it: Lark's is plain CommonMark, Slack's is lenient with CJK. */
  readonly cjkFriendly: boolean
  /** HTML for a raw tag, or null to show it as text. */
  readonly tag: (html: string) => string | null
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Markdown as a chat client would show it, as HTML. Only for looking at. */
export function markdownHtml(markdown: string, dialect: Dialect): string {
  const parser = unified().use(remarkParse).use(remarkGfm)
  if (dialect.cjkFriendly) parser.use(remarkCjkFriendly)
  const root: Root = parser.parse(markdown)
  return root.children.map((child) => nodeHtml(child, dialect)).join('')
}

function childrenHtml(node: { readonly children: readonly RootContent[] }, dialect: Dialect): string {
  return node.children.map((child) => nodeHtml(child, dialect)).join('')
}

function tableHtml(table: Table, dialect: Dialect): string {
  const rows = table.children.map((row, index) => {
    const tag = index === 0 ? 'th' : 'td'
    const cells = row.children.map((cell, column) => {
      const align = table.align?.[column] ?? 'left'
      return `<${tag} style="text-align:${align}">${childrenHtml(cell, dialect)}</${tag}>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table dir="auto">${rows.join('')}</table>`
}

function nodeHtml(node: Nodes, dialect: Dialect): string {
  switch (node.type) {
    case 'text':
      return escapeHtml(node.value).replaceAll('\n', '<br>')
    case 'paragraph':
      return `<p dir="auto">${childrenHtml(node, dialect)}</p>`
    case 'heading':
      return `<h${node.depth} dir="auto">${childrenHtml(node, dialect)}</h${node.depth}>`
    case 'strong':
      return `<b>${childrenHtml(node, dialect)}</b>`
    case 'emphasis':
      return `<i>${childrenHtml(node, dialect)}</i>`
    case 'delete':
      return `<s>${childrenHtml(node, dialect)}</s>`
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`
    case 'code':
      return `<pre data-lang="${escapeHtml(node.lang ?? '')}">${escapeHtml(node.value)}</pre>`
    case 'link':
      return `<a title="${escapeHtml(node.url)}">${childrenHtml(node, dialect)}</a>`
    case 'image':
      return `<span class="broken">[image ${escapeHtml(node.url)}]</span>`
    case 'blockquote':
      return `<blockquote dir="auto">${childrenHtml(node, dialect)}</blockquote>`
    case 'list':
      return node.ordered
        ? `<ol dir="auto" start="${node.start ?? 1}">${childrenHtml(node, dialect)}</ol>`
        : `<ul dir="auto">${childrenHtml(node, dialect)}</ul>`
    case 'listItem': {
      const box = node.checked === true ? '☑ ' : node.checked === false ? '☐ ' : ''
      return `<li dir="auto">${box}${childrenHtml(node, dialect)}</li>`
    }
    case 'table':
      return tableHtml(node, dialect)
    case 'thematicBreak':
      return '<hr>'
    case 'break':
      return '<br>'
    case 'html':
      return dialect.tag(node.value) ?? `<span class="raw">${escapeHtml(node.value)}</span>`
    default:
      return `<span class="broken">[${node.type}]</span>`
  }
}
