/** Markup that is safe to send. Only `html`, `join` and `raw` make one. */
export class Html {
  constructor(readonly text: string) {}
}

export type Piece = string | number | Html | null | readonly Html[]

/** Escapes every value that is not markup already, for text and for quoted attributes; null is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  const text = strings.reduce((written, part, index) => written + pieceText(values[index - 1] ?? null) + part)
  return new Html(text)
}

/** Markup written by us, taken as it is. Never for anything that came from outside. */
export function raw(text: string): Html {
  return new Html(text)
}

export function join(parts: readonly Html[], separator = ''): Html {
  return new Html(parts.map((part) => part.text).join(separator))
}

/** A link to another site where the address is one a person may safely follow; else only its words. */
export function outsideLink(url: string, label: Html): Html {
  return /^(https?:\/\/|mailto:)/i.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow">${label}</a>`
    : label
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function pieceText(piece: Piece): string {
  if (piece === null) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'number') return String(piece)
  if (typeof piece === 'string') return piece.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
  return join(piece).text
}
