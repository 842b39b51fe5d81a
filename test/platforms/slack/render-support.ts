import { z } from 'zod'
import { createWords } from '../../../src/locales.js'
import { renderSlack } from '../../../src/platforms/slack/render.js'
import { simplifySlack } from '../../../src/platforms/slack/render-simplify.js'
import { compose } from '../../../src/render/compose.js'
import { parseMarkdown } from '../../../src/render/document.js'
import type { Message, RenderContext } from '../../../src/render/message.js'
import type { Part, Plan } from '../../../src/render/part.js'
import { wordsOf } from '../../render/words-of.js'

export const CONTEXT: RenderContext = {
  words: createWords(),
  language: 'en',
  installationLanguage: 'en',
  mentions: [],
  secrets: [],
  maxParts: 1_000,
  files: true,
}

export function answer(text: string): Message {
  const message = compose({ kind: 'relay', text })
  if (message === null) throw new TypeError('a relay has a message')
  return message
}

export function rendered(text: string, context: Partial<RenderContext> = {}): Plan {
  return renderSlack(answer(text), { ...CONTEXT, ...context })
}

// Slack's own limits, not our budgets: written down a second time, from the reference.
const text = (max: number) => z.string().min(1).max(max)
const style = z
  .strictObject({
    bold: z.literal(true),
    italic: z.literal(true),
    strike: z.literal(true),
    code: z.literal(true),
  })
  .partial()
const inline = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: text(12_000), style: style.optional() }),
  z.strictObject({
    type: z.literal('link'),
    url: z
      .string()
      .regex(/^(?:https?:\/\/|mailto:|tel:)[^\s<>|"]+$/i)
      .max(3_000),
    text: text(12_000),
    style: style.optional(),
  }),
  z.strictObject({ type: z.literal('user'), user_id: z.string().regex(/^[UW][A-Z0-9]+$/) }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string().regex(/^S[A-Z0-9]+$/) }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string().regex(/^C[A-Z0-9]+$/) }),
])
const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inline).min(1) })
const richElement = z.discriminatedUnion('type', [
  section,
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline).min(1) }),
  z.strictObject({ type: z.literal('rich_text_preformatted'), elements: z.array(inline).length(1) }),
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    indent: z.int().min(0).max(8),
    offset: z.int().optional(),
    border: z.literal(1).optional(),
    elements: z.array(section).min(1),
  }),
])
const richText = z.strictObject({ type: z.literal('rich_text'), elements: z.array(richElement).min(1) })
const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: text(max), emoji: z.literal(false) })
const mrkdwn = z.strictObject({ type: z.literal('mrkdwn'), text: text(3_000), verbatim: z.literal(true) })
const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: text(10_000) }),
  richText,
])
const block = z.discriminatedUnion('type', [
  richText,
  z.strictObject({ type: z.literal('markdown'), text: text(12_000) }),
  z.strictObject({ type: z.literal('header'), text: plainText(150) }),
  z.strictObject({ type: z.literal('divider') }),
  z.strictObject({
    type: z.literal('context'),
    elements: z
      .array(z.union([plainText(2_000), mrkdwn]))
      .min(1)
      .max(10),
  }),
  z.strictObject({ type: z.literal('section'), text: mrkdwn }),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(
        z.strictObject({
          type: z.literal('button'),
          action_id: text(255),
          text: plainText(75),
          value: text(2_000),
        }),
      )
      .min(1)
      .max(25),
  }),
  z.strictObject({
    type: z.literal('table'),
    rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100),
    column_settings: z
      .array(z.strictObject({ align: z.enum(['left', 'center', 'right']), is_wrapped: z.boolean() }))
      .max(20),
  }),
])
const content = z.strictObject({
  text: text(4_000),
  blocks: z.array(block).min(1).max(50).optional(),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
})

type Content = z.infer<typeof content>
type SlackBlock = z.infer<typeof block>
type Inline = z.infer<typeof inline>

/** The part's content, checked as strictly as Slack would: shape, limits of one block, limits of the message. */
export function checked(part: Part): Content {
  if (part.kind === 'file') throw new TypeError('a file has no content')
  const parsed = content.parse(part.content)
  const blocks = parsed.blocks ?? []
  if (blocks.filter(({ type }) => type === 'table').length > 1) throw new RangeError('only_one_table_allowed')
  const shown = blocks.map(blockText).join('')
  if (shown.length > 11_300) throw new RangeError(`msg_blocks_too_long: ${shown.length}`)
  const markdown = blocks.reduce((chars, one) => chars + (one.type === 'markdown' ? one.text.length : 0), 0)
  if (markdown > 12_000) throw new RangeError(`markdown: ${markdown}`)
  if (/\p{Surrogate}/u.test(shown + parsed.text)) throw new RangeError('lone surrogate')
  return parsed
}

/** Every character of a message that a person would see in its blocks, or in its text when it has none. */
export function shownText(part: Part): string {
  const { blocks, text: fallback } = checked(part)
  return blocks === undefined ? fallback : blocks.map(blockText).join('\n')
}

function blockText(one: SlackBlock): string {
  switch (one.type) {
    case 'rich_text':
      return richBlockText(one)
    case 'markdown':
      return one.text
    case 'header':
    case 'section':
      return one.text.text
    case 'context':
      return one.elements.map((element) => element.text).join('\n')
    case 'table':
      return one.rows
        .flat()
        .map((one) => (one.type === 'raw_text' ? one.text : richBlockText(one)))
        .join('\n')
    case 'actions':
      return one.elements.map((button) => button.text.text).join('\n')
    case 'divider':
      return ''
    default:
      return one satisfies never
  }
}

function richBlockText(one: z.infer<typeof richText>): string {
  return one.elements
    .map((element) =>
      element.type === 'rich_text_list'
        ? element.elements.map((item) => inlineText(item.elements)).join('\n')
        : inlineText(element.elements),
    )
    .join('\n')
}

function inlineText(elements: readonly Inline[]): string {
  return elements
    .map((one) =>
      'text' in one
        ? one.text
        : one.type === 'user'
          ? one.user_id
          : one.type === 'usergroup'
            ? one.usergroup_id
            : one.channel_id,
    )
    .join('')
}

/** Words of a part as a reader meets them; `markdown` blocks are read as Markdown. */
export function shownWords(part: Part): string[] {
  const { blocks, text: fallback } = checked(part)
  if (blocks === undefined) return wordsIn(fallback)
  return blocks.flatMap((one) =>
    one.type === 'markdown' ? wordsOf(parseMarkdown(one.text)) : wordsIn(blockText(one)),
  )
}

export function wordsIn(text: string): string[] {
  return text.replaceAll(/[\u2060\u200b]/g, '').match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Every rung a part can come to, messages only. */
export function ladder(part: Part, context: RenderContext = CONTEXT): readonly Part[] {
  const simpler = simplifySlack(part, 'invalid_blocks', context) ?? []
  return [part, ...simpler.flatMap((one) => (one.kind === 'message' ? ladder(one, context) : []))]
}
