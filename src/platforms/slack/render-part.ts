import { COMMONMARK, escapeText, type MarkdownDialect, markdownOf } from '../../render/markdown-out.js'
import type { Button, Line, RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Part } from '../../render/part.js'
import { firstSentence } from '../../render/plain.js'
import { signOf, toneOf } from '../../render/tone.js'
import { SLACK_LIMITS } from './limits.js'
import { plainText, slackBlocks } from './render-blocks.js'
import { defused, escapeMrkdwn } from './render-escape.js'
import { isAllowed } from './render-mentions.js'
import type { SlackBlock, SlackButton, SlackContent } from './render-wire.js'

/** Our first line. Loud: bold and with a sign, since a reader must not take what follows for a finished answer. */
export interface DraftHeader {
  readonly text: string
  readonly isLoud: boolean
}

/** One message before it is given its blocks. Lines are already said in the delivery's language. */
export interface PartDraft {
  readonly header: DraftHeader | null
  readonly diagnostic: string | null
  readonly body: readonly Block[]
  /** Small lines of ours at the end: a counter, where the rest is. */
  readonly notes: readonly string[]
  readonly buttons: readonly Button[]
}

/** A line of ours in the delivery's language. */
export function said(line: Line, context: RenderContext): string {
  return context.words.say(context.language, line.key, line.vars)
}

/** A header line as it is shown: with its sign unless it is nothing to worry about. */
export function headerOf(line: Line, context: RenderContext): DraftHeader {
  const isLoud = toneOf(line) !== 'calm'
  return { text: `${isLoud ? signOf(line) : ''}${said(line, context)}`, isLoud }
}

/** The richest safe rendering of a draft: our header line, the diagnostic as a quote, the agent's words, our notes. */
export function richPart(draft: PartDraft, context: RenderContext): Part {
  const allowed = new Set(context.mentions)
  const blocks: SlackBlock[] = [
    ...(draft.header === null || draft.header.isLoud ? [] : [contextBlock(draft.header.text)]),
    ...slackBlocks(loudHeader(draft), allowed),
    ...slackBlocks([...diagnosticBlocks(draft), ...draft.body], allowed),
    ...draft.notes.map(contextBlock),
    ...actionBlocks(draft.buttons, context),
  ]
  const content: SlackContent = {
    text: notification(draft),
    blocks,
    unfurl_links: false,
    unfurl_media: false,
  }
  return { kind: 'message', rung: 'rich', content, markdown: safeMarkdown(allBlocks(draft), context) }
}

/** Everything a draft shows as one document: what its simpler renderings are made from. */
function allBlocks(draft: PartDraft): Block[] {
  return [
    ...(draft.header === null ? [] : [textBlock(draft.header.text)]),
    ...diagnosticBlocks(draft),
    ...draft.body,
    ...draft.notes.map(textBlock),
  ]
}

function loudHeader({ header }: PartDraft): readonly Block[] {
  if (header === null || !header.isLoud) return []
  return [
    { type: 'paragraph', children: [{ type: 'strong', children: [{ type: 'text', value: header.text }] }] },
  ]
}

function diagnosticBlocks(draft: PartDraft): readonly Block[] {
  return draft.diagnostic === null ? [] : [{ type: 'blockquote', children: [textBlock(draft.diagnostic)] }]
}

function textBlock(value: string): Block {
  return { type: 'paragraph', children: [{ type: 'text', value }] }
}

/** CommonMark in which only allowed mentions are still mentions. */
export function safeMarkdown(blocks: readonly Block[], context: RenderContext): string {
  const allowed = new Set(context.mentions)
  const dialect: MarkdownDialect = {
    ...COMMONMARK,
    text: (value, isLineStart) => escapeText(defused(value), isLineStart),
    mention: (mention) =>
      isAllowed(mention, allowed) ? mention.raw : escapeText(defused(mention.name), false),
  }
  return markdownOf(blocks, dialect)
}

/** The `text` of a message with blocks: what notifications show and screen readers say first. */
function notification(draft: PartDraft): string {
  const first = draft.header === null ? draft.body : [textBlock(draft.header.text)]
  return notificationOf(first.length === 0 ? draft.notes.map(textBlock) : first)
}

/** The first sentence, escaped. The limit is on what is read, not on the escapes. */
export function notificationOf(blocks: readonly Block[]): string {
  return escapeMrkdwn(firstSentence(blocks, SLACK_LIMITS.notificationChars.budget)) || '…'
}

function contextBlock(text: string): SlackBlock {
  return { type: 'context', elements: [plainText(text)] }
}

function actionBlocks(buttons: readonly Button[], context: RenderContext): readonly SlackBlock[] {
  const elements = buttons.flatMap((button) => buttonsOf(button, context))
  return elements.length === 0 ? [] : [{ type: 'actions', elements }]
}

function buttonsOf(button: Button, context: RenderContext): readonly SlackButton[] {
  const names = button.kind === 'feedback' ? (['good', 'bad'] as const) : [button.kind]
  return names.map((name) => ({
    type: 'button',
    action_id: name,
    text: plainText(context.words.say(context.language, `button.${name}`)),
    value: button.value,
  }))
}
