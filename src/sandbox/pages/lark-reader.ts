import { type Html, html, join } from './html.js'

/** Who reads: their client's language and the names behind ids. */
export interface LarkReader {
  readonly language: string
  readonly nameOf: (openId: string) => string
  readonly fileName: (fileKey: string) => { readonly name: string; readonly bytes: number } | null
}

/** A mention; of everybody it is loud. */
export function mention(openId: string, reader: LarkReader, shown?: string): Html {
  if (openId === 'all') return html`<span class="mention loud">@all</span>`
  return html`<span class="mention">@${reader.nameOf(openId) || shown || openId}</span>`
}

/** Tags of Lark's Markdown. A mention pings, so it is shown loudly; unknown tags stay letters. */
export function larkTag(tag: string, reader: LarkReader): Html {
  const at = /^<at\s+(?:id|user_id)=["']?([^"'\s>]+)["']?\s*>/.exec(tag)?.[1]
  if (at !== undefined) return mention(at, reader)
  if (/^<br\s*\/?>$/i.test(tag)) return html`<br>`
  if (/^<hr\s*\/?>$/i.test(tag)) return html`<hr>`
  const moment = /^<local_datetime\s+millisecond=["']?(\d{1,15})/.exec(tag)?.[1]
  if (moment !== undefined) return html`${new Date(Number(moment)).toISOString()}`
  if (/^<\/?(at|font|text_tag|number_tag|link|a|raw|person|local_datetime)\b[^>]*>$/.test(tag))
    return join([])
  return html`${tag}`
}
