import { z } from 'zod'
import { createWords } from '../../../src/locales.js'
import type { Message, RenderContext } from '../../../src/render/message.js'
import type { Part } from '../../../src/render/part.js'

export const WORDS = createWords()

export function aContext(context: Partial<RenderContext> = {}): RenderContext {
  return {
    words: WORDS,
    language: 'en',
    installationLanguage: 'en',
    mentions: ['ou_allowed1'],
    secrets: ['correct-horse-battery-staple'],
    maxParts: 4,
    files: true,
    ...context,
  }
}

export function anAnswer(body: string): Message {
  return { kind: 'answer', header: null, diagnostic: null, body, buttons: [] }
}

const larkContent = z.strictObject({ msg_type: z.enum(['interactive', 'post', 'text']), content: z.string() })
const cardShape = z.object({
  header: z.object({ title: z.object({ content: z.string() }) }).optional(),
  body: z.object({ elements: z.array(z.record(z.string(), z.unknown())) }),
})
const postShape = z.record(
  z.string(),
  z.object({
    title: z.string().optional(),
    content: z.array(z.array(z.object({ tag: z.string(), text: z.string() }))),
  }),
)

/** The wire form of a message part, checked. */
export function wireOf(part: Part): z.infer<typeof larkContent> {
  if (part.kind !== 'message') throw new TypeError('a file has no content')
  return larkContent.parse(part.content)
}

/** The markdown element of a card. */
export function cardMarkdown(part: Part): string {
  const card = cardShape.parse(JSON.parse(wireOf(part).content))
  const texts = card.body.elements
    .filter((element) => element.tag === 'markdown')
    .map((element) => String(element.content))
  return texts.join('\n\n')
}

/** What a part shows of the answer, whatever its type. */
export function bodyOf(part: Part): string {
  if (part.kind === 'file') return part.markdown
  const wire = wireOf(part)
  if (wire.msg_type === 'interactive') return cardMarkdown(part)
  const body: unknown = JSON.parse(wire.content)
  if (wire.msg_type === 'text') return z.object({ text: z.string() }).parse(body).text
  return Object.values(postShape.parse(body))
    .flatMap(({ content }) => content.flat().map(({ text }) => text))
    .join('\n\n')
}

/** Bytes of the part's content in a request body. */
export function sizeOf(part: Part): number {
  return Buffer.byteLength(JSON.stringify(wireOf(part).content)) - 2
}
