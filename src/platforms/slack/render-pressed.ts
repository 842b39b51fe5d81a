import { z } from 'zod'
import type { Line, RenderContext } from '../../render/message.js'
import type { Json, Part } from '../../render/part.js'
import { said } from './render-part.js'

const Content = z.looseObject({ blocks: z.array(z.custom<Json>()) })
const Actions = z.object({ type: z.literal('actions') })

/** The same message with a line of ours in place of its buttons; null when it has none. */
export function pressedSlack(part: Part, line: Line, context: RenderContext): Part | null {
  if (part.kind === 'file') return null
  const content = Content.safeParse(part.content).data
  if (content === undefined || !content.blocks.some(isButtons)) return null
  const text = { type: 'plain_text', text: said(line, context), emoji: false } as const
  const blocks = content.blocks.map(
    (block): Json => (isButtons(block) ? { type: 'context', elements: [text] } : block),
  )
  return { ...part, content: { ...part.content, blocks } }
}

function isButtons(block: Json): boolean {
  return Actions.safeParse(block).success
}
