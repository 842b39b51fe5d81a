/**
 * Characters of plain text as Lark's card and post Markdown shows them unchanged. Numeric entities, because the
 * client drops backslashes before some of these. Source: Lark's rich text page (2025-08), "special characters".
 */
const ALWAYS = /[<>*~[\]`\\|]|_|&(?=#?\w{1,31};)/g
const HAS_SPECIAL = /[<>*~[\]`\\|_&]/

/** What would start a heading, list, rule, table or setext line at the beginning of a line. */
const LINE_START =
  /^([ \t]*)(?:(#(?=#{0,5}(?:\s|$))|\+(?=\s|$)|-(?=[\s:|-]|$)|:(?=-)|=(?==*\s*$))|(\d{1,9})([.)](?=\s|$)))/gm
/** A quick look: whether any line begins with such a sign. */
const MAY_START_BLOCK = /^[ \t]*[#+\-:=\d]|\n[ \t]*[#+\-:=\d]/
/** What would end a heading. */
const CLOSING_HASH = /(?<=\s)#(?=#*\s*$)/g

function entity(char: string): string {
  return `&#${char.codePointAt(0)};`
}

/** Text that Lark shows as it stands: no tag, no emphasis, no link, no entity comes to life in it. */
export function escapeText(text: string): string {
  if (!HAS_SPECIAL.test(text)) return text
  return disarm(text).replace(ALWAYS, (char, offset: number, whole: string) =>
    char === '_' && isInsideWord(whole, offset) ? char : entity(char),
  )
}

/** Markdown of whole lines in which no line starts a block by accident. */
export function escapeLineStarts(markdown: string): string {
  if (!MAY_START_BLOCK.test(markdown)) return markdown
  return markdown.replace(
    LINE_START,
    (_, indent: string, mark: string | undefined, digits: string, dot: string) =>
      mark === undefined ? `${indent}${digits}${entity(dot)}` : `${indent}${entity(mark)}`,
  )
}

/** A heading's Markdown whose last `#` stays. */
export function escapeClosingHash(markdown: string): string {
  return markdown.replace(CLOSING_HASH, entity('#'))
}

function isInsideWord(text: string, offset: number): boolean {
  const before = text[offset - 1]
  const after = text[offset + 1]
  return (
    before !== undefined &&
    after !== undefined &&
    /[\p{L}\p{N}_]/u.test(before) &&
    /[\p{L}\p{N}_]/u.test(after)
  )
}

/** Joins nothing and is shown as nothing: it only keeps `<` and a tag's name apart. */
const WORD_JOINER = '\u2060'
const PINGING_TAG = /(<|&lt;?|&#0*60;?|&#x0*3c;?)(?=[\s\u2060]*\/?\s*(?:at|person)\b)/gi

/**
 * Text or code as it stands, except that a tag which would ping somebody is broken by an invisible character: whether
 * every client leaves tags in code alone, and decodes entities only once, is not documented.
 */
export function disarm(text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text
  return text.replace(PINGING_TAG, (open) => `${open.slice(0, 1)}${WORD_JOINER}${open.slice(1)}`)
}

/** Text of a `text` message: tags of any kind are broken and links not made, visibly the same. */
export function disarmText(text: string): string {
  return disarm(text)
    .replaceAll(/<(?=\s*[a-z/!])/gi, `<${WORD_JOINER}`)
    .replaceAll('](', `]${WORD_JOINER}(`)
}

/** Characters that end or change a link's address in Markdown, percent-encoded; `;` only where it would end an entity. */
export function escapeUrl(url: string): string {
  return url
    .replaceAll(
      /[()<>[\]"'`\\|*~\s]/g,
      (char) => `%${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replaceAll(/(&#?\w{1,31});/g, '$1%3B')
}
