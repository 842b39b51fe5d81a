import type { Message, RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import { type PartPlace, partsOf } from '../../render/plan.js'
import { tableAsCode } from '../../render/width.js'
import { LARK_LIMITS } from './limits.js'
import type { Dialect } from './render-blocks.js'
import { contentBytes } from './render-bytes.js'
import { cardBody } from './render-card.js'
import { frameOf } from './render-frame.js'
import { type KeepTables, measureIn, prepareBlock } from './render-prepare.js'
import type { Say } from './render-words.js'

/** A character of text takes at most seven bytes on the wire, so text cut to this fits beside a full frame. */
const MAX_LEAF_CHARS = 1_000
/** The lines under an answer, the summary and the separators of a card, at their longest. */
const SUMMARY_BYTES = 600
/** A card with nothing in it, its summary included, and its footers in one language. */
const SKELETON_BYTES = 1_500

/**
 * What of an answer its first card shows when the rest is in a file. The same for every message, so that the cards
 * that stand in for a refused file begin where it ended. Beside the largest frame it fits a card.
 */
export const PREVIEW_BYTES = 8_000

/** What stands around the answer and takes from its room. */
export interface CardRoom {
  readonly message: Message
  readonly say: Say
  readonly context: RenderContext
  readonly dialect: Dialect
}

/** The blocks of each card; one empty card when there is nothing but our own words, none when there is nothing at all. */
export function* planCards(
  blocks: Iterable<Block>,
  room: CardRoom,
  firstBytes: number = LARK_LIMITS.cardBytes.budget - frameBytes(room, true),
): Generator<readonly Block[]> {
  let isEmpty = true
  const cards = planBlocks(blocks, {
    dialect: room.dialect,
    keepTables: 'native',
    firstBytes,
    bytes: LARK_LIMITS.cardBytes.budget - frameBytes(room, false),
  })
  for (const card of cards) {
    isEmpty = false
    yield card
  }
  const { header, diagnostic } = room.message
  if (isEmpty && (header !== null || diagnostic !== null)) yield []
}

/** How blocks become messages of one type. Bytes are on the wire, for the answer alone. */
export interface BlockPlan {
  readonly dialect: Dialect
  readonly keepTables: KeepTables
  readonly firstBytes: number
  readonly bytes: number
}

/** Blocks split into messages that keep their budgets, each as soon as it is complete. */
export function* planBlocks(blocks: Iterable<Block>, plan: BlockPlan): Generator<readonly Block[]> {
  const tables = LARK_LIMITS.tablesPerCard.budget
  const parts = partsOf(prepared(blocks, plan.keepTables), {
    measure: measureIn(plan.dialect),
    budget: { bytes: plan.bytes, tables },
    firstBudget: { bytes: plan.firstBytes, tables },
    maxLeafChars: MAX_LEAF_CHARS,
    replace: standIn,
  })
  for (const part of parts) yield part.children
}

function* prepared(blocks: Iterable<Block>, keep: KeepTables): Generator<Block> {
  for (const block of blocks) yield prepareBlock(block, keep)
}

/**
 * Tables of a second card, still rather empty, go on as code: an answer of many small tables is not worth a card for
 * every four of them.
 */
function standIn(block: Block, field: string, place: PartPlace): Block | null {
  const isCode = block.type === 'table' && field === 'tables' && !place.isFirst && !place.isFullEnough
  return isCode ? tableAsCode(block) : null
}

/** A card without its answer: any part may turn out to be the last and carry the buttons. */
function frameBytes(room: CardRoom, isFirst: boolean): number {
  const { message, say } = room
  if (!hasOwnLines(message)) return SKELETON_BYTES + LARK_LIMITS.footerBytes.budget
  const frame = frameOf(message, {
    isFirst,
    isLast: true,
    summary: '',
    footers: [
      { key: 'file.continues', vars: { bytes: 999_999_999 } },
      { key: 'part.counter', vars: { part: 999, total: 999 } },
      ...(message.footer === undefined ? [] : [message.footer]),
    ],
  })
  return contentBytes(JSON.stringify(cardBody(' ', frame, say))) + SUMMARY_BYTES
}

/** Whether a message has lines of ours besides where it continues and which part it is. */
export function hasOwnLines(message: Message): boolean {
  const { header, diagnostic, footer, buttons, runUrl } = message
  return [header, diagnostic, footer, runUrl].some((one) => one != null) || buttons.length > 0
}
