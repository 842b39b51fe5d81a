import type { Block, Inline, Table } from '../../render/nodes.js'
import { plainInline } from '../../render/plain.js'
import { tableAsCode } from '../../render/width.js'
import { SLACK_LIMITS } from './limits.js'
import { defused } from './render-escape.js'
import { richInlines } from './render-inline.js'
import { carries, slackMarkdown } from './render-markdown.js'
import { richElements } from './render-rich.js'
import type { PlainText, SlackBlock, TableCell } from './render-wire.js'

/** A block of the document with what a Slack message cannot hold as it is in another form: wide or nested tables. */
export function normalized(block: Block): Block {
  return normalizedBlock(block, true)
}

function normalizedBlock(block: Block, isTop: boolean): Block {
  switch (block.type) {
    case 'table':
      return !isTop || block.align.length > SLACK_LIMITS.tableColumns.budget ? tableAsCode(block) : block
    case 'blockquote':
      return { ...block, children: block.children.map((child) => normalizedBlock(child, false)) }
    case 'list':
      return {
        ...block,
        children: block.children.map((item) => ({
          ...item,
          children: item.children.map((child) => normalizedBlock(child, false)),
        })),
      }
    case 'paragraph':
    case 'heading':
    case 'code':
    case 'thematicBreak':
      return block
    default:
      return block satisfies never
  }
}

type Form = 'markdown' | 'rich' | 'header' | 'table' | 'divider'

/**
 * The richest safe blocks for the blocks of one part. A part that a `markdown` block carries whole goes that way,
 * as Slack then styles headings and code; else rich text, and only code with a language stays `markdown`.
 */
export function slackBlocks(blocks: readonly Block[], allowed: ReadonlySet<string>): SlackBlock[] {
  const isCarried = blocks.every(
    (block): boolean => block.type === 'table' || block.type === 'thematicBreak' || carries(block),
  )
  const written = runsOf(blocks, (block) => formOf(block, isCarried)).map(([form, run]) =>
    shaped(form, run, allowed),
  )
  const all = written.flat()
  const markdownChars = all.reduce(
    (chars, block) => chars + (block.type === 'markdown' ? block.text.length : 0),
    0,
  )
  if (markdownChars <= SLACK_LIMITS.messageChars.budget) return all
  return runsOf(blocks, plainForm).flatMap(([form, run]) => shaped(form, run, allowed))
}

function formOf(block: Block, isCarried: boolean): Form {
  if (block.type === 'table' || block.type === 'thematicBreak') return plainForm(block)
  if (isCarried || (block.type === 'code' && block.lang !== null && carries(block))) return 'markdown'
  return plainForm(block)
}

function plainForm(block: Block): Form {
  if (block.type === 'table') return 'table'
  if (block.type === 'thematicBreak') return 'divider'
  return block.type === 'heading' && isHeader(block.depth, block.children) ? 'header' : 'rich'
}

/** Slack's header block is plain text in one size: for the upper levels, when nothing is lost. */
function isHeader(depth: number, children: readonly Inline[]): boolean {
  const isPlain = children.every(
    (child): boolean => child.type !== 'link' && child.type !== 'mention' && child.type !== 'image',
  )
  const text = defused(plainInline(children))
  return depth <= 2 && isPlain && text.trim() !== '' && text.length <= SLACK_LIMITS.headerChars.budget
}

function runsOf(blocks: readonly Block[], form: (block: Block) => Form): [Form, Block[]][] {
  const runs: [Form, Block[]][] = []
  for (const block of blocks) {
    const kind = form(block)
    const last = runs.at(-1)
    if (last !== undefined && last[0] === kind && (kind === 'rich' || kind === 'markdown'))
      last[1].push(block)
    else runs.push([kind, [block]])
  }
  return runs
}

function shaped(form: Form, run: readonly Block[], allowed: ReadonlySet<string>): readonly SlackBlock[] {
  const [first] = run
  switch (form) {
    case 'markdown':
      return [{ type: 'markdown', text: slackMarkdown(run) }]
    case 'rich': {
      const elements = richElements(run, allowed)
      return elements.length === 0 ? [] : [{ type: 'rich_text', elements }]
    }
    case 'header':
      return first?.type === 'heading'
        ? [{ type: 'header', text: plainText(plainInline(first.children)) }]
        : []
    case 'divider':
      return [{ type: 'divider' }]
    case 'table':
      return first?.type === 'table' ? [tableBlock(first, allowed)] : []
    default:
      return form satisfies never
  }
}

/** A plain text object: nothing in it is parsed. */
export function plainText(text: string): PlainText {
  return { type: 'plain_text', text: defused(text.replaceAll('\n', ' ')), emoji: false }
}

function tableBlock(table: Table, allowed: ReadonlySet<string>): SlackBlock {
  return {
    type: 'table',
    rows: table.children.map((row) => row.children.map((cell) => tableCell(cell.children, allowed))),
    column_settings: table.align.map((align) => ({ align: align ?? 'left', is_wrapped: true })),
  }
}

/** Plain cells as raw text, others as rich text. Slack refuses an empty text, so an empty cell is a space. */
function tableCell(inlines: readonly Inline[], allowed: ReadonlySet<string>): TableCell {
  if (inlines.every((inline): boolean => inline.type === 'text')) {
    const text = plainInline(inlines)
    return { type: 'raw_text', text: text === '' ? ' ' : defused(text) }
  }
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: richInlines(inlines, allowed) }],
  }
}
