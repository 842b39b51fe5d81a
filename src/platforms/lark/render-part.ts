import { COMMONMARK, escapeText, type MarkdownDialect, markdownOf } from '../../render/markdown-out.js'
import type { RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Part } from '../../render/part.js'
import { firstSentence } from '../../render/plain.js'
import { LARK_LIMITS } from './limits.js'
import { blocksMarkdown, type Dialect } from './render-blocks.js'
import { larkContent } from './render-bytes.js'
import { type CardFrame, cardBody } from './render-card.js'
import { framedMarkdown } from './render-frame.js'
import { isAllowed, shownName } from './render-inline.js'
import type { Say } from './render-words.js'

export type MessagePart = Extract<Part, { kind: 'message' }>

/** How a card is written. */
export interface CardStyle {
  readonly say: Say
  readonly context: RenderContext
  readonly rung: 'rich' | 'simple'
}

/** The agent's words of one card. What stands around them is known only when all cards are. */
export interface OpenCard {
  readonly markdown: string
  readonly safeMarkdown: string
  /** The chat list's line, when there is no header. */
  readonly summary: string
}

/** The words of one card. */
export function openCard(blocks: readonly Block[], dialect: Dialect, context: RenderContext): OpenCard {
  return {
    markdown: blocksMarkdown(blocks, dialect),
    safeMarkdown: safeMarkdown(blocks, context),
    summary: firstSentence(blocks, LARK_LIMITS.summaryChars.budget),
  }
}

/** One card as a part. */
export function cardPart(card: OpenCard, frame: CardFrame, { say, context, rung }: CardStyle): MessagePart {
  return {
    kind: 'message',
    rung,
    content: larkContent('interactive', cardBody(card.markdown, frame, say)),
    markdown: framedMarkdown(card.safeMarkdown, frame, context),
  }
}

/** CommonMark in which only allowed mentions are still mentions: what simpler renderings are made from. */
export function safeMarkdown(blocks: readonly Block[], context: RenderContext): string {
  const dialect: MarkdownDialect = {
    ...COMMONMARK,
    mention: (mention) =>
      isAllowed(mention, context.mentions) ? mention.raw : escapeText(shownName(mention), false),
  }
  return markdownOf(blocks, dialect)
}
