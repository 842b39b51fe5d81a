/** Markup that is safe to send. Only `html`, `raw` and `join` make one. */
export class Html {
  constructor(readonly text: string) {}
}

type Piece = string | number | Html | null | readonly Html[]

/** Escapes every value that is not markup already; null is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let text = strings[0] ?? ''
  values.forEach((value, index) => {
    text += pieceText(value) + (strings[index + 1] ?? '')
  })
  return new Html(text)
}

/** Markup written by us, taken as it is. Never for anything that came from outside. */
export function raw(text: string): Html {
  return new Html(text)
}

export function join(parts: readonly Html[], separator = ''): Html {
  return new Html(parts.map((part) => part.text).join(separator))
}

/** A link for addresses a person may safely follow; else only its words. */
export function link(url: string, label: Html): Html {
  return /^(https?:\/\/|mailto:)/i.test(url)
    ? html`<a href="${url}" rel="noreferrer nofollow">${label}</a>`
    : label
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function pieceText(value: Piece): string {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return join(value).text
}
