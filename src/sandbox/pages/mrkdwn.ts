import { type Html, html, join, link } from './html.js'

/** Names behind ids, for mentions. */
export type Names = (id: string) => string

const TOKEN =
  /```([\s\S]*?)```|`([^`\n]+)`|<([^<>\n]+)>|(?<![\w*])\*([^*\n]+)\*(?!\w)|(?<![\w_])_([^_\n]+)_(?!\w)|(?<![\w~])~([^~\n]+)~(?!\w)/g

/** Slack's own markup (not Markdown): *bold*, _italic_, ~strike~, `code`, <address|words>, <@person>. */
export function mrkdwn(text: string, names: Names): Html {
  const parts: Html[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    parts.push(plain(text.slice(from, match.index)))
    parts.push(token(match, names))
    from = match.index + match[0].length
  }
  parts.push(plain(text.slice(from)))
  return join(parts)
}

function token([, block, code, angle, bold, italic, strike]: RegExpMatchArray, names: Names): Html {
  if (block !== undefined) return html`<pre><code>${decode(block.replace(/^\n/, ''))}</code></pre>`
  if (code !== undefined) return html`<code>${decode(code)}</code>`
  if (angle !== undefined) return reference(angle, names)
  if (bold !== undefined) return html`<strong>${mrkdwn(bold, names)}</strong>`
  if (italic !== undefined) return html`<em>${mrkdwn(italic, names)}</em>`
  return html`<del>${mrkdwn(strike ?? '', names)}</del>`
}

function reference(text: string, names: Names): Html {
  const [target = '', label] = text.split('|')
  if (target.startsWith('@')) return html`<span class="mention">@${names(target.slice(1))}</span>`
  if (target.startsWith('#')) return html`<span class="mention">#${label ?? names(target.slice(1))}</span>`
  if (target.startsWith('!'))
    return html`<span class="mention loud">@${decode(label ?? target.slice(1))}</span>`
  return link(decode(target), html`${decode(label ?? target)}`)
}

/** Slack escapes three characters and no more. */
export function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function plain(text: string): Html {
  return html`${decode(text)}`
}
