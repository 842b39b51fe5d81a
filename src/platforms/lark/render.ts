import { parseMarkdown } from '../../render/document.js'
import { markdownOf } from '../../render/markdown-out.js'
import type { Line, Message, RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Part, Plan } from '../../render/part.js'
import { firstSentence } from '../../render/plain.js'
import { makeSafe } from '../../render/safety.js'
import { FILE_DIRECT_BYTES, LARK_LIMITS } from './limits.js'
import { blocksMarkdown } from './render-blocks.js'
import { larkContent, utf8Bytes } from './render-bytes.js'
import { type CardFrame, cardBody } from './render-card.js'
import { framedMarkdown, frameOf, linesOf, shortDiagnostic } from './render-frame.js'
import { planCards } from './render-plan.js'
import { countNeutralised } from './render-prepare.js'
import { type Say, sayIn } from './render-words.js'

/** The file that carries a whole answer. */
export const ANSWER_FILENAME = 'answer.md'
/** How much of an answer that is too long to split is looked at for each card that shows its beginning. */
const PREVIEW_CHARS_PER_CARD = 24_000

/**
 * Shapes a message into Lark cards within `LARK_LIMITS`, in order, numbered when there are more than two. An answer
 * of more than `context.maxParts` cards becomes its first card, a line that says so, and the whole as a file; where
 * no file can be sent it stays cards, and past `FILE_DIRECT_BYTES` only its first ones. Deterministic and total.
 */
export function renderLark(message: Message, context: RenderContext): Plan {
  const body = makeSafe(message.body ?? '', context.secrets)
  const diagnostic = makeSafe(shortDiagnostic(message.diagnostic) ?? '', context.secrets)
  const shown: Message = { ...message, diagnostic: diagnostic.text.trim() === '' ? null : diagnostic.text }
  const isHuge = utf8Bytes(body.text) > FILE_DIRECT_BYTES
  const root = parseMarkdown(isHuge ? beginningOf(body.text, context) : body.text, context.secrets)
  return {
    parts: partsOf(root.children, { message: shown, context, markdown: body.text, isHuge }),
    notes: {
      maskedSecrets: body.maskedSecrets + diagnostic.maskedSecrets,
      neutralisedMentions: countNeutralised(root.children, context.mentions),
    },
  }
}

interface Answer {
  readonly message: Message
  readonly context: RenderContext
  /** The whole answer, safe. */
  readonly markdown: string
  readonly isHuge: boolean
}

function partsOf(blocks: readonly Block[], answer: Answer): readonly Part[] {
  const { message, context, markdown, isHuge } = answer
  const continues: Line = { key: 'file.continues', vars: { bytes: utf8Bytes(markdown) } }
  const say = sayIn(context, linesOf(message, [continues, counter(1, 1), ...footersOf(message)]))
  const planned = planCards(blocks, { message, say, context })
  const cards = isHuge ? planned.slice(0, context.files ? 1 : context.maxParts) : planned
  const isTooLong = isHuge || cards.length > context.maxParts
  if (!isTooLong) return cardParts(cards, answer, say, null)
  if (!context.files) return cardParts(cards, answer, say, isHuge ? { key: 'file.too_long', vars: {} } : null)
  const title = context.words.say(context.language, 'file.title')
  return [
    ...cardParts(cards.slice(0, 1), answer, say, continues),
    { kind: 'file', rung: 'file', filename: ANSWER_FILENAME, title, markdown },
  ]
}

/** The cards of a message; `ending` is the last card's word about what is not in it. */
function cardParts(
  cards: readonly (readonly Block[])[],
  answer: Answer,
  say: Say,
  ending: Line | null,
): Part[] {
  const { message, context } = answer
  return cards.map((blocks, at) => {
    const isLast = at === cards.length - 1
    const frame = frameOf(message, {
      isFirst: at === 0,
      isLast,
      summary: firstSentence(blocks, LARK_LIMITS.summaryChars.budget),
      footers: [
        ...(isLast && ending !== null ? [ending] : []),
        ...(isLast ? footersOf(message) : []),
        ...(cards.length > 2 ? [counter(at + 1, cards.length)] : []),
      ],
    })
    return cardPart(blocks, frame, { say, context, rung: 'rich' })
  })
}

/** One card as a part. */
export function cardPart(
  blocks: readonly Block[],
  frame: CardFrame,
  how: { readonly say: Say; readonly context: RenderContext; readonly rung: 'rich' | 'simple' },
): Part {
  const markdown = blocksMarkdown(blocks, { mentions: how.context.mentions, headings: true })
  return {
    kind: 'message',
    rung: how.rung,
    content: larkContent('interactive', cardBody(markdown, frame, how.say)),
    markdown: framedMarkdown(markdownOf(blocks), frame, how.context),
  }
}

function counter(part: number, total: number): Line {
  return { key: 'part.counter', vars: { part, total } }
}

function footersOf(message: Message): readonly Line[] {
  return message.footer === undefined ? [] : [message.footer]
}

/** The beginning of a text that is too long to read whole, up to the end of a paragraph or line. */
function beginningOf(text: string, context: RenderContext): string {
  const start = text.slice(0, PREVIEW_CHARS_PER_CARD * (context.files ? 1 : context.maxParts))
  const end = Math.max(start.lastIndexOf('\n\n'), start.lastIndexOf('\n', start.length - 1))
  return end > start.length / 2 ? start.slice(0, end) : start
}
