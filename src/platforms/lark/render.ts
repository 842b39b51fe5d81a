import { closeCutEnd } from '../../render/cut-end.js'
import { parseMarkdown } from '../../render/document.js'
import type { Line, Message, RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Part, Plan } from '../../render/part.js'
import { firstSentence } from '../../render/plain.js'
import { makeSafe } from '../../render/safety.js'
import { FILE_DIRECT_BYTES, LARK_LIMITS } from './limits.js'
import { cardDialect, type Dialect } from './render-blocks.js'
import { utf8Bytes } from './render-bytes.js'
import { frameOf, linesOf, shortDiagnostic } from './render-frame.js'
import { cardPart } from './render-part.js'
import { hasOwnLines, PREVIEW_BYTES, planCards } from './render-plan.js'
import { countNeutralised } from './render-prepare.js'
import { type Say, sayIn } from './render-words.js'

/** The file that carries a whole answer. */
export const ANSWER_FILENAME = 'answer.md'
/** How much of an answer that is too long to split is looked at, for each card that may show its beginning. */
const PREVIEW_CHARS_PER_CARD = 24_000

/**
 * Shapes a message into Lark cards within `LARK_LIMITS`, in order, numbered when there are more than two. An answer
 * of more than `context.maxParts` cards becomes a card with its beginning, a line that says so, and the whole as a
 * file; where no file can be sent it stays cards, and past `FILE_DIRECT_BYTES` only its first ones. Deterministic
 * and total. An answer without visible text gives no parts.
 */
export function renderLark(message: Message, context: RenderContext): Plan {
  const source = message.kind === 'notice' ? closeCutEnd(message.body ?? '') : (message.body ?? '')
  const body = makeSafe(source, context.secrets)
  const diagnostic = makeSafe(message.diagnostic ?? '', context.secrets)
  const answer = answerOf(body.text, { ...message, diagnostic: shortDiagnostic(diagnostic.text) }, context)
  return {
    parts: partsOf(answer),
    notes: {
      maskedSecrets: body.maskedSecrets + diagnostic.maskedSecrets,
      // Every mention that is read as one begins so.
      neutralisedMentions: body.text.includes('<') ? countNeutralised(answer.blocks, context.mentions) : 0,
    },
  }
}

/**
 * The cards of an answer whose file was refused, without the one that already shows its beginning: they begin where
 * that one ends.
 *
 * @param markdown the file's text, safe
 */
export function cardsAfterPreview(markdown: string, context: RenderContext): readonly Part[] {
  const message: Message = { kind: 'answer', header: null, diagnostic: null, body: markdown, buttons: [] }
  const answer = answerOf(markdown, message, context)
  return cardParts(cardsOf(answer, PREVIEW_BYTES), answer, endingOf(answer)).slice(1)
}

interface Answer {
  readonly message: Message
  readonly context: RenderContext
  readonly say: Say
  readonly dialect: Dialect
  /** The whole answer, safe. */
  readonly markdown: string
  /** Too long to be split whole: `blocks` is its beginning. */
  readonly isHuge: boolean
  readonly blocks: readonly Block[]
}

function answerOf(markdown: string, message: Message, context: RenderContext): Answer {
  const isHuge = utf8Bytes(markdown) > FILE_DIRECT_BYTES
  const source = isHuge ? beginningOf(markdown, PREVIEW_CHARS_PER_CARD * context.maxParts) : markdown
  const lines = linesOf(message, [continues(999_999_999), counter(999, 999), ...footersOf(message)])
  const { wordsBytes, footerBytes } = LARK_LIMITS
  return {
    message,
    context,
    say: sayIn(context, lines, (hasOwnLines(message) ? wordsBytes : footerBytes).budget),
    dialect: cardDialect(context.mentions),
    markdown,
    isHuge,
    blocks: parseMarkdown(source, context.secrets).children,
  }
}

function partsOf(answer: Answer): readonly Part[] {
  const { context, markdown } = answer
  const cards = cardsOf(answer)
  const isTooLong = answer.isHuge || cards.length > context.maxParts
  if (!isTooLong || !context.files) return cardParts(cards, answer, endingOf(answer))
  const title = context.words.say(context.language, 'file.title')
  return [
    ...cardParts(cardsOf(answer, PREVIEW_BYTES).slice(0, 1), answer, continues(utf8Bytes(markdown))),
    { kind: 'file', rung: 'file', filename: ANSWER_FILENAME, title, markdown },
  ]
}

function cardsOf(answer: Answer, firstBytes?: number): readonly (readonly Block[])[] {
  const cards = planCards(answer.blocks, answer, firstBytes)
  return answer.isHuge ? cards.slice(0, answer.context.maxParts) : cards
}

/** What the last card says of what is in no card. */
function endingOf(answer: Answer): Line | null {
  return answer.isHuge ? { key: 'file.too_long', vars: {} } : null
}

/** The cards of a message; `ending` is the last card's word about what is not in it. */
function cardParts(cards: readonly (readonly Block[])[], answer: Answer, ending: Line | null): Part[] {
  const { message, context, say, dialect } = answer
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
    return cardPart(blocks, frame, { say, context, dialect, rung: 'rich' })
  })
}

function continues(bytes: number): Line {
  return { key: 'file.continues', vars: { bytes } }
}

function counter(part: number, total: number): Line {
  return { key: 'part.counter', vars: { part, total } }
}

function footersOf(message: Message): readonly Line[] {
  return message.footer === undefined ? [] : [message.footer]
}

/** The first `chars` of a text at most, up to the end of a line. */
function beginningOf(text: string, chars: number): string {
  const start = text.slice(0, chars)
  const end = start.lastIndexOf('\n')
  return end > chars / 2 ? start.slice(0, end) : start
}
