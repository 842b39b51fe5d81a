import { closeCutEnd } from '../../render/cut-end.js'
import { parseMarkdown } from '../../render/document.js'
import type { Message, RenderContext } from '../../render/message.js'
import type { Block, Root } from '../../render/nodes.js'
import type { Part, Plan } from '../../render/part.js'
import { type Cost, planParts } from '../../render/plan.js'
import { makeSafe } from '../../render/safety.js'
import { FILE_ABOVE_CHARS } from './limits.js'
import { normalized } from './render-blocks.js'
import { countMentions, mayHoldMention } from './render-escape.js'
import { MAX_LEAF_CHARS, MESSAGE_BUDGET, measureBlock, standIn } from './render-measure.js'
import { neutralisedIn } from './render-mentions.js'
import { type DraftHeader, headerOf, type PartDraft, richPart, said } from './render-part.js'

/** Whole answers go out under this name; a single part that Slack refused goes out under another. */
export const ANSWER_FILENAME = 'answer.md'
/** How much of an answer that is too long to plan is read for its first part. */
const PREVIEW_CHARS = 20_000
/**
 * What the header and the diagnostic of any message take of its first part. The beginning that is shown with a file
 * ends at the same place whatever stands above it, so that the parts for a refused file can go on from there.
 */
const PREVIEW_FRAME_CHARS = 4_600

/** What a message says, safe, before it is divided. */
interface Prepared {
  readonly header: DraftHeader | null
  readonly diagnostic: string | null
  readonly footer: string | null
  /** Safe Markdown of the agent. */
  readonly markdown: string
  readonly maskedSecrets: number
}

/**
 * A message as Slack messages within every limit of `SLACK_LIMITS`, the richest safe form first. Above
 * `context.maxParts` it is the first part, a line saying where the rest is, and the whole answer as a file.
 * Deterministic. An answer without visible text gives no parts.
 */
export function renderSlack(message: Message, context: RenderContext): Plan {
  const prepared = prepare(message, context)
  const isHuge = prepared.markdown.length > FILE_ABOVE_CHARS && context.files
  const source = isHuge ? prepared.markdown.slice(0, PREVIEW_CHARS) : prepared.markdown
  const root = parseMarkdown(source, context.secrets)
  const bodies = planned(root, prepared)
  const allowed = new Set(context.mentions)
  const notes = {
    maskedSecrets: prepared.maskedSecrets,
    neutralisedMentions: isHuge
      ? countMentions(prepared.markdown)
      : countMentions(prepared.diagnostic ?? '') +
        (mayHoldMention(source) ? neutralisedIn(root.children, allowed) : 0),
  }
  const isFile = isHuge || (bodies.length > context.maxParts && context.files)
  return {
    parts: isFile
      ? filed(planned(root, prepared, PREVIEW_FRAME_CHARS), prepared, message, context)
      : numbered(bodies, prepared, message, context),
    notes,
  }
}

/** The parts of an answer whose file was refused, without the beginning that stands already. A huge one stays cut. */
export function partsAfterFirst(markdown: string, context: RenderContext): readonly Part[] {
  const message: Message = { kind: 'answer', header: null, diagnostic: null, body: markdown, buttons: [] }
  const isHuge = markdown.length > FILE_ABOVE_CHARS
  const source = isHuge ? markdown.slice(0, PREVIEW_CHARS * context.maxParts) : markdown
  const footer = isHuge ? context.words.say(context.language, 'file.too_long') : null
  const prepared: Prepared = { header: null, diagnostic: null, footer, markdown, maskedSecrets: 0 }
  const bodies = planned(parseMarkdown(source, context.secrets), prepared, PREVIEW_FRAME_CHARS)
  const shown = isHuge ? bodies.slice(0, context.maxParts) : bodies
  return numbered(shown, prepared, message, context).slice(1)
}

function prepare(message: Message, context: RenderContext): Prepared {
  const body = message.kind === 'notice' ? closeCutEnd(message.body ?? '') : (message.body ?? '')
  const safeBody = makeSafe(body, context.secrets)
  const safeDiagnostic = makeSafe(message.diagnostic ?? '', context.secrets)
  return {
    header: message.header === null ? null : headerOf(message.header, context),
    diagnostic: safeDiagnostic.text.trim() === '' ? null : safeDiagnostic.text,
    footer: message.footer === undefined ? null : said(message.footer, context),
    markdown: safeBody.text,
    maskedSecrets: safeBody.maskedSecrets + safeDiagnostic.maskedSecrets,
  }
}

function planned(
  root: Root,
  prepared: Prepared,
  frameChars: number = (prepared.header?.text.length ?? 0) + (prepared.diagnostic?.length ?? 0),
): readonly (readonly Block[])[] {
  const firstBudget: Cost = { ...MESSAGE_BUDGET, chars: MESSAGE_BUDGET.chars - frameChars }
  const parts = planParts(
    { type: 'root', children: normalized(root.children) },
    {
      measure: measureBlock,
      budget: MESSAGE_BUDGET,
      firstBudget,
      maxLeafChars: MAX_LEAF_CHARS,
      replace: standIn,
    },
  )
  return parts.map((part) => part.children)
}

/** Every part as a message, numbered when there are more than two. */
function numbered(
  bodies: readonly (readonly Block[])[],
  prepared: Prepared,
  message: Message,
  context: RenderContext,
): readonly Part[] {
  const drafts = bodies.length === 0 && prepared.header !== null ? [[]] : bodies
  const total = drafts.length
  return drafts.map((body, at) => {
    const isLast = at === total - 1
    const counter = context.words.say(context.language, 'part.counter', { part: at + 1, total })
    const notes = [
      ...(isLast && prepared.footer !== null ? [prepared.footer] : []),
      ...(total > 2 ? [counter] : []),
    ]
    return richPart(draft(prepared, body, at, notes, isLast ? message : null), context)
  })
}

/** The first part, a line saying where the rest is, and the whole answer as a file. */
function filed(
  bodies: readonly (readonly Block[])[],
  prepared: Prepared,
  message: Message,
  context: RenderContext,
): readonly Part[] {
  const bytes = new TextEncoder().encode(prepared.markdown).length
  const note = context.words.say(context.language, 'file.continues', { bytes })
  const notes = prepared.footer === null ? [note] : [note, prepared.footer]
  return [
    richPart(draft(prepared, bodies[0] ?? [], 0, notes, message), context),
    {
      kind: 'file',
      rung: 'file',
      filename: ANSWER_FILENAME,
      title: context.words.say(context.language, 'file.title'),
      markdown: prepared.markdown,
    },
  ]
}

function draft(
  prepared: Prepared,
  body: readonly Block[],
  at: number,
  notes: readonly string[],
  message: Message | null,
): PartDraft {
  const isFirst = at === 0
  return {
    header: isFirst ? prepared.header : null,
    diagnostic: isFirst ? prepared.diagnostic : null,
    body,
    notes,
    buttons: message?.buttons ?? [],
  }
}
