import { z } from 'zod'
import type { Line, RenderContext } from '../../render/message.js'
import type { Json, Part } from '../../render/part.js'
import { LARK_LIMITS } from './limits.js'
import { utf8Bytes } from './render-bytes.js'
import { sayIn } from './render-words.js'
import { wireOf } from './wire.js'

/** Names our line among a card's elements, so that it is not added twice. */
const MARK_ID = 'may_be_repeated'

const Card = z.looseObject({ body: z.looseObject({ elements: z.array(z.custom<Json>()) }) })

/**
 * The same card with a last line saying, in every reader's language, that they may have it already. Everything else
 * stays. Null for what is no card, or where there is no room.
 */
export function markRepeatLark(part: Part, context: RenderContext): Part | null {
  if (part.kind === 'file') return null
  const wire = wireOf(part)
  if (wire === null || wire.msgType !== 'interactive' || wire.content.includes(`"${MARK_ID}"`)) return null
  const card = Card.safeParse(JSON.parse(wire.content)).data
  if (card === undefined) return null
  const line: Line = { key: 'may_be_repeated', vars: {} }
  const text = {
    tag: 'plain_text',
    ...sayIn(context, [line])(line),
    text_size: 'notation',
    text_color: 'grey',
  }
  const elements = [...card.body.elements, { tag: 'div', element_id: MARK_ID, text }]
  const content = JSON.stringify({ ...card, body: { ...card.body, elements } })
  if (utf8Bytes(content) > LARK_LIMITS.cardBytes.max) return null
  return { ...part, content: { ...part.content, content } }
}
