import type { Block, Inline, ListItem } from './nodes.js'

/** One level a piece was taken out of. Pieces with the same `id` there came from the same node and can rejoin. */
export interface Join {
  readonly id: number
  readonly isItem: boolean
  /** The first piece of its node: carries an item's number and tick. */
  readonly isFirst: boolean
}

/**
 * A block, or a slice of one inside the containers it was taken out of: `joins[0]` is the block itself, each
 * further join the only child of the one before. A slice always holds exactly one child a level.
 */
export interface Piece {
  readonly block: Block
  readonly joins: readonly Join[]
  /** More lines of the same code follow, so a line end is left to drop when the part ends here. */
  readonly isCutLine: boolean
}

export function wholeBlock(block: Block): Piece {
  return { block, joins: [], isCutLine: false }
}

/** How many outer levels two neighbours share. */
export function sharedLevels(before: Piece, piece: Piece): number {
  let shared = 0
  while (shared < piece.joins.length && before.joins[shared]?.id === piece.joins[shared]?.id) shared += 1
  return shared
}

/** The piece put behind its neighbour, joined in the `levels` they share. */
export function joinPieces(before: Piece, piece: Piece, levels: number): Piece {
  return { ...piece, block: joinBlocks(before.block, piece.block, levels) }
}

function joinBlocks<T extends Block | ListItem>(a: T, b: Block | ListItem, levels: number): T
function joinBlocks(a: Block | ListItem, b: Block | ListItem, levels: number): Block | ListItem {
  if (a.type === 'code' && b.type === 'code') return { ...a, value: a.value + b.value }
  if (a.type === 'table' && b.type === 'table')
    return { ...a, children: [...a.children, ...b.children.slice(1)] }
  if (a.type === 'list' && b.type === 'list')
    return { ...a, children: joinChildren(a.children, b.children, levels) }
  if (a.type === 'listItem' && b.type === 'listItem')
    return { ...a, children: joinChildren(a.children, b.children, levels) }
  if (a.type === 'blockquote' && b.type === 'blockquote')
    return { ...a, children: joinChildren(a.children, b.children, levels) }
  if ((a.type === 'paragraph' || a.type === 'heading') && (b.type === 'paragraph' || b.type === 'heading'))
    return { ...a, children: joinInlines(a.children, b.children) }
  return a
}

/** Text and marks that were cut apart are one again. */
function joinInlines(a: readonly Inline[], b: readonly Inline[]): readonly Inline[] {
  const [last, first] = [a.at(-1), b[0]]
  const joined = last === undefined || first === undefined ? null : joinInline(last, first)
  return joined === null ? [...a, ...b] : [...a.slice(0, -1), joined, ...b.slice(1)]
}

function joinInline(a: Inline, b: Inline): Inline | null {
  if (a.type === 'text' && b.type === 'text') return { type: 'text', value: a.value + b.value }
  if (a.type === 'strong' && b.type === 'strong')
    return { ...a, children: joinInlines(a.children, b.children) }
  if (a.type === 'emphasis' && b.type === 'emphasis')
    return { ...a, children: joinInlines(a.children, b.children) }
  if (a.type === 'delete' && b.type === 'delete')
    return { ...a, children: joinInlines(a.children, b.children) }
  return null
}

function joinChildren<T extends Block | ListItem>(
  a: readonly T[],
  b: readonly T[],
  levels: number,
): readonly T[] {
  const [last, first] = [a.at(-1), b[0]]
  if (levels === 1 || last === undefined || first === undefined) return [...a, ...b]
  return [...a.slice(0, -1), joinBlocks(last, first, levels - 1), ...b.slice(1)]
}

/** What of a piece already stands in the part when it joins there: the shared containers, emptied. */
export function shellOf(block: Block, levels: number): Block {
  return shell(block, levels)
}

function shell<T extends Block | ListItem>(node: T, levels: number): T
function shell(node: Block | ListItem, levels: number): Block | ListItem {
  switch (node.type) {
    case 'list':
      return { ...node, children: levels === 1 ? [] : node.children.map((item) => shell(item, levels - 1)) }
    case 'listItem':
      return { ...node, children: levels === 1 ? [] : node.children.map((child) => shell(child, levels - 1)) }
    case 'blockquote':
      return { ...node, children: levels === 1 ? [] : node.children.map((child) => shell(child, levels - 1)) }
    case 'table':
      return { ...node, children: node.children.slice(0, 1) }
    case 'code':
      return { ...node, value: '' }
    case 'paragraph':
    case 'heading':
      return { ...node, children: [] }
    case 'thematicBreak':
      return node
    default:
      return node satisfies never
  }
}

/**
 * A later piece of a list item whose beginning stands in another part, without its item: a number is never
 * repeated. Null when there is no such item below the `shared` levels.
 */
export function withoutContinuedItem(piece: Piece, shared: number): readonly Piece[] | null {
  const level = piece.joins.findIndex((join, at) => at >= shared && join.isItem && !join.isFirst)
  if (level < 1) return null
  const joins = [...piece.joins.slice(0, level - 1), ...piece.joins.slice(level + 1)]
  return lift(piece.block, level - 1).map((block) => ({ ...piece, block, joins }))
}

/** Replaces the list at `level` by the blocks of its one item. */
function lift(block: Block, level: number): readonly Block[] {
  if (level === 0) return block.type === 'list' ? block.children.flatMap((item) => item.children) : [block]
  if (block.type === 'blockquote')
    return [{ ...block, children: block.children.flatMap((child) => lift(child, level - 1)) }]
  if (block.type !== 'list') return [block]
  const children = block.children.map((item) => ({
    ...item,
    children: item.children.flatMap((child) => lift(child, level - 2)),
  }))
  return [{ ...block, children }]
}
