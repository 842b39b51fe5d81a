import { codeSpan } from '../../render/markdown-out.js'
import type { Inline, Link, Mention } from '../../render/nodes.js'
import { disarm, escapeLineStarts, escapeText, escapeUrl } from './render-escape.js'

/** Where inline text stands: a table cell and a heading are one line. */
export interface InlinePlace {
  readonly mentions: readonly string[]
  readonly oneLine: boolean
  /** Headings of a post are bold already. */
  readonly boldAlready: boolean
  /** Emphasis this stands in: the same within itself shows nothing and would read as another mark. */
  readonly within?: string
  /** Links hold no links: what would be one shows its label. */
  readonly inLink?: boolean
}

/** Scripts written without spaces. Korean is not among them: a space there would part a word from its ending. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc]/u
const PUNCTUATION = /[\p{P}\p{S}]/u
const SPACE = /\s/
/** Keeps two runs of the same delimiter apart without being seen. */
const ZERO_WIDTH_SPACE = '\u200b'

/** Inline nodes as Lark Markdown. Nothing in it but `place.mentions` can ping. */
export function inlineMarkdown(nodes: readonly Inline[], place: InlinePlace): string {
  const joined = join(nodes.map((node) => piece(node, place)))
  return place.oneLine ? joined.replaceAll(/\s*\n\s*/g, ' ').trim() : escapeLineStarts(joined.trim())
}

/** True when Lark may turn this into a ping: the run allows the person and the id is an open id. */
export function isAllowed(mention: Mention, mentions: readonly string[]): boolean {
  return (
    mention.kind === 'person' &&
    /^o[un]_[A-Za-z0-9_-]{1,64}$/.test(mention.id) &&
    mentions.includes(mention.id)
  )
}

/** What stands for somebody who may not be pinged: `@name`, a channel as it is called. */
export function shownName(mention: Mention): string {
  return mention.kind === 'channel' || /^[@＠]/.test(mention.name) ? mention.name : `@${mention.name}`
}

/** One node's Markdown; `mark` is its emphasis delimiter, which needs the right neighbours to work. */
interface Piece {
  readonly text: string
  readonly mark: string
}

function piece(node: Inline, place: InlinePlace): Piece {
  switch (node.type) {
    case 'text':
      return plain(escapeText(node.value))
    case 'strong':
      return place.boldAlready
        ? plain(join(node.children.map((child) => piece(child, place))))
        : marked('**', node.children, place)
    case 'emphasis':
      return marked('*', node.children, place)
    case 'delete':
      return marked('~~', node.children, place)
    case 'inlineCode':
      return plain(codeSpan(disarm(node.value.replaceAll('\n', ' '))))
    case 'break':
      return plain('\n')
    case 'link':
      return plain(linkMarkdown(node, place))
    case 'image':
      return plain(place.inLink === true ? escapeText(node.alt) : link(node.url, escapeText(node.alt)))
    case 'footnoteReference':
      return plain(escapeText(`[${node.label}]`))
    case 'mention':
      return plain(isAllowed(node, place.mentions) ? `<at id=${node.id}></at>` : escapeText(shownName(node)))
    default:
      return node satisfies never
  }
}

function plain(text: string): Piece {
  return { text, mark: '' }
}

function marked(mark: string, children: readonly Inline[], place: InlinePlace): Piece {
  const within = place.within ?? ''
  const isRepeated = within.split(' ').includes(mark)
  const text = join(children.map((child) => piece(child, { ...place, within: `${within} ${mark}` })))
  const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  if (inner === '' || isRepeated) return plain(text)
  const written = `${mark}${inner}${mark}`
  return before === '' && after === '' ? { text: written, mark } : plain(`${before}${written}${after}`)
}

function join(pieces: readonly Piece[]): string {
  let text = ''
  let last = plain('')
  for (const next of pieces) {
    if (next.text === '') continue
    // `!` in front of a link would make it a picture, and Lark refuses the card for its address.
    if (text.endsWith('!') && next.text.startsWith('[')) text = `${text.slice(0, -1)}&#33;`
    text += gap(last, text, next) + next.text
    last = next
  }
  return text
}

/**
 * What must stand between two pieces so that an emphasis at either side is seen as one. CommonMark closes `**` after
 * punctuation only before a space, and Lark advises spaces between emphasis and Chinese or Japanese letters.
 */
function gap(last: Piece, textBefore: string, next: Piece): string {
  if (textBefore === '' || (last.mark === '' && next.mark === '')) return ''
  const [before, after] = [lastChar(textBefore), firstChar(next.text)]
  if (SPACE.test(before) || SPACE.test(after)) return ''
  const lastInside = last.mark === '' ? before : lastChar(last.text.slice(0, -last.mark.length))
  const nextInside = next.mark === '' ? after : firstChar(next.text.slice(next.mark.length))
  if (last.mark !== '' && next.mark !== '') {
    return PUNCTUATION.test(lastInside) || PUNCTUATION.test(nextInside) ? ' ' : ZERO_WIDTH_SPACE
  }
  return needsSpace(last.mark === '' ? nextInside : lastInside, last.mark === '' ? before : after) ? ' ' : ''
}

function needsSpace(inside: string, outside: string): boolean {
  if (SPACELESS.test(outside)) return true
  return PUNCTUATION.test(inside) && !PUNCTUATION.test(outside)
}

function firstChar(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0x20)
}

function lastChar(text: string): string {
  return /.$/su.exec(text)?.[0] ?? ' '
}

function linkMarkdown(node: Link, place: InlinePlace): string {
  const label = join(node.children.map((child) => piece(child, { ...place, inLink: true })))
  return place.inLink === true ? label : link(node.url, label)
}

/** Lark opens web addresses only; others are shown after their label. */
function link(url: string, label: string): string {
  const shown = label.replaceAll(/\s+/g, ' ').trim()
  if (/^https?:/i.test(url)) return `[${shown === '' ? escapeText(url) : shown}](${escapeUrl(url)})`
  const address = escapeText(url.replace(/^(?:mailto|tel):/i, ''))
  return shown === '' || shown === address ? address : `${shown} (${address})`
}
