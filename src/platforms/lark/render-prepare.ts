import type { Cost } from '../../render/amounts.js'
import type { Block, Inline, ListItem, Table } from '../../render/nodes.js'
import { tableAsCode } from '../../render/width.js'
import { LARK_LIMITS } from './limits.js'
import { type Dialect, writtenOnce } from './render-blocks.js'
import { wireBytes } from './render-bytes.js'
import { isAllowed } from './render-inline.js'

/** Which tables stay tables: a card's own, not too wide. Lists, quotes and posts hold none. */
export type KeepTables = 'native' | 'none'

/** Blocks whose tables can all be shown; the others became aligned code. */
export function prepareBlocks(blocks: readonly Block[], keep: KeepTables): readonly Block[] {
  return blocks.map((block) => prepareBlock(block, keep))
}

/** One block, with tables that can all be shown. */
export function prepareBlock(block: Block, keep: KeepTables): Block {
  switch (block.type) {
    case 'table':
      return keep === 'native' && fitsCard(block) ? block : tableAsCode(block)
    case 'blockquote':
      return { ...block, children: prepareBlocks(block.children, 'none') }
    case 'list':
      return {
        ...block,
        children: block.children.map((item) => ({ ...item, children: prepareBlocks(item.children, 'none') })),
      }
    default:
      return block
  }
}

function fitsCard(table: Table): boolean {
  return table.align.length <= LARK_LIMITS.tableColumns.budget
}

/** What a block takes of a message: `bytes` on the wire, an upper bound, and `tables`. */
export function measureIn(dialect: Dialect): (block: Block) => Cost {
  return (block) => ({
    bytes: wireBytes(writtenOnce(block, dialect)) + joinBytes(block, 0),
    tables: block.type === 'table' ? 1 : 0,
  })
}

const BLANK_LINE_BYTES = 6
const LINE_END_BYTES = 3
/** Two lines' indent of one level; a quote's blank line is prefixed too. */
const INDENT_BYTES = 8
const LIST_BREAK_BYTES = 12

/** What joining may add between the parts of a block that were measured alone: line ends, indents, spaces at emphasis. */
function joinBytes(node: Block | ListItem, depth: number): number {
  const own = BLANK_LINE_BYTES + INDENT_BYTES * depth
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return own + (node.children.length === 0 ? 0 : 4)
    case 'table':
      return own + node.children.length * LINE_END_BYTES
    case 'list':
      return own + LIST_BREAK_BYTES + sum(node.children, depth)
    case 'listItem':
      return own + sum(node.children, depth + 1)
    case 'blockquote':
      return own + sum(node.children, depth + 1)
    case 'code':
    case 'thematicBreak':
      return own
    default:
      return node satisfies never
  }
}

function sum(nodes: readonly (Block | ListItem)[], depth: number): number {
  return nodes.reduce((bytes, node) => bytes + joinBytes(node, depth), 0)
}

/** How many mentions a rendering shows as plain text. */
export function countNeutralised(
  nodes: readonly (Block | ListItem | Inline)[],
  mentions: readonly string[],
): number {
  let count = 0
  for (const node of nodes) {
    if (node.type === 'mention') count += isAllowed(node, mentions) ? 0 : 1
    else if (node.type === 'table')
      count += countNeutralised(
        node.children.flatMap((row) => row.children.flatMap((cell) => cell.children)),
        mentions,
      )
    else if ('children' in node) count += countNeutralised(node.children, mentions)
  }
  return count
}
