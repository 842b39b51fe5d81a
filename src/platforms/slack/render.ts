import { closeCutEnd } from '../../render/cut-end.js'
import { blocksIn } from '../../render/document.js'
import type { Button, Message, RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Part, Plan } from '../../render/part.js'
import { partsOf } from '../../render/plan.js'
import { makeSafe, safeRunUrl } from '../../render/safety.js'
import { FILE_ABOVE_CHARS } from './limits.js'
import { normalized } from './render-blocks.js'
import { countMentions, mayHoldMention } from './render-escape.js'
import { MAX_LEAF_CHARS, MESSAGE_BUDGET, measureBlock, standIn } from './render-measure.js'
import { neutralisedIn } from './render-mentions.js'
import {
  closedPart,
  type DraftHeader,
  headerOf,
  type OpenPart,
  openPart,
  type PartDraft,
  said,
} from './render-part.js'

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
  readonly runUrl: string | undefined
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
  const counter = new MentionCounter(mayHoldMention(prepared.markdown), context)
  const open =
    isHuge(prepared) && context.files
      ? null
      : openParts(
          counter.counted(blocksIn(shownSource(prepared, context), context.secrets)),
          prepared,
          context,
        )
  const neutralised = isHuge(prepared) ? countMentions(prepared.markdown) : counter.count
  return {
    parts:
      open === null ? filed(prepared, message, context) : numbered(open, prepared, message.buttons, context),
    notes: {
      maskedSecrets: prepared.maskedSecrets,
      neutralisedMentions: neutralised + countMentions(prepared.diagnostic ?? ''),
    },
  }
}

/** Too long to be divided whole. */
function isHuge({ markdown }: Pick<Prepared, 'markdown'>): boolean {
  return markdown.length > FILE_ABOVE_CHARS
}

/** How many parts may show an answer. Of a huge one at least one more than the beginning, to say that it ends. */
function mostParts(prepared: Prepared, context: RenderContext): number {
  return isHuge(prepared) ? Math.max(2, context.maxParts) : Number.POSITIVE_INFINITY
}

/** What is divided into parts: of a huge answer its beginning. */
function shownSource(prepared: Prepared, context: RenderContext): string {
  const { markdown } = prepared
  return isHuge(prepared) ? markdown.slice(0, PREVIEW_CHARS * mostParts(prepared, context)) : markdown
}

/** Counts what rendering takes the force from while the document goes by. */
class MentionCounter {
  count = 0
  private readonly allowed: ReadonlySet<string>

  constructor(
    private readonly isNeeded: boolean,
    context: RenderContext,
  ) {
    this.allowed = new Set(context.mentions)
  }

  *counted(blocks: Iterable<Block>): Generator<Block> {
    for (const block of blocks) {
      if (this.isNeeded) this.count += neutralisedIn([block], this.allowed)
      yield block
    }
  }
}

/** The parts of an answer whose file was refused, without the beginning that stands already. A huge one stays cut. */
export function partsAfterFirst(markdown: string, context: RenderContext): readonly Part[] {
  const prepared: Prepared = {
    header: null,
    diagnostic: null,
    footer: null,
    runUrl: undefined,
    markdown,
    maskedSecrets: 0,
  }
  const open: OpenPart[] = []
  const blocks = blocksIn(shownSource(prepared, context), context.secrets)
  for (const body of planned(blocks, prepared, PREVIEW_FRAME_CHARS)) {
    if (open.length === mostParts(prepared, context)) break
    open.push(openPart(draft(prepared, body, false), context))
  }
  return numbered(open, prepared, [], context).slice(1)
}

function prepare(message: Message, context: RenderContext): Prepared {
  const safeBody = makeSafe(message.body ?? '', context.secrets)
  const safeDiagnostic = makeSafe(message.diagnostic ?? '', context.secrets)
  return {
    header: message.header === null ? null : headerOf(message.header, context),
    diagnostic: safeDiagnostic.text.trim() === '' ? null : safeDiagnostic.text,
    footer: message.footer === undefined ? null : said(message.footer, context),
    markdown: message.kind === 'notice' ? closeCutEnd(safeBody.text) : safeBody.text,
    runUrl: safeRunUrl(message, context),
    maskedSecrets: safeBody.maskedSecrets + safeDiagnostic.maskedSecrets,
  }
}

