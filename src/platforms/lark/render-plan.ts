import type { Message, RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import { planParts } from '../../render/plan.js'
import { LARK_LIMITS } from './limits.js'
import type { Dialect } from './render-blocks.js'
import { contentBytes } from './render-bytes.js'
import { cardBody } from './render-card.js'
import { frameOf } from './render-frame.js'
import { type KeepTables, measureIn, prepareBlocks } from './render-prepare.js'
import type { Say } from './render-words.js'

/** A character of text takes at most seven bytes on the wire, so text cut to this fits beside a full frame. */
const MAX_LEAF_CHARS = 1_000
/** The lines under an answer, the summary and the separators of a card, at their longest. */
const SUMMARY_BYTES = 600

/** What stands around the answer and takes from its room. */
export interface CardRoom {
  readonly message: Message
  readonly say: Say
  readonly context: RenderContext
}

/** The blocks of each card; one empty card when there is nothing but our own words, none when there is nothing at all. */
export function planCards(blocks: readonly Block[], room: CardRoom): readonly (readonly Block[])[] {
  const plan = planBlocks(blocks, {
    dialect: { mentions: room.context.mentions, headings: true },
    keepTables: 'native',
    firstBytes: LARK_LIMITS.cardBytes.budget - frameBytes(room, true),
    bytes: LARK_LIMITS.cardBytes.budget - frameBytes(room, false),
  })
  const hasOwnWords = room.message.header !== null || room.message.diagnostic !== null
  return plan.length === 0 && hasOwnWords ? [[]] : plan
}

/** How blocks become messages of one type. Bytes are on the wire, for the answer alone. */
export interface BlockPlan {
  readonly dialect: Dialect
  readonly keepTables: KeepTables
  readonly firstBytes: number
  readonly bytes: number
}

/** Blocks split into messages that keep their budgets. */
export function planBlocks(blocks: readonly Block[], plan: BlockPlan): readonly (readonly Block[])[] {
  const tables = LARK_LIMITS.tablesPerCard.budget
  const children = prepareBlocks(blocks, plan.keepTables)
  const parts = planParts(
    { type: 'root', children },
    {
      measure: measureIn(plan.dialect),
      budget: { bytes: plan.bytes, tables },
      firstBudget: { bytes: plan.firstBytes, tables },
      maxLeafChars: MAX_LEAF_CHARS,
    },
  )
  return parts.map((part) => part.children)
}

/** A card without its answer: any part may turn out to be the last and carry the buttons. */
function frameBytes(room: CardRoom, isFirst: boolean): number {
  const { message, say } = room
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
