import { isVisible } from '../contract/visible-text.js'
import { cutPoint, sentencesOf } from './cut-text.js'
import type { Block, Inline, ListItem, Table } from './nodes.js'

/** What of a link's or picture's address stands behind its label. */
export type Addresses = (url: string) => string

/** Plain text that people will not see as a link: the address follows its label. */
export const SHOW_ADDRESSES: Addresses = (url) => ` (${url})`
const HIDE_ADDRESSES: Addresses = () => ''

/** The words of inline content as a reader would see them, without marks. */
export function plainInline(inlines: readonly Inline[], addresses: Addresses = HIDE_ADDRESSES): string {
  let text = ''
  for (const inline of inlines) text += plainOne(inline, addresses)
  return text
}

function plainOne(inline: Inline, addresses: Addresses): string {
  switch (inline.type) {
    case 'text':
    case 'inlineCode':
      return inline.value
    case 'emphasis':
    case 'strong':
    case 'delete':
      return plainInline(inline.children, addresses)
    case 'link':
      return withAddress(plainInline(inline.children, addresses), inline.url, addresses)
    case 'image':
      return withAddress(inline.alt, inline.url, addresses)
    case 'break':
      return '\n'
    case 'footnoteReference':
      return `[${inline.label}]`
    case 'mention':
      return inline.name
    default:
      return inline satisfies never
  }
}

function withAddress(label: string, url: string, addresses: Addresses): string {
  return label === url ? label : label + addresses(url)
}

/** The words of a document, one block a line; list items with their number or bullet, table cells separated by ` | `. */
export function plainBlocks(blocks: readonly Block[], addresses: Addresses = HIDE_ADDRESSES): string {
  return blocks.map((block) => plainBlock(block, addresses)).join('\n')
}

function plainBlock(block: Block, addresses: Addresses): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return plainInline(block.children, addresses)
    case 'code':
      return block.value
    case 'blockquote':
      return plainBlocks(block.children, addresses)
    case 'list':
      return block.children
        .map((item, at) => `${block.ordered ? `${block.start + at}.` : '•'} ${plainItem(item, addresses)}`)
        .join('\n')
    case 'table':
      return block.children
        .map((row) => row.children.map((cell) => plainInline(cell.children, addresses)).join(' | '))
        .join('\n')
    case 'thematicBreak':
      return ''
    default:
      return block satisfies never
  }
}

function plainItem(item: ListItem, addresses: Addresses): string {
  const tick = item.checked === null ? '' : item.checked ? '☑ ' : '☐ '
  return tick + plainBlocks(item.children, addresses).replaceAll('\n', '\n    ')
}

/** Whether the document has words or signs, not only rules, empty items and white space. */
export function hasVisibleWords(blocks: readonly Block[]): boolean {
  return firstText(blocks, true) !== null
}

/**
 * The first sentence of a document on one line, for a notification: at most `maxChars` UTF-16 units, with `…` when
 * it was longer. Code and tables are not read out when there is prose. Empty when there are no visible words.
 */
export function firstSentence(blocks: readonly Block[], maxChars = 149): string {
  const prose = firstText(blocks, false) ?? firstText(blocks, true) ?? ''
  const start = prose
    .slice(0, maxChars * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const sentence = (sentencesOf(start)[0] ?? '').trim()
  if (sentence.length <= maxChars) return sentence
  return `${sentence.slice(0, cutPoint(sentence, maxChars - 1)).trimEnd()}…`
}

function firstText(blocks: readonly Block[], withCode: boolean): string | null {
  for (const block of blocks) {
    const text = textOf(block, withCode)
    if (text !== null && isVisible(text)) return text
  }
  return null
}

/** The first row that says something: rows read out after each other without their lines say little. */
function tableStart(table: Table): string | null {
  const rows = table.children.map((row) => row.children.map((cell) => plainInline(cell.children)))
  return rows.find((cells) => cells.some(isVisible))?.join(' | ') ?? null
}

function textOf(block: Block, withCode: boolean): string | null {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return plainInline(block.children)
    case 'blockquote':
      return firstText(block.children, withCode)
    case 'list':
      return firstText(
        block.children.flatMap((item) => item.children),
        withCode,
      )
    case 'code':
      return withCode ? block.value : null
    case 'table':
      return withCode ? tableStart(block) : null
    case 'thematicBreak':
      return null
    default:
      return block satisfies never
  }
}