/** Every part without its end, or null when they are more than a chat should see of an answer that can be a file. */
function openParts(
  blocks: Iterable<Block>,
  prepared: Prepared,
  context: RenderContext,
): readonly OpenPart[] | null {
  const open: OpenPart[] = []
  const most = context.files ? context.maxParts : mostParts(prepared, context)
  let isTooLong = false
  // What is not shown is still counted, so the document is read to its end.
  for (const body of planned(blocks, prepared)) {
    if (open.length < most) open.push(openPart(draft(prepared, body, open.length === 0), context))
    else isTooLong = context.files
  }
  if (isTooLong) return null
  return open.length > 0 || prepared.header === null ? open : [openPart(draft(prepared, [], true), context)]
}

function* planned(
  blocks: Iterable<Block>,
  prepared: Prepared,
  frameChars: number = (prepared.header?.text.length ?? 0) + (prepared.diagnostic?.length ?? 0),
): Generator<readonly Block[]> {
  const parts = partsOf(normalizedOnes(blocks), {
    measure: measureBlock,
    budget: MESSAGE_BUDGET,
    firstBudget: { ...MESSAGE_BUDGET, chars: MESSAGE_BUDGET.chars - frameChars },
    maxLeafChars: MAX_LEAF_CHARS,
    replace: standIn,
  })
  for (const part of parts) yield part.children
}

function* normalizedOnes(blocks: Iterable<Block>): Generator<Block> {
  for (const block of blocks) yield normalized(block)
}

/** Every part as a message, numbered when there are more than two. */
function numbered(
  open: readonly OpenPart[],
  prepared: Prepared,
  buttons: readonly Button[],
  context: RenderContext,
): readonly Part[] {
  const total = open.length
  return open.map((part, at) => {
    const isLast = at === total - 1
    const counter = (): string => context.words.say(context.language, 'part.counter', { part: at + 1, total })
    const isCut = isLast && isHuge(prepared)
    const notes = [
      ...(isCut ? [context.words.say(context.language, 'file.too_long')] : []),
      ...(isLast && prepared.footer !== null ? [prepared.footer] : []),
      ...(total > 2 ? [counter()] : []),
    ]
    const closed = closedPart(
      part,
      isLast ? { notes, buttons, ...page(prepared) } : { notes, buttons: [] },
      context,
    )
    return isCut ? { ...closed, isCut } : closed
  })
}

/** The first part, a line saying where the rest is, and the whole answer as a file. */
function filed(prepared: Prepared, message: Message, context: RenderContext): readonly Part[] {
  const bytes = new TextEncoder().encode(prepared.markdown).length
  const note = context.words.say(context.language, 'file.continues', { bytes })
  const notes = prepared.footer === null ? [note] : [note, prepared.footer]
  const beginning = blocksIn(prepared.markdown.slice(0, PREVIEW_CHARS), context.secrets)
  const [body = []] = planned(beginning, prepared, PREVIEW_FRAME_CHARS)
  return [
    closedPart(
      openPart(draft(prepared, body, true), context),
      { notes, buttons: message.buttons, ...page(prepared) },
      context,
    ),
    {
      kind: 'file',
      rung: 'file',
      filename: ANSWER_FILENAME,
      title: context.words.say(context.language, 'file.title'),
      markdown: prepared.markdown,
    },
  ]
}

function page({ runUrl }: Prepared): { readonly runUrl?: string } {
  return runUrl === undefined ? {} : { runUrl }
}

function draft(prepared: Prepared, body: readonly Block[], isFirst: boolean): PartDraft {
  return {
    header: isFirst ? prepared.header : null,
    diagnostic: isFirst ? prepared.diagnostic : null,
    body,
  }
}
