import type { Button, Line } from '../../render/message.js'
import type { JsonObject } from '../../render/part.js'
import { SIGNS, type Tone, toneOf } from '../../render/tone.js'
import type { CardText, Say } from './render-words.js'

/** What stands around an answer in one card; all of it ours but the diagnostic. */
export interface CardFrame {
  readonly header: Line | null
  /** The producer's diagnostic; shown as plain text. */
  readonly diagnostic: string | null
  /** The chat list's line when there is no header. */
  readonly summary: string
  /** Lines under the answer: where it continues, which part this is. */
  readonly footers: readonly Line[]
  readonly buttons: readonly Button[]
  /** The page of the run, where there is one to offer. */
  readonly runUrl: string | null
}

/** The value a button's callback brings back. */
export type ButtonAction = 'continue' | 'retry' | 'good' | 'bad'

const COLOURS = { failure: 'red', cut: 'orange', calm: 'grey' } as const satisfies Record<Tone, string>

/**
 * A card of schema 2.0: header, diagnostic, the answer as one `markdown` element, footers, buttons. Every text of
 * ours carries the reader's language, the answer stands once.
 * Source: open.feishu.cn/document/feishu-cards/card-json-v2-structure (2025-08)
 */
export function cardBody(markdown: string, frame: CardFrame, say: Say): JsonObject {
  const header = frame.header === null ? null : signed(frame.header, say)
  const isLineOnly = markdown === '' && frame.diagnostic === null
  const elements: readonly JsonObject[] = [
    // A card without a body is not documented: a lone line is the body.
    ...(header !== null && isLineOnly ? [{ tag: 'div', text: { tag: 'plain_text', ...header } }] : []),
    ...(frame.diagnostic === null ? [] : [diagnosticElement(frame.diagnostic)]),
    ...(markdown === '' ? [] : [{ tag: 'markdown', element_id: 'body', content: markdown }]),
    ...frame.footers.map((line) => footerElement(say(line))),
    ...(frame.runUrl === null ? [] : [linkElement(frame.runUrl, say)]),
    ...inOneRow(frame.buttons.flatMap((button) => buttonElements(button, say))),
  ]
  return {
    schema: '2.0',
    config: { update_multi: true, summary: header === null ? { content: frame.summary } : { ...header } },
    ...(frame.header === null || header === null || isLineOnly
      ? {}
      : { header: { title: { tag: 'plain_text', ...header }, template: COLOURS[toneOf(frame.header)] } }),
    body: { elements },
  }
}

/** A header line with its sign, in every language. */
function signed(line: Line, say: Say): CardText {
  const sign = SIGNS[toneOf(line)]
  const text = say(line)
  return {
    content: sign + text.content,
    i18n_content: Object.fromEntries(
      Object.entries(text.i18n_content).map(([locale, words]) => [locale, sign + words]),
    ),
  }
}

function diagnosticElement(diagnostic: string): JsonObject {
  return {
    tag: 'div',
    text: { tag: 'plain_text', content: diagnostic, text_size: 'notation', text_color: 'grey' },
  }
}

function footerElement(text: CardText): JsonObject {
  return { tag: 'div', text: { tag: 'plain_text', ...text, text_size: 'notation', text_color: 'grey' } }
}

/** A button that looks like a link: the label in every language, the address once. */
function linkElement(url: string, say: Say): JsonObject {
  return {
    tag: 'button',
    text: { tag: 'plain_text', ...say({ key: 'link.run', vars: {} }) },
    type: 'text',
    size: 'tiny',
    behaviors: [{ type: 'open_url', default_url: url }],
  }
}

function buttonElements(button: Button, say: Say): readonly JsonObject[] {
  return actionsOf(button).map((action) => ({
    tag: 'button',
    text: { tag: 'plain_text', ...say({ key: `button.${action}`, vars: {} }) },
    type: 'default',
    size: 'small',
    behaviors: [{ type: 'callback', value: { action, value: button.value } }],
  }))
}

/** Elements of a card stand below each other; columns put several buttons beside each other. */
function inOneRow(buttons: readonly JsonObject[]): readonly JsonObject[] {
  if (buttons.length < 2) return buttons
  const columns = buttons.map((button) => ({ tag: 'column', width: 'auto', elements: [button] }))
  return [{ tag: 'column_set', flex_mode: 'flow', columns }]
}

export function actionsOf(button: Button): readonly ButtonAction[] {
  switch (button.kind) {
    case 'feedback':
      return ['good', 'bad']
    case 'continue':
    case 'retry':
      return [button.kind]
    default:
      return button.kind satisfies never
  }
}
