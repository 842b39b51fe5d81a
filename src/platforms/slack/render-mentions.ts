import type { Block, Inline, Mention } from '../../render/nodes.js'
import { countMentions } from './render-escape.js'

/** Whether a mention may stay one: a channel link pings nobody; people and groups only from the run's list. */
export function isAllowed(mention: Mention, allowed: ReadonlySet<string>): boolean {
  switch (mention.kind) {
    case 'channel':
      return /^C[A-Z0-9]{2,}$/.test(mention.id)
    case 'person':
      return /^[UW][A-Z0-9]{2,}$/.test(mention.id) && allowed.has(mention.id)
    case 'group':
      return /^S[A-Z0-9]{2,}$/.test(mention.id) && allowed.has(mention.id)
    case 'everyone':
      return false
    default:
      return mention.kind satisfies never
  }
}

/** How many forms that could have pinged somebody a document holds and rendering takes the force from. */
export function neutralisedIn(blocks: readonly Block[], allowed: ReadonlySet<string>): number {
  return blocks.reduce((count, block) => count + inBlock(block, allowed), 0)
}

function inBlock(block: Block, allowed: ReadonlySet<string>): number {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return inInlines(block.children, allowed)
    case 'blockquote':
      return neutralisedIn(block.children, allowed)
    case 'list':
      return block.children.reduce((count, item) => count + neutralisedIn(item.children, allowed), 0)
    case 'table':
      return block.children
        .flatMap((row) => row.children)
        .reduce((count, cell) => count + inInlines(cell.children, allowed), 0)
    case 'code':
      return countMentions(block.value)
    case 'thematicBreak':
      return 0
    default:
      return block satisfies never
  }
}

function inInlines(inlines: readonly Inline[], allowed: ReadonlySet<string>): number {
  return inlines.reduce((count, inline) => count + inInline(inline, allowed), 0)
}

function inInline(inline: Inline, allowed: ReadonlySet<string>): number {
  switch (inline.type) {
    case 'text':
    case 'inlineCode':
      return countMentions(inline.value)
    case 'emphasis':
    case 'strong':
    case 'delete':
      return inInlines(inline.children, allowed)
    case 'link':
      return inInlines(inline.children, allowed) + countMentions(inline.url)
    case 'image':
      return countMentions(inline.alt) + countMentions(inline.url)
    case 'mention':
      return isAllowed(inline, allowed) ? 0 : 1
    case 'break':
    case 'footnoteReference':
      return 0
    default:
      return inline satisfies never
  }
}
