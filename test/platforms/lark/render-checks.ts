import { parseMarkdown } from '../../../src/render/document.js'
import type { Block, Inline, ListItem } from '../../../src/render/nodes.js'
import { makeSafe } from '../../../src/render/safety.js'

/** A tag, written or encoded, that could reach somebody. */
export const PING = /(?:<|&lt;?|&#0*60;?|&#x0*3c;?)\s*\/?\s*(?:at|person)\b/i

/**
 * The letters and digits a reader sees, in order, of a Markdown text: with white space, marks, invisible characters
 * and the repeated header rows left out, so that parts joined can be compared with their source.
 */
export function wordsOf(markdown: string): string {
  const { text } = makeSafe(markdown, ['correct-horse-battery-staple'])
  return lettersOf(blocksText(parseMarkdown(text).children))
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

let lastHeader = ''

function blocksText(blocks: readonly (Block | ListItem)[]): string {
  lastHeader = ''
  return blocks.map(blockText).join(' ')
}

function blockText(block: Block | ListItem): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return inlineText(block.children)
    case 'code':
      return block.value
    case 'table': {
      const rows = block.children.map((row) =>
        row.children.map((cell) => inlineText(cell.children)).join(' '),
      )
      const [header = '', ...others] = rows
      const isRepeated = header === lastHeader
      lastHeader = header
      return (isRepeated ? others : rows).join(' ')
    }
    case 'list':
    case 'listItem':
    case 'blockquote':
      return block.children.map(blockText).join(' ')
    case 'thematicBreak':
      return ''
    default:
      return block satisfies never
  }
}

function inlineText(inlines: readonly Inline[]): string {
  return inlines.map(oneText).join('')
}

function oneText(inline: Inline): string {
  switch (inline.type) {
    case 'text':
    case 'inlineCode':
      return inline.value
    case 'emphasis':
    case 'strong':
    case 'delete':
      return inlineText(inline.children)
    case 'link': {
      const label = inlineText(inline.children)
      const address = inline.url.replace(/^(?:mailto|tel):/i, '')
      return address === inline.url || address === label ? label : `${label}${address}`
    }
    case 'image':
      return inline.alt
    case 'break':
      return '\n'
    case 'footnoteReference':
      return inline.label
    case 'mention':
      return inline.name
    default:
      return inline satisfies never
  }
}

/** Whether every fence that opens also closes. */
export function fencesBalance(markdown: string): boolean {
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const mark = /^[\s>]*(?:(?:-|\d+\.) +)*(`{3,})(.*)$/.exec(line)
    if (mark === null) continue
    const [, run = '', rest = ''] = mark
    if (fence === null) fence = rest.includes('`') ? null : run
    else if (run.length >= fence.length && rest.trim() === '') fence = null
  }
  return fence === null
}
