import { COMMONMARK, escapeText, type MarkdownDialect, markdownOf } from '../../render/markdown-out.js'
import type { RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Part } from '../../render/part.js'
import { blocksMarkdown, type Dialect } from './render-blocks.js'
import { larkContent } from './render-bytes.js'
import { type CardFrame, cardBody } from './render-card.js'
import { framedMarkdown } from './render-frame.js'
import { isAllowed, shownName } from './render-inline.js'
import type { Say } from './render-words.js'

/** How a card is written. */
export interface CardStyle {
  readonly say: Say
  readonly context: RenderContext
  readonly dialect: Dialect
  readonly rung: 'rich' | 'simple'
}

/** One card as a part. */
export function cardPart(blocks: readonly Block[], frame: CardFrame, style: CardStyle): Part {
  const { say, context, dialect, rung } = style
  const markdown = blocksMarkdown(blocks, dialect)
  return {
    kind: 'message',
    rung,
    content: larkContent('interactive', cardBody(markdown, frame, say)),
    markdown: framedMarkdown(safeMarkdown(blocks, context), frame, context),
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
