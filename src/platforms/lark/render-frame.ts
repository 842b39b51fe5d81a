import { cutPoint } from '../../render/cut-text.js'
import { escapeText, inlineMarkdown } from '../../render/markdown-out.js'
import type { Line, Message, RenderContext } from '../../render/message.js'
import { signOf } from '../../render/tone.js'
import { wireBytes } from './render-bytes.js'
import type { CardFrame } from './render-card.js'
import { disarm } from './render-escape.js'
import { say } from './render-words.js'

/** A diagnostic takes at most this much of a card; the rest of it is cut with a mark. Ours. */
const DIAGNOSTIC_BYTES = 5_000

/** A diagnostic that leaves room for the answer, or null when there is nothing to see. */
export function shortDiagnostic(diagnostic: string): string | null {
  if (diagnostic.trim() === '') return null
  if (wireBytes(diagnostic) <= DIAGNOSTIC_BYTES) return diagnostic
  // A character takes at most seven bytes, so this many always fit.
  return `${diagnostic.slice(0, cutPoint(diagnostic, Math.floor(DIAGNOSTIC_BYTES / 7)))}…`
}

/** Everything of ours around the body, as Markdown in the delivery's language: what simpler rungs show of it. */
export function framedMarkdown(body: string, frame: CardFrame, context: RenderContext): string {
  const lineOf = (line: Line) => escapeText(say(context, context.language, line), true)
  const blocks = [
    ...(frame.header === null ? [] : [`**${signOf(frame.header)}${lineOf(frame.header)}**`]),
    ...(frame.diagnostic === null ? [] : [escapeText(frame.diagnostic, true)]),
    ...(body === '' ? [] : [body]),
    ...frame.footers.map((line) => `*${lineOf(line)}*`),
    ...(frame.runUrl === null ? [] : [runLink(frame.runUrl, context)]),
  ]
  return blocks.join('\n\n')
}

function runLink(url: string, context: RenderContext): string {
  const label = say(context, context.language, { key: 'link.run', vars: {} })
  return inlineMarkdown([{ type: 'link', url, children: [{ type: 'text', value: label }] }])
}

/** The frame of one of a message's parts: the header on the first, the buttons on the last. */
export function frameOf(
  message: Message,
  place: {
    readonly isFirst: boolean
    readonly isLast: boolean
    readonly summary: string
    readonly footers: readonly Line[]
  },
): CardFrame {
  return {
    header: place.isFirst ? message.header : null,
    diagnostic: place.isFirst && message.diagnostic !== null ? disarm(message.diagnostic) : null,
    summary: disarm(place.summary),
    footers: place.footers,
    buttons: place.isLast ? message.buttons : [],
    runUrl: place.isLast ? (message.runUrl ?? null) : null,
  }
}

/** All lines of ours a message may carry on any of its parts: what the languages have to fit together. */
export function linesOf(message: Message, footers: readonly Line[]): readonly Line[] {
  const { header, buttons, runUrl } = message
  const links: readonly Line[] = runUrl === undefined ? [] : [{ key: 'link.run', vars: {} }]
  const buttonLines = buttons.flatMap((button): readonly Line[] =>
    button.kind === 'feedback'
      ? [
          { key: 'button.good', vars: {} },
          { key: 'button.bad', vars: {} },
        ]
      : [{ key: `button.${button.kind}`, vars: {} }],
  )
  // A header stands in the title and in the chat list's summary.
  return [...(header === null ? [] : [header, header]), ...footers, ...links, ...buttonLines]
}
