import { cutPoint, sentencesOf } from './cut-text.js'
import type { Block, Inline, ListItem } from './nodes.js'

/** The words of inline content as a reader would see them, without marks. */
export function plainInline(inlines: readonly Inline[]): string {
  let text = ''
  for (const inline of inlines) text += plainOne(inline)
  return text
}

function plainOne(inline: Inline): string {
  switch (inline.type) {
    case 'text':
    case 'inlineCode':
      return inline.value
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'link':
      return plainInline(inline.children)
    case 'image':
      return inline.alt
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

/** The words of a document, one block a line; list items with their number or bullet, table cells separated by ` | `. */
export function plainBlocks(blocks: readonly Block[]): string {
  return blocks.map(plainBlock).join('\n')
}

function plainBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return plainInline(block.children)
    case 'code':
      return block.value
    case 'blockquote':
      return plainBlocks(block.children)
    case 'list':
      return block.children
        .map((item, at) => `${block.ordered ? `${block.start + at}.` : '•'} ${plainItem(item)}`)
        .join('\n')
    case 'table':
      return block.children
        .map((row) => row.children.map((cell) => plainInline(cell.children)).join(' | '))
        .join('\n')
    case 'thematicBreak':
      return ''
    default:
      return block satisfies never
  }
}

function plainItem(item: ListItem): string {
  const tick = item.checked === null ? '' : item.checked ? '☑ ' : '☐ '
  return tick + plainBlocks(item.children)
}

/** Whether a person would see anything: letters, digits, signs, emoji; not only white space and format characters. */
export function hasVisibleText(text: string): boolean {
  return /[^\s\p{DI}\p{Cc}\u2800]/u.test(text)
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
    if (text !== null && hasVisibleText(text)) return text
  }
  return null
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
      return withCode ? plainBlock(block) : null
    case 'thematicBreak':
      return null
    default:
      return block satisfies never
  }
}
