import { type Cutter, explode } from './explode.js'
import type { Block } from './nodes.js'
import { joinPieces, type Piece, sharedLevels, wholeBlock, withoutContinuedItem } from './pieces.js'

/** The last bit of a block, and what is left of it. */
export interface Tail {
  readonly rest: Block
  readonly tail: readonly Block[]
}

/**
 * Takes the last item, row, line or sentence off a block, or the last `maxLeafChars` of one long sentence. Null when it
 * has only one, or would have to become another kind of block.
 */
export function splitTail(block: Block, cutter: Cutter): Tail | null {
  let pieces: readonly Piece[] = [wholeBlock(block)]
  for (let [only] = pieces; pieces.length === 1 && only !== undefined; [only] = pieces) {
    const slices = explode(only, cutter)
    if (slices === null || slices.some((slice) => slice.joins.length === only.joins.length)) return null
    pieces = slices
  }
  const last = pieces.at(-1)
  const rest = pieces
    .slice(0, -1)
    .reduce((before, piece) => joinPieces(before, piece, sharedLevels(before, piece)))
  if (last === undefined) return null
  const tail = withoutContinuedItem(last, 0) ?? [last]
  return { rest: finished(rest), tail: tail.map(finished) }
}

/** A code slice that ends between two lines ends without the line end. */
export function finished(piece: Piece): Block {
  return piece.isCutLine ? withoutLastLineEnd(piece.block) : piece.block
}

function withoutLastLineEnd(block: Block): Block {
  if (block.type === 'code') return { ...block, value: block.value.replace(/\n$/, '') }
  if (block.type === 'blockquote')
    return { ...block, children: changeLast(block.children, withoutLastLineEnd) }
  if (block.type !== 'list') return block
  return {
    ...block,
    children: changeLast(block.children, (item) => ({
      ...item,
      children: changeLast(item.children, withoutLastLineEnd),
    })),
  }
}

function changeLast<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  return items.map((item, at) => (at === items.length - 1 ? change(item) : item))
}
