import { closeCutEnd } from '../../render/cut-end.js'
import { blocksIn } from '../../render/document.js'
import type { Line, Message, RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Part, Plan } from '../../render/part.js'
import { makeSafe, safeRunUrl } from '../../render/safety.js'
import { FILE_DIRECT_BYTES, LARK_LIMITS } from './limits.js'
import { cardDialect, type Dialect } from './render-blocks.js'
import { utf8Bytes } from './render-bytes.js'
import { frameOf, linesOf, shortDiagnostic } from './render-frame.js'
import { cardPart, type OpenCard, openCard } from './render-part.js'
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
  const body = makeSafe(message.body ?? '', context.secrets)
  const markdown = message.kind === 'notice' ? closeCutEnd(body.text) : body.text
  const { runUrl: _, ...unlinked } = message
  const runUrl = safeRunUrl(message, context)
  const shown: Message = runUrl === undefined ? unlinked : { ...unlinked, runUrl }
  const diagnostic = makeSafe(message.diagnostic ?? '', context.secrets)
  const answer = answerOf(markdown, { ...shown, diagnostic: shortDiagnostic(diagnostic.text) }, context)
  const tally = { mentions: 0 }
  const cards = openCards(answer, tally)
  return {
    parts: cards === null ? filed(answer) : cardParts(cards, answer, endingOf(answer)),
    notes: {
      maskedSecrets: body.maskedSecrets + diagnostic.maskedSecrets,
      neutralisedMentions: tally.mentions,
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
  const cards: OpenCard[] = []
  for (const blocks of planCards(blocksOf(answer), answer, PREVIEW_BYTES)) {
    if (cards.length === shownCards(answer)) break
    cards.push(openCard(blocks, answer.dialect, context))
  }
  return cardParts(cards, answer, endingOf(answer)).slice(1)
}

interface Answer {
  readonly message: Message
  readonly context: RenderContext
  readonly say: Say
  readonly dialect: Dialect
  /** The whole answer, safe. */
  readonly markdown: string
  /** Too long to be split whole. */
  readonly isHuge: boolean
}

function answerOf(markdown: string, message: Message, context: RenderContext): Answer {
  const lines = linesOf(message, [continues(999_999_999), counter(999, 999), ...footersOf(message)])
  const { wordsBytes, footerBytes } = LARK_LIMITS
  return {
    message,
    context,
    say: sayIn(context, lines, (hasOwnLines(message) ? wordsBytes : footerBytes).budget),
    dialect: cardDialect(context.mentions),
    markdown,
    isHuge: utf8Bytes(markdown) > FILE_DIRECT_BYTES,
  }
}

/** The document that is divided into cards: of a huge answer the beginning. */
function blocksOf(answer: Answer): Iterable<Block> {
  const { markdown, context } = answer
  const source = answer.isHuge ? beginningOf(markdown, PREVIEW_CHARS_PER_CARD * shownCards(answer)) : markdown
  return blocksIn(source, context.secrets)
}

/** How many cards may show an answer. With a preview before it a huge one has at least one more to say that it ends. */
function shownCards(answer: Answer): number {
  return answer.isHuge ? Math.max(2, answer.context.maxParts) : Number.POSITIVE_INFINITY
}

/** The cards without what stands around, or null when the answer is too long for them and a file can carry it. */
function openCards(answer: Answer, tally: { mentions: number }): readonly OpenCard[] | null {
  const { context, dialect } = answer
  // Every mention that is read as one begins so.
  const isCounted = answer.markdown.includes('<')
  function* counted(): Generator<Block> {
    for (const block of blocksOf(answer)) {
      if (isCounted) tally.mentions += countNeutralised([block], context.mentions)
      yield block
    }
  }
  const most = context.files ? context.maxParts : shownCards(answer)
  let isTooLong = answer.isHuge && context.files
  const cards: OpenCard[] = []
  // What is not shown is still counted, so the document is read to its end.
  for (const blocks of planCards(counted(), answer)) {
    if (cards.length < most) cards.push(openCard(blocks, dialect, context))
    else isTooLong ||= context.files
  }
  return isTooLong ? null : cards
}

/** A card with the beginning, a line that says where the rest is, and the whole as a file. */
function filed(answer: Answer): readonly Part[] {
  const { context, markdown } = answer
  const [beginning = []] = planCards(blocksOf(answer), answer, PREVIEW_BYTES)
  const card = openCard(beginning, answer.dialect, context)
  const title = context.words.say(context.language, 'file.title')
  return [
    ...cardParts([card], answer, continues(utf8Bytes(markdown))),
    { kind: 'file', rung: 'file', filename: ANSWER_FILENAME, title, markdown },
  ]
}

/** What the last card says of what is in no card. */
function endingOf(answer: Answer): Line | null {
  return answer.isHuge ? { key: 'file.too_long', vars: {} } : null
}

/** The cards of a message; `ending` is the last card's word about what is not in it. */
function cardParts(cards: readonly OpenCard[], answer: Answer, ending: Line | null): Part[] {
  const { message, context, say } = answer
  return cards.map((card, at) => {
    const isLast = at === cards.length - 1
    const frame = frameOf(message, {
      isFirst: at === 0,
      isLast,
      summary: card.summary,
      footers: [
        ...(isLast && ending !== null ? [ending] : []),
        ...(isLast ? footersOf(message) : []),
        ...(cards.length > 2 ? [counter(at + 1, cards.length)] : []),
      ],
    })
    const part = cardPart(card, frame, { say, context, rung: 'rich' })
    return isLast && ending?.key === 'file.too_long' ? { ...part, isCut: true } : part
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
