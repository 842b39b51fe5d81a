import type { Block, Inline, List } from '../../render/nodes.js'
import { plainInline } from '../../render/plain.js'
import { tableAsCode } from '../../render/width.js'
import { escapeMrkdwn, safeUrl } from './render-escape.js'
import { isAllowed } from './render-mentions.js'

/** Zero-width space: mrkdwn marks need a boundary beside them, and literal marks must not have one. */
const EDGE = '\u200b'

/**
 * Blocks as Slack's `mrkdwn`, the form of a `section`: the simpler rung, understood by every client.
 * Source: docs.slack.dev/messaging/formatting-message-text
 */
export function mrkdwnOf(blocks: readonly Block[], allowed: ReadonlySet<string>): string {
  return blocks.map((block) => mrkdwnBlock(block, allowed)).join('\n\n')
}

function mrkdwnBlock(block: Block, allowed: ReadonlySet<string>): string {
  switch (block.type) {
    case 'paragraph':
      return mrkdwnInlines(block.children, allowed)
    case 'heading':
      return marked('*', mrkdwnInlines(withoutStrong(block.children), allowed).replaceAll('\n', ' '), '', '')
    case 'blockquote':
      return mrkdwnQuote(block.children, allowed)
    case 'code':
      return mrkdwnCode(block.value)
    case 'table':
      return mrkdwnCode(tableAsCode(block).value)
    case 'list':
      return mrkdwnList(block, allowed)
    case 'thematicBreak':
      return '———'
    default:
      return block satisfies never
  }
}

/** Code ends a quote: mrkdwn has no code block inside one. */
function mrkdwnQuote(blocks: readonly Block[], allowed: ReadonlySet<string>): string {
  return blocks
    .map((block, at) => {
      const isCode = block.type === 'code' || block.type === 'table'
      const next = blocks[at + 1]
      const isLast = next === undefined || isCode || next.type === 'code' || next.type === 'table'
      const text = mrkdwnBlock(block, allowed)
      return `${isCode ? text : lines(text, '>')}${isLast ? '' : '\n>'}`
    })
    .join('\n')
}

function mrkdwnList(list: List, allowed: ReadonlySet<string>): string {
  return list.children
    .map((item, at) => {
      const mark = list.ordered ? `${list.start + at}. ` : '• '
      const tick = item.checked === null ? '' : item.checked ? '☑ ' : '☐ '
      const body = item.children.map((child) => mrkdwnBlock(child, allowed)).join('\n')
      return `${mark}${tick}${body.replaceAll('\n', '\n    ')}`
    })
    .join('\n')
}

/** A zero-width space keeps three backticks inside from ending the block: mrkdwn has no longer fence. */
function mrkdwnCode(value: string): string {
  return `\`\`\`\n${escapeMrkdwn(value).replaceAll('```', `\`${EDGE}\`${EDGE}\``)}\n\`\`\``
}

function lines(text: string, mark: string): string {
  return text
    .split('\n')
    .map((line) => `${mark}${line === '' ? '' : ' '}${line}`)
    .join('\n')
}

/** Bold inside a heading would end the heading's own bold. */
function withoutStrong(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.flatMap((inline) => (inline.type === 'strong' ? withoutStrong(inline.children) : [inline]))
}

function mrkdwnInlines(inlines: readonly Inline[], allowed: ReadonlySet<string>): string {
  let written = ''
  inlines.forEach((inline, at) => {
    const next = inlines[at + 1]
    const after = next === undefined ? '' : plainInline([next]).charAt(0)
    written += mrkdwnInline(inline, allowed, written.at(-1) ?? '', after)
  })
  return written
}

function mrkdwnInline(inline: Inline, allowed: ReadonlySet<string>, before: string, after: string): string {
  switch (inline.type) {
    case 'text':
      return mrkdwnText(inline.value)
    case 'inlineCode':
      return marked('`', escapeMrkdwn(inline.value).replaceAll('`', 'ˋ').replaceAll('\n', ' '), before, after)
    case 'emphasis':
      return marked('_', mrkdwnInlines(inline.children, allowed), before, after)
    case 'strong':
      return marked('*', mrkdwnInlines(inline.children, allowed), before, after)
    case 'delete':
      return marked('~', mrkdwnInlines(inline.children, allowed), before, after)
    case 'break':
      return '\n'
    case 'footnoteReference':
      return `[${escapeMrkdwn(inline.label)}]`
    case 'link':
      return mrkdwnLink(inline.url, plainInline(inline.children))
    case 'image':
      return mrkdwnLink(inline.url, inline.alt)
    case 'mention':
      if (!isAllowed(inline, allowed)) return escapeMrkdwn(inline.name)
      return {
        person: `<@${inline.id}>`,
        group: `<!subteam^${inline.id}>`,
        channel: `<#${inline.id}>`,
        everyone: '',
      }[inline.kind]
    default:
      return inline satisfies never
  }
}

function mrkdwnLink(url: string, label: string): string {
  const address = escapeMrkdwn(safeUrl(url))
  if (label === url || label.trim() === '') return `<${address}>`
  return `<${address}|${escapeMrkdwn(label).replaceAll('|', '¦').replaceAll('\n', ' ')}>`
}

/** Text whose `*`, `_`, `~`, backtick or leading quote sign would otherwise mark up what follows. */
function mrkdwnText(value: string): string {
  return escapeMrkdwn(value)
    .replaceAll(/(?<![\p{L}\p{N}])[*_~`](?=\S)/gu, `$&${EDGE}`)
    .replaceAll(/^&gt;/gm, `${EDGE}&gt;`)
}

/** Marks around content, with an invisible boundary where a letter stands directly beside them. */
function marked(mark: string, content: string, before: string, after: string): string {
  const [, open = '', text = '', close = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(content) ?? []
  if (text === '') return content
  const left = open === '' && isTight(before) ? EDGE : ''
  const right = close === '' && isTight(after) ? EDGE : ''
  // A mark does not reach over a line end.
  const inner =
    mark === '`'
      ? `${mark}${text}${mark}`
      : text
          .split('\n')
          .map((line) => (line.trim() === '' ? line : mark + line.trim() + mark))
          .join('\n')
  return `${open}${left}${inner}${right}${close}`
}

function isTight(neighbour: string): boolean {
  return neighbour !== '' && !/[\s.,;:!?()[\]{}"'/-]/.test(neighbour)
}
