import { z } from 'zod'
import { parseMarkdown } from '../../render/document.js'
import type { RenderContext } from '../../render/message.js'
import type { Block } from '../../render/nodes.js'
import type { Part } from '../../render/part.js'
import { plainBlocks, SHOW_ADDRESSES } from '../../render/plain.js'
import { planParts } from '../../render/plan.js'
import { SLACK_LIMITS } from './limits.js'
import { ANSWER_FILENAME, partsAfterFirst } from './render.js'
import { escapeMrkdwn } from './render-escape.js'
import { mrkdwnOf } from './render-mrkdwn.js'
import { type MessagePart, notificationOf, safeMarkdown } from './render-part.js'
import type { SlackBlock, SlackContent } from './render-wire.js'

const Actions = z.custom<Extract<SlackBlock, { type: 'actions' }>>(
  (block) =>
    z.object({ type: z.literal('actions'), elements: z.array(z.unknown()) }).safeParse(block).success,
)

/** A leaf of this many characters fits a section or a text even when every character has to be escaped. */
const SECTION_LEAF_CHARS = 400
const TEXT_LEAF_CHARS = 600
const PART_FILENAME = 'message.md'

/**
 * The next simpler rendering of a part Slack refused for its content: sections of `mrkdwn`, then plain text, then a
 * file. A refused file of a whole answer becomes the parts it stood for; null when nothing simpler is left.
 *
 * @param _code Slack's error; every content refusal takes the same way down
 */
export function simplifySlack(part: Part, _code: string, context: RenderContext): readonly Part[] | null {
  if (part.kind === 'file') {
    if (part.filename !== ANSWER_FILENAME) return null
    const parts = partsAfterFirst(part.markdown, context)
    return parts.length === 0 ? null : parts
  }
  switch (part.rung) {
    case 'rich':
      return simpleParts(part, context)
    case 'simple':
      return textParts(part, context)
    case 'text':
      return context.files ? [filePart(part, context)] : null
    case 'file':
      return null
    default:
      return part satisfies never
  }
}

function simpleParts(part: MessagePart, context: RenderContext): readonly Part[] {
  const allowed = new Set(context.mentions)
  const sections = planParts(parseMarkdown(part.markdown, context.secrets), {
    measure: (block) => ({ chars: mrkdwnOf([block], allowed).length + 2 }),
    budget: { chars: SLACK_LIMITS.sectionChars.budget },
    maxLeafChars: SECTION_LEAF_CHARS,
  }).map(({ children }) => ({ children, text: mrkdwnOf(children, allowed) }))
  const runs = packed(sections)
  return runs.map((run, at) => {
    const blocks = run.flatMap(({ children }) => children)
    const content: SlackContent = {
      text: notificationOf(blocks),
      blocks: [
        ...run.map(
          ({ text }): SlackBlock => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }),
        ),
        ...(at === runs.length - 1 ? buttonsOf(part) : []),
      ],
      unfurl_links: false,
      unfurl_media: false,
    }
    return { kind: 'message', rung: 'simple', content, markdown: safeMarkdown(blocks, context) }
  })
}

/** The buttons of a part. Plain text, the rung below, can hold none. */
function buttonsOf(part: MessagePart): readonly SlackBlock[] {
  const { blocks } = part.content
  return Array.isArray(blocks) ? blocks.flatMap((block) => Actions.safeParse(block).data ?? []) : []
}

interface Section {
  readonly children: readonly Block[]
  readonly text: string
}

function packed(sections: readonly Section[]): Section[][] {
  const runs: Section[][] = []
  let chars = 0
  for (const section of sections) {
    const last = runs.at(-1)
    const isFull = chars + section.text.length > SLACK_LIMITS.messageChars.budget
    if (last === undefined || isFull || last.length >= SLACK_LIMITS.blocks.budget) {
      runs.push([section])
      chars = section.text.length
      continue
    }
    last.push(section)
    chars += section.text.length
  }
  return runs
}

function textParts(part: MessagePart, context: RenderContext): readonly Part[] {
  const texts = planParts(parseMarkdown(part.markdown, context.secrets), {
    measure: (block) => ({ chars: escapeMrkdwn(plainBlocks([block], SHOW_ADDRESSES)).length + 1 }),
    budget: { chars: SLACK_LIMITS.textChars.budget },
    maxLeafChars: TEXT_LEAF_CHARS,
  })
  return texts.map(({ children }) => {
    const text = escapeMrkdwn(plainBlocks(children, SHOW_ADDRESSES))
    const content: SlackContent = { text, unfurl_links: false, unfurl_media: false }
    return { kind: 'message', rung: 'text', content, markdown: safeMarkdown(children, context) }
  })
}

function filePart(part: MessagePart, context: RenderContext): Part {
  const title = context.words.say(context.language, 'file.title')
  return { kind: 'file', rung: 'file', filename: PART_FILENAME, title, markdown: part.markdown }
}
