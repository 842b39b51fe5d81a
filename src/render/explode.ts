import { cutInlines, cutLines, inlineChars } from './cut-text.js'
import type { Block, ListItem, Table } from './nodes.js'
import type { Join, Piece } from './pieces.js'
import { tableAsCode } from './width.js'

/** How small text has to be cut. */
export interface Cutter {
  /** Text or a line of code of this many characters fits any part. */
  readonly maxLeafChars: number
  /** A number no container of this document had before. */
  readonly nextId: () => number
}

/**
 * The piece taken apart one level: a list into items, an item or quote into blocks, a table into rows under its
 * header, code into lines, text into sentences. Null when it is as small as it gets.
 */
export function explode(piece: Piece, cutter: Cutter): readonly Piece[] | null {
  const slices = slicesAt(piece.block, piece.joins.length, cutter)
  if (slices === null) return null
  const { nodes, isItem, isRewrite, isLines } = slices
  if (isRewrite) return nodes.map((block) => ({ ...piece, block }))
  const id = cutter.nextId()
  return nodes.map((block, index) => {
    const join: Join = { id, isItem, isFirst: index === 0 }
    return {
      block,
      joins: [...piece.joins.map((outer) => ({ ...outer, isFirst: outer.isFirst && index === 0 })), join],
      isCutLine: isLines && index < nodes.length - 1,
    }
  })
}

interface Slices<T> {
  readonly nodes: readonly T[]
  readonly isItem: boolean
  /** The node was replaced by another of the same meaning; nothing was taken apart yet. */
  readonly isRewrite: boolean
  readonly isLines: boolean
}

/** Slices of the node `level` levels down, each inside the same chain of containers. */
function slicesAt<T extends Block | ListItem>(node: T, level: number, cutter: Cutter): Slices<T> | null
function slicesAt(node: Block | ListItem, level: number, cutter: Cutter): Slices<Block | ListItem> | null {
  if (level === 0) return slicesOf(node, cutter)
  if (node.type === 'list') {
    const [item] = node.children
    const inner = item === undefined ? null : slicesAt(item, level - 1, cutter)
    return inner === null
      ? null
      : { ...inner, nodes: inner.nodes.map((child) => ({ ...node, children: [child] })) }
  }
  if (node.type === 'listItem' || node.type === 'blockquote') {
    const [block] = node.children
    const inner = block === undefined ? null : slicesAt(block, level - 1, cutter)
    return inner === null
      ? null
      : { ...inner, nodes: inner.nodes.map((child) => ({ ...node, children: [child] })) }
  }
  return null
}

function slicesOf(node: Block | ListItem, cutter: Cutter): Slices<Block | ListItem> | null {
  switch (node.type) {
    case 'list':
      return taken(node.children.map((item, at) => ({ ...node, start: node.start + at, children: [item] })))
    case 'listItem':
      return { ...taken(node.children.map((child) => ({ ...node, children: [child] }))), isItem: true }
    case 'blockquote':
      return taken(node.children.map((child) => ({ ...node, children: [child] })))
    case 'table':
      return tableSlices(node, cutter)
    case 'code': {
      const lines = cutLines(node.value, cutter.maxLeafChars)
      return { ...taken(lines.map((value) => ({ ...node, value }))), isLines: true }
    }
    case 'paragraph':
    case 'heading':
      return taken(cutInlines(node.children, cutter.maxLeafChars).map((children) => ({ ...node, children })))
    case 'thematicBreak':
      return null
    default:
      return node satisfies never
  }
}

function taken(nodes: readonly (Block | ListItem)[]): Slices<Block | ListItem> {
  return { nodes, isItem: false, isRewrite: false, isLines: false }
}

/** Rows under their header; a table whose rows are larger than a leaf becomes code, which cuts anywhere. */
function tableSlices(table: Table, cutter: Cutter): Slices<Block> | null {
  const [header, ...rows] = table.children
  const sizes = table.children.map((row) =>
    row.children.reduce((chars, cell) => chars + 4 + inlineChars(cell.children), 0),
  )
  if (header === undefined || rows.length === 0 || sizes.some((chars) => chars > cutter.maxLeafChars)) {
    return { nodes: [tableAsCode(table)], isItem: false, isRewrite: true, isLines: false }
  }
  const nodes = rows.map((row): Block => ({ ...table, children: [header, row] }))
  return { nodes, isItem: false, isRewrite: false, isLines: false }
}
