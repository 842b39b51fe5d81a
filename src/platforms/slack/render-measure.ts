import type { Cost } from '../../render/amounts.js'
import type { Block, Inline, Paragraph, Table } from '../../render/nodes.js'
import { plainInline } from '../../render/plain.js'
import { tableAsCode } from '../../render/width.js'
import { SLACK_LIMITS } from './limits.js'

/** Frame of a line, item or cell besides its text, in characters: an upper guess of what Slack adds when it counts. */
const FRAME_CHARS = 4
/** Blocks beside the running rich text block: the block itself and the rich text that goes on behind it. */
const OWN_BLOCKS = 2

/** What one message may hold; the fields `measureBlock` counts. */
export const MESSAGE_BUDGET = {
  chars: SLACK_LIMITS.messageChars.budget,
  blocks: SLACK_LIMITS.blocks.budget - 6,
  elements: SLACK_LIMITS.elements.budget,
  tables: SLACK_LIMITS.tables.budget,
  rows: SLACK_LIMITS.tableRows.budget,
  cells: SLACK_LIMITS.tableChars.budget,
} as const satisfies Cost

/** A leaf that fits a message beside a header and a heading. */
export const MAX_LEAF_CHARS = 1_500

/** What a block takes of a message, whichever form it is given; additive over list items, rows and lines. */
export function measureBlock(block: Block): Cost {
  switch (block.type) {
    case 'paragraph':
      return {
        chars: FRAME_CHARS + inlineChars(block.children),
        elements: 1 + inlineElements(block.children),
      }
    case 'heading':
      return {
        chars: FRAME_CHARS + block.depth + inlineChars(block.children),
        elements: 1 + inlineElements(block.children),
        blocks: OWN_BLOCKS,
      }
    case 'code':
      return {
        chars: 2 * FRAME_CHARS + (block.lang?.length ?? 0) + block.value.length,
        elements: 1,
        blocks: OWN_BLOCKS,
      }
    case 'thematicBreak':
      return { chars: FRAME_CHARS, blocks: OWN_BLOCKS }
    case 'blockquote':
      return flat(block.children, 2)
    case 'list':
      return flat(
        block.children.flatMap((item): readonly Block[] => [ITEM_FRAME, ...item.children]),
        0,
      )
    case 'table':
      return measureTable(block)
    default:
      return block satisfies never
  }
}

/** Stands for an item's mark, so that empty items cost too. */
const ITEM_FRAME: Paragraph = { type: 'paragraph', children: [] }

function flat(blocks: readonly Block[], extraChars: number): Cost {
  let chars = extraChars
  let elements = 1
  for (const block of blocks) {
    const cost = measureBlock(block)
    chars += cost.chars ?? 0
    elements += cost.elements ?? 0
  }
  return { chars, elements }
}

function measureTable(table: Table): Cost {
  let cells = 0
  let elements = 0
  for (const row of table.children) {
    for (const cell of row.children) {
      cells += FRAME_CHARS + inlineChars(cell.children)
      elements += 1
    }
  }
  // A table that ends up as code takes its padding too, which the caller's leaf size leaves room for.
  return { chars: cells, cells, elements, tables: 1, rows: table.children.length, blocks: OWN_BLOCKS }
}

/** The most a run of inline content takes, escapes of a `markdown` block left to its own limit. */
function inlineChars(inlines: readonly Inline[]): number {
  let chars = 0
  for (const inline of inlines) chars += inlineCharsOf(inline)
  return chars
}

function inlineCharsOf(inline: Inline): number {
  switch (inline.type) {
    case 'text':
      return inline.value.length
    case 'inlineCode':
      return FRAME_CHARS + inline.value.length
    case 'emphasis':
    case 'strong':
    case 'delete':
      return FRAME_CHARS + inlineChars(inline.children)
    case 'link':
      return FRAME_CHARS + inline.url.length + plainInline(inline.children).length
    case 'image':
      return FRAME_CHARS + inline.url.length + inline.alt.length
    case 'break':
      return 1
    case 'footnoteReference':
      return FRAME_CHARS + inline.label.length
    case 'mention':
      return FRAME_CHARS + Math.max(inline.raw.length, inline.name.length)
    default:
      return inline satisfies never
  }
}

/** Text runs on in one element; anything else is an element and interrupts the text. */
function inlineElements(inlines: readonly Inline[]): number {
  let elements = 0
  for (const inline of inlines) {
    if ('children' in inline) elements += 2 + inlineElements(inline.children)
    else if (inline.type !== 'text' && inline.type !== 'break') elements += 2
  }
  return elements
}

/** What stands in for a table that a message has no room for: aligned code. Other blocks have no stand-in. */
export function standIn(block: Block, field: string): Block | null {
  return block.type === 'table' && field === 'tables' ? tableAsCode(block) : null
}
