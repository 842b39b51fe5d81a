import { parseMarkdown } from '../../render/document.js'
import type { RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Json, Part } from '../../render/part.js'
import { plainBlocks, SHOW_ADDRESSES } from '../../render/plain.js'
import { LARK_LIMITS } from './limits.js'
import { ANSWER_FILENAME, cardsAfterPreview } from './render.js'
import { blocksMarkdown, cardDialect, type Dialect } from './render-blocks.js'
import { larkContent, wireBytes } from './render-bytes.js'
import { disarm, disarmText } from './render-escape.js'
import { cardPart, type MessagePart, openCard, safeMarkdown } from './render-part.js'
import { planBlocks } from './render-plan.js'
import { buttonsIn, withElements } from './render-pressed.js'
import { sayIn } from './render-words.js'

/** The file a part goes into that was refused in every other form. */
export const PART_FILENAME = 'part.md'

/** What a card's refusal asks for, by the code `classify` gives it; every other refusal asks for another type. */
const CARD_REMEDIES: Readonly<Record<string, 'smaller' | 'no_tables'>> = {
  '230025': 'smaller',
  '230099.200860': 'smaller',
  '230099.11310': 'no_tables',
  '230099.200914': 'no_tables',
  '230099.200915': 'no_tables',
}

/**
 * The next simpler rendering of a refused part, or null when there is none: card, then a smaller or plainer card or
 * a post, then text, then a file. A refused answer file becomes the cards after its preview. The parts together show what
 * the refused one showed.
 *
 * @param code Lark's code as `classify` gives it, with the card service's number: `230099.11310`
 */
export function simplifyLark(part: Part, code: string, context: RenderContext): readonly Part[] | null {
  if (part.kind === 'file')
    return part.filename === ANSWER_FILENAME ? orNull(cardsAfterPreview(part.markdown, context)) : null
  const { children } = parseMarkdown(part.markdown, context.secrets)
  switch (part.rung) {
    case 'rich':
      return CARD_REMEDIES[code] === undefined
        ? posts(children, context)
        : simplerCards(children, code, buttonsIn(part), context)
    case 'simple':
      return texts(children, context)
    case 'text':
      return context.files ? [fileOf(part, context)] : null
    case 'file':
      return null
    default:
      return part satisfies never
  }
}

function simplerCards(
  blocks: readonly Block[],
  code: string,
  buttons: readonly Json[],
  context: RenderContext,
): readonly Part[] {
  const budget = LARK_LIMITS.cardBytes.budget - wireBytes(JSON.stringify(buttons))
  const bytes = CARD_REMEDIES[code] === 'smaller' ? budget / 2 : budget - 1_000
  const dialect = cardDialect(context.mentions)
  const cards = planBlocks(blocks, {
    dialect,
    keepTables: CARD_REMEDIES[code] === 'no_tables' ? 'none' : 'native',
    firstBytes: bytes,
    bytes,
  })
  const say = sayIn(context, [])
  return [...cards].map((blocks, at, { length }) => {
    const card = openCard(blocks, dialect, context)
    const part = cardPart(
      card,
      {
        header: null,
        diagnostic: null,
        summary: disarm(card.summary),
        footers: [],
        buttons: [],
        runUrl: null,
      },
      { say, context, rung: 'simple' },
    )
    return at === length - 1 ? withElements(part, buttons) : part
  })
}

/** Posts name a language; only these two are documented. */
function postLocale(context: RenderContext): 'zh_cn' | 'en_us' {
  return context.language.startsWith('zh') ? 'zh_cn' : 'en_us'
}

function posts(blocks: readonly Block[], context: RenderContext): readonly Part[] {
  const dialect: Dialect = { mentions: context.mentions, headings: false, written: new WeakMap() }
  const bytes = LARK_LIMITS.postBytes.budget - 200
  const plan = planBlocks(blocks, { dialect, keepTables: 'none', firstBytes: bytes, bytes })
  return [...plan].map((post) => ({
    kind: 'message',
    rung: 'simple',
    content: larkContent('post', {
      [postLocale(context)]: { content: [[{ tag: 'md', text: blocksMarkdown(post, dialect) }]] },
    }),
    markdown: safeMarkdown(post, context),
  }))
}

/** Text shows no Markdown: the words alone, with nothing in them that Lark would read as a tag. */
function texts(blocks: readonly Block[], context: RenderContext): readonly Part[] {
  return [
    {
      kind: 'message',
      rung: 'text',
      content: larkContent('text', { text: disarmText(plainBlocks(blocks, SHOW_ADDRESSES)) }),
      markdown: safeMarkdown(blocks, context),
    },
  ]
}

function orNull(parts: readonly Part[]): readonly Part[] | null {
  return parts.length === 0 ? null : parts
}

function fileOf(part: MessagePart, context: RenderContext): Part {
  const title = context.words.say(context.language, 'file.title')
  return { kind: 'file', rung: 'file', filename: PART_FILENAME, title, markdown: part.markdown }
}
