import { z } from 'zod'
import type { Line, RenderContext } from '../../render/message.js'
import type { Json, Part } from '../../render/part.js'
import { sayIn } from './render-words.js'
import { wireOf } from './wire.js'

const Card = z.looseObject({ body: z.looseObject({ elements: z.array(z.custom<Json>()) }) })
const Button = z.object({
  tag: z.literal('button'),
  behaviors: z.array(z.object({ type: z.literal('callback') })),
})
const Row = z.object({
  tag: z.literal('column_set'),
  columns: z.array(z.object({ elements: z.tuple([Button]) })),
})

/** The same card with a line of ours, in every reader's language, in place of its buttons; null when it has none. */
export function pressedLark(part: Part, line: Line, context: RenderContext): Part | null {
  if (part.kind === 'file') return null
  const card = cardOf(part)
  if (card === undefined) return null
  const kept = card.body.elements.filter((element) => !isButtons(element))
  if (kept.length === card.body.elements.length) return null
  const text = {
    tag: 'plain_text',
    ...sayIn(context, [line])(line),
    text_size: 'notation',
    text_color: 'grey',
  }
  const body = { ...card.body, elements: [...kept, { tag: 'div', text }] }
  return { ...part, content: { ...part.content, content: JSON.stringify({ ...card, body }) } }
}

/** The elements of a card part that are buttons to press; none of what is no card. */
export function buttonsIn(part: Part): readonly Json[] {
  return cardOf(part)?.body.elements.filter(isButtons) ?? []
}

/** The same card with `elements` at its end; what is no card stays as it is. */
export function withElements<T extends Part>(part: T, elements: readonly Json[]): T {
  const card = elements.length === 0 || part.kind === 'file' ? undefined : cardOf(part)
  if (card === undefined || part.kind === 'file') return part
  const body = { ...card.body, elements: [...card.body.elements, ...elements] }
  return { ...part, content: { ...part.content, content: JSON.stringify({ ...card, body }) } }
}

function cardOf(part: Part): z.infer<typeof Card> | undefined {
  const wire = part.kind === 'file' ? null : wireOf(part)
  return wire?.msgType === 'interactive' ? Card.safeParse(JSON.parse(wire.content)).data : undefined
}

/** A button, or a row that holds nothing but buttons: only ours look so. */
function isButtons(element: Json): boolean {
  return Button.safeParse(element).success || Row.safeParse(element).success
}
