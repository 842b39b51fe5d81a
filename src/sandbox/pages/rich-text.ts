import { type Fields, list, string } from './fields.js'
import { type Html, html, join, link } from './html.js'
import type { Names } from './mrkdwn.js'

/** One element of a `rich_text` block. */
export function richText(element: Fields, names: Names): Html {
  const inner = () => join(list(element.elements).map((leaf) => richLeaf(leaf, names)))
  switch (element.type) {
    case 'rich_text_section':
      return html`<p dir="auto">${inner()}</p>`
    case 'rich_text_preformatted':
      return html`<pre><code>${inner()}</code></pre>`
    case 'rich_text_quote':
      return html`<blockquote>${inner()}</blockquote>`
    case 'rich_text_list':
      return richList(element, names)
    default:
      return html`<p class="unknown">${string(element.type)}</p>`
  }
}

function richList(element: Fields, names: Names): Html {
  const items = list(element.elements).map((item) => html`<li>${richText(item, names)}</li>`)
  const indent = html`indent${Math.min(Number(element.indent) || 0, 8)}`
  if (element.style !== 'ordered') return html`<ul class="${indent}">${items}</ul>`
  return html`<ol class="${indent}" start="${(Number(element.offset) || 0) + 1}">${items}</ol>`
}

function richLeaf(leaf: Fields, names: Names): Html {
  switch (leaf.type) {
    case 'text':
      return styled(leaf, html`${string(leaf.text)}`)
    case 'link':
      return styled(leaf, link(string(leaf.url), html`${string(leaf.text) || string(leaf.url)}`))
    case 'user':
      return html`<span class="mention">@${names(string(leaf.user_id))}</span>`
    case 'channel':
      return html`<span class="mention">#${names(string(leaf.channel_id))}</span>`
    case 'broadcast':
      return html`<span class="mention loud">@${string(leaf.range)}</span>`
    case 'emoji':
      return html`:${string(leaf.name)}:`
    default:
      return html`${string(leaf.fallback) || string(leaf.value)}`
  }
}

function styled(leaf: Fields, text: Html): Html {
  const style = typeof leaf.style === 'object' && leaf.style !== null ? Object.entries(leaf.style) : []
  const on = new Set(style.filter(([, value]) => value === true).map(([name]) => name))
  let result = text
  if (on.has('code')) result = html`<code>${result}</code>`
  if (on.has('bold')) result = html`<strong>${result}</strong>`
  if (on.has('italic')) result = html`<em>${result}</em>`
  if (on.has('strike')) result = html`<del>${result}</del>`
  return result
}
