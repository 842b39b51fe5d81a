import type { RenderContext } from '../../render/message.js'
import type { Json, Part } from '../../render/part.js'
import { SLACK_LIMITS } from './limits.js'
import { said } from './render-part.js'

/** Names our line among a message's blocks, so that it is not added twice. */
const MARK_ID = 'lastword_may_be_repeated'

/**
 * The same part with a last line saying that its reader may have it already. Everything else stays byte for byte.
 * Null where there is no room for a line, or no place: a file has none.
 */
export function markRepeatSlack(part: Part, context: RenderContext): Part | null {
  if (part.kind === 'file') return null
  const { text, blocks } = part.content
  const line = said({ key: 'may_be_repeated', vars: {} }, context)
  if (!Array.isArray(blocks) || blocks.length === 0) {
    if (typeof text !== 'string' || text.endsWith(line)) return null
    return { ...part, content: { ...part.content, text: `${text}\n\n${line}` } }
  }
  if (blocks.length >= SLACK_LIMITS.blocks.max || blocks.some(isMark)) return null
  const mark = { type: 'context', block_id: MARK_ID, elements: [{ type: 'plain_text', text: line }] }
  return { ...part, content: { ...part.content, blocks: [...blocks, mark] } }
}

function isMark(block: Json): boolean {
  return typeof block === 'object' && block !== null && 'block_id' in block && block.block_id === MARK_ID
}
