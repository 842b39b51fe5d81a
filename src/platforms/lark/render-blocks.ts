import { fenced } from '../../render/markdown-out.js'
import type { Block, List, ListItem, Table, TableRow } from '../../render/nodes.js'
import { disarm, escapeClosingHash } from './render-escape.js'
import { inlineMarkdown } from './render-inline.js'

/** What Markdown a message type understands. Tables a type cannot show are code before (`render-prepare.ts`). */
export interface Dialect {
  /** Ids the text may ping. */
  readonly mentions: readonly string[]
  /** Cards show headings; a post's `md` node is not documented to. */
  readonly headings: boolean
  /** What was written of whole blocks in this dialect, so that what was measured is not written again. */
  readonly written?: WeakMap<Block, string>
}

/** The Markdown of cards, for one rendering. */
export function cardDialect(mentions: readonly string[]): Dialect {
  return { mentions, headings: true, written: new WeakMap() }
}

/** Lark indents nested lists by four; CommonMark agrees as long as the marker is shorter. */
const LIST_INDENT = 4

/** A paragraph nobody sees: keeps two lists of one kind from becoming one list with one count. */
const LIST_BREAK = '\u200b'

/** Blocks as Lark Markdown. Core's own writer has no place for four-space indents and the spaces Lark's emphasis needs. */
export function blocksMarkdown(blocks: readonly Block[], dialect: Dialect): string {
  const written: string[] = []
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1]
    const markdown = writtenOnce(block, dialect)
    if (markdown === '') continue
    if (before?.type === 'list' && block.type === 'list' && before.ordered === block.ordered)
      written.push(LIST_BREAK)
    written.push(markdown)
  }
  return written.join('\n\n')
}

/** One block, written once in a rendering. */
export function writtenOnce(block: Block, dialect: Dialect): string {
  const known = dialect.written?.get(block)
  if (known !== undefined) return known
  const markdown = blockMarkdown(block, dialect)
  dialect.written?.set(block, markdown)
  return markdown
}

function blockMarkdown(block: Block, dialect: Dialect): string {
  const place = { mentions: dialect.mentions, oneLine: false, boldAlready: false }
  switch (block.type) {
    case 'paragraph':
      return inlineMarkdown(block.children, place)
    case 'heading': {
      const text = escapeClosingHash(
        inlineMarkdown(block.children, { ...place, oneLine: true, boldAlready: true }),
      )
      if (text === '') return ''
      return dialect.headings ? `${'#'.repeat(block.depth)} ${text}` : `**${text}**`
    }
    case 'blockquote':
      return prefixed(blocksMarkdown(block.children, dialect), '> ', '> ')
    case 'list':
      return listMarkdown(block, dialect)
    case 'code':
      return fenced(block, disarm(block.value))
    case 'table':
      return tableMarkdown(block, dialect)
    case 'thematicBreak':
      return '---'
    default:
      return block satisfies never
  }
}

function listMarkdown(list: List, dialect: Dialect): string {
  const items = list.children.map((item, index) => {
    const marker = list.ordered ? `${list.start + index}. ` : '- '
    return itemMarkdown(item, marker, dialect)
  })
  return items.join('\n')
}

function itemMarkdown(item: ListItem, marker: string, dialect: Dialect): string {
  const box = item.checked === null ? '' : item.checked ? '☑ ' : '☐ '
  const indent = ' '.repeat(Math.ceil(marker.length / LIST_INDENT) * LIST_INDENT)
  const [first, ...others] = item.children
  const parts = others.map(
    (block, index) => `${separator(block, item.children[index])}${blockMarkdown(block, dialect)}`,
  )
  const start = first === undefined ? '' : blockMarkdown(first, dialect)
  const opens = first?.type === 'paragraph' || first?.type === 'heading' || first === undefined
  const body = opens ? `${box}${start}` : `${box === '' ? '' : `${box}\n\n`}${start}`
  return `${marker}${prefixed(body + parts.join(''), '', indent)}`
}

/** A list follows its text without a blank line, as people write it; other blocks need one. */
function separator(block: Block, previous: Block | undefined): string {
  return block.type === 'list' && previous?.type === 'paragraph' ? '\n' : '\n\n'
}

function prefixed(text: string, first: string, others: string): string {
  if (text !== '' && !text.includes('\n')) return first + text
  return text
    .split('\n')
    .map((line, index) => (line === '' ? others.trimEnd() : (index === 0 ? first : others) + line))
    .join('\n')
}

function tableMarkdown(table: Table, dialect: Dialect): string {
  const rule = table.align.map((side) => (side === 'center' ? ':---:' : side === 'right' ? '---:' : '---'))
  const [header, ...rows] = table.children.map((row) => rowMarkdown(row, dialect))
  return [header, `| ${rule.join(' | ')} |`, ...rows].join('\n')
}

function rowMarkdown(row: TableRow, dialect: Dialect): string {
  const cells = row.children.map((cell) =>
    inlineMarkdown(cell.children, {
      mentions: dialect.mentions,
      oneLine: true,
      boldAlready: false,
    }).replaceAll('|', '\\|'),
  )
  return `| ${cells.join(' | ')} |`
}
