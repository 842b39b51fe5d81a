/**
 * Schemes a chat message may link to. Everything else (`javascript:`, `data:`, `file:`, app schemes, relative
 * addresses that mean nothing in a chat) is shown as text.
 */
const LINK_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel'])

/** Longest address that is made a link; Slack and Lark both refuse far longer ones. Ours. */
const MAX_URL_CHARS = 2_000
/** How much of an address that is no link is shown after its label. Ours. */
const MAX_SHOWN_CHARS = 120

/** The address as a link may carry it, or null when it must stay text. White space is percent-encoded. */
export function linkUrl(raw: string): string | null {
  const url = raw.trim().replaceAll(/[\s\u00ad\u200b-\u200f\u2060]/g, (char) => encodeURIComponent(char))
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || !LINK_SCHEMES.has(scheme)) return null
  if (url.length > MAX_URL_CHARS) return null
  if (scheme.startsWith('http') && !/^https?:\/\/[^/?#\s]/i.test(url)) return null
  return url
}

/** What to show of an address that is no link: nothing for an anchor in the same page, a start for a long one. */
export function shownUrl(raw: string): string {
  const url = raw.trim()
  if (url.startsWith('#')) return ''
  if (/^data:/i.test(url)) return `${url.slice(0, 40).replace(/,.*$/su, '')}…`
  const isWeb = /^(?:https?|mailto):/i.test(url)
  return isWeb || url.length <= MAX_SHOWN_CHARS ? url : `${[...url].slice(0, MAX_SHOWN_CHARS).join('')}…`
}
