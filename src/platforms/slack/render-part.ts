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
import { mrkdwnOf } from './render-mrkdwn.js'
import type { SlackBlock, SlackButton, SlackContent } from './render-wire.js'

/** Our first line. Loud: bold and with a sign, since a reader must not take what follows for a finished answer. */
export interface DraftHeader {
  readonly text: string
  readonly isLoud: boolean
}

export type MessagePart = Extract<Part, { kind: 'message' }>

/** What one message says above its end. Lines are already said in the delivery's language. */
export interface PartDraft {
  readonly header: DraftHeader | null
  readonly diagnostic: string | null
  readonly body: readonly Block[]
}

/** A message without its end: that is known only when all of them are. */
export interface OpenPart {
  readonly blocks: readonly SlackBlock[]
  readonly markdown: string
  /** The first sentence; empty when there is none yet. */
  readonly lead: string
}

/** How a message ends. */
export interface PartEnd {
  /** Small lines of ours: a counter, where the rest is. */
  readonly notes: readonly string[]
  readonly buttons: readonly Button[]
  /** The page of the run, where there is one to offer. */
  readonly runUrl?: string
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

/** The richest safe rendering of a draft: our header line, the diagnostic as a quote, the agent's words. */
export function openPart(draft: PartDraft, context: RenderContext): OpenPart {
  const allowed = new Set(context.mentions)
  const header = draft.header === null ? [] : [textBlock(draft.header.text)]
  const said = [...diagnosticBlocks(draft), ...draft.body]
  return {
    blocks: [
      ...(draft.header === null || draft.header.isLoud ? [] : [contextBlock(draft.header.text)]),
      ...slackBlocks(loudHeader(draft), allowed),
      ...slackBlocks(said, allowed),
    ],
    markdown: safeMarkdown([...header, ...said], context),
    lead: leadOf(draft.header === null ? draft.body : header),
  }
}

/** The part with its end: our notes and the buttons. */
export function closedPart(part: OpenPart, end: PartEnd, context: RenderContext): MessagePart {
  const { notes, buttons, runUrl } = end
  const link = runUrl === undefined ? [] : [runLink(runUrl, context)]
  const noteBlocks = [...notes.map(textBlock), ...link]
  const content: SlackContent = {
    text: escapeMrkdwn(part.lead === '' ? leadOf(noteBlocks) : part.lead) || '…',
    blocks: [
      ...part.blocks,
      ...notes.map(contextBlock),
      ...(link.length === 0 ? [] : [linkBlock(link)]),
      ...actionBlocks(buttons, context),
    ],
    unfurl_links: false,
    unfurl_media: false,
  }
  const markdown = [part.markdown, safeMarkdown(noteBlocks, context)].filter((text) => text !== '')
  return { kind: 'message', rung: 'rich', content, markdown: markdown.join('\n\n') }
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

/** The `text` of a message: what notifications show and screen readers say first. The limit is on what is read. */
export function notificationOf(blocks: readonly Block[]): string {
  return escapeMrkdwn(leadOf(blocks)) || '…'
}

function leadOf(blocks: readonly Block[]): string {
  return firstSentence(blocks, SLACK_LIMITS.notificationChars.budget)
}

function contextBlock(text: string): SlackBlock {
  return { type: 'context', elements: [plainText(text)] }
}

function runLink(url: string, context: RenderContext): Block {
  const label = context.words.say(context.language, 'link.run')
  return {
    type: 'paragraph',
    children: [{ type: 'link', url, children: [{ type: 'text', value: label }] }],
  }
}

function linkBlock(blocks: readonly Block[]): SlackBlock {
  const text = mrkdwnOf(blocks, new Set())
  return { type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] }
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
