import type { Message } from '../lark/index.js'
import { type Fields, fields, list, parsed, string } from './fields.js'
import { type Html, html, join, link } from './html.js'
import { larkCard } from './lark-card.js'
import { type LarkReader, larkTag, mention } from './lark-reader.js'
import { markdown } from './markdown.js'

/** What a Lark client would roughly show of a message. */
export function larkMessage(message: Message, reader: LarkReader): Html {
  if (message.recalled) return html`<p class="context">Recalled</p>`
  const content = parsed(message.content)
  switch (message.type) {
    case 'text':
      return html`<p class="text" dir="auto">${larkText(string(content.text), reader)}</p>`
    case 'post':
      return larkPost(content, reader)
    case 'interactive':
      return larkCard(content, reader)
    case 'file':
      return larkFile(string(content.file_key), reader)
    default:
      return html`<p class="unknown">[${message.type}]</p>`
  }
}

const TEXT_TOKEN =
  /<at user_id="([^"]*)">([^<]*)<\/at>|\[([^\]\n]+)\]\((https?:\/\/[^)\s]+)\)|<(b|i|u|s)>(.*?)<\/\5>/g

/** A text knows mentions, links and four tags; all else is letters. */
function larkText(text: string, reader: LarkReader): Html {
  const parts: Html[] = []
  let from = 0
  for (const match of text.matchAll(TEXT_TOKEN)) {
    parts.push(html`${decodeEntities(text.slice(from, match.index))}`)
    const [whole, mentioned, shown, label, url, tag, inner] = match
    if (mentioned !== undefined) parts.push(mention(mentioned, reader, shown))
    else if (label !== undefined && url !== undefined) parts.push(link(url, html`${decodeEntities(label)}`))
    else parts.push(tag === 'b' ? html`<strong>${inner ?? ''}</strong>` : html`<em>${inner ?? ''}</em>`)
    from = match.index + whole.length
  }
  parts.push(html`${decodeEntities(text.slice(from))}`)
  return join(parts)
}

function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function larkPost(content: Fields, reader: LarkReader): Html {
  const body = fields(content[reader.language] ?? content.en_us ?? Object.values(content)[0])
  const title = string(body.title)
  const rows = Array.isArray(body.content) ? body.content : []
  const lines = rows.map(
    (row) => html`<div class="row">${list(row).map((node) => postNode(node, reader))}</div>`,
  )
  return html`${title === '' ? null : html`<h3>${title}</h3>`}${lines}`
}

function postNode(node: Fields, reader: LarkReader): Html {
  switch (node.tag) {
    case 'text':
      return postText(node)
    case 'a':
      return link(string(node.href), html`${string(node.text)}`)
    case 'at':
      return mention(string(node.user_id), reader, string(node.user_name))
    case 'md':
      return markdown(string(node.text), (tag) => larkTag(tag, reader))
    case 'code_block':
      return html`<pre><span class="lang">${string(node.language)}</span><code>${string(node.text)}</code></pre>`
    case 'hr':
      return html`<hr>`
    case 'emotion':
      return html`[${string(node.emoji_type)}]`
    default:
      return html`<span class="unknown">[${string(node.tag)}]</span>`
  }
}

function postText(node: Fields): Html {
  const styles = new Set(Array.isArray(node.style) ? node.style.map(String) : [])
  let text = html`${string(node.text)}`
  if (styles.has('bold')) text = html`<strong>${text}</strong>`
  if (styles.has('italic')) text = html`<em>${text}</em>`
  if (styles.has('lineThrough')) text = html`<del>${text}</del>`
  return styles.has('underline') ? html`<u>${text}</u>` : text
}

function larkFile(key: string, reader: LarkReader): Html {
  const file = reader.fileName(key)
  return html`<p class="file">📄 <strong>${file?.name ?? key}</strong> <span>${file?.bytes ?? '?'} bytes</span></p>`
}
