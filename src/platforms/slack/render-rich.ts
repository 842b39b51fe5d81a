import type { Block, List, ListItem } from '../../render/nodes.js'
import { tableAsCode } from '../../render/width.js'
import { SLACK_LIMITS } from './limits.js'
import { richInlines, richText } from './render-inline.js'
import type { RichElement, RichInline, RichSection } from './render-wire.js'

/** Blocks as the elements of one `rich_text` block. Total: what rich text has no form for is laid out as text. */
export function richElements(blocks: readonly Block[], allowed: ReadonlySet<string>): RichElement[] {
  const elements: RichElement[] = []
  for (const block of blocks)
    for (const element of elementsOf(block, { allowed, indent: 0, border: {} })) append(elements, element)
  return elements
}

/** Paragraphs that follow each other are one section with an empty line between: sections alone leave no room. */
function append(elements: RichElement[], element: RichElement): void {
  const last = elements.at(-1)
  if (last?.type === 'rich_text_section' && element.type === 'rich_text_section') {
    elements[elements.length - 1] = {
      ...last,
      elements: [...last.elements, ...richText('\n\n'), ...element.elements],
    }
    return
  }
  elements.push(element)
}

/** Where blocks stand. */
interface Place {
  readonly allowed: ReadonlySet<string>
  /** List levels around. */
  readonly indent: number
  /** Inside a quote: the bar Slack draws beside a list. Code has one in its types too, but was seen to be refused with it. */
  readonly border: { readonly border?: 1 }
}

function elementsOf(block: Block, place: Place): readonly RichElement[] {
  switch (block.type) {
    case 'paragraph':
      return section(richInlines(block.children, place.allowed))
    case 'heading':
      return section(richInlines(block.children, place.allowed, { bold: true }))
    case 'blockquote':
      return quoteElements(block.children, place)
    case 'code':
      return preformatted(block.value)
    case 'table':
      return preformatted(tableAsCode(block).value)
    case 'list':
      return listElements(block, place)
    case 'thematicBreak':
      return section(richText('———'))
    default:
      return block satisfies never
  }
}

/** A quote's text as quotes; between them lists, with a bar of their own, and code: a rich text quote cannot hold them. */
function quoteElements(blocks: readonly Block[], place: Place): readonly RichElement[] {
  const elements: RichElement[] = []
  for (const block of blocks) {
    for (const element of elementsOf(block, { ...place, border: { border: 1 } })) {
      const own = element.type === 'rich_text_section' ? quoteOf(element.elements) : element
      const last = elements.at(-1)
      if (last?.type === 'rich_text_quote' && own.type === 'rich_text_quote')
        elements[elements.length - 1] = quoteOf([...last.elements, ...richText('\n\n'), ...own.elements])
      else elements.push(own)
    }
  }
  return elements
}

function quoteOf(elements: readonly RichInline[]): RichElement & { readonly type: 'rich_text_quote' } {
  return { type: 'rich_text_quote', elements }
}

function section(elements: readonly RichInline[]): readonly RichElement[] {
  return elements.length === 0 ? [] : [{ type: 'rich_text_section', elements }]
}

function preformatted(value: string): readonly RichElement[] {
  return [{ type: 'rich_text_preformatted', elements: richText(value === '' ? ' ' : value) }]
}

interface OpenList {
  readonly elements: RichElement[]
  items: RichSection[]
  firstNumber: number
}

/**
 * A list as rich text lists, one a level: rich text lists do not nest, they indent. What stands inside an item and
 * is no text interrupts its list, which goes on with its own number (`offset`) afterwards.
 */
function listElements(list: List, place: Place): readonly RichElement[] {
  const open: OpenList = { elements: [], items: [], firstNumber: list.start }
  list.children.forEach((item, at) => {
    const inside = insideOf(item, place)
    open.items.push({
      type: 'rich_text_section',
      elements: inside.text.length === 0 ? richText(' ') : inside.text,
    })
    if (inside.blocks.length === 0) return
    closeList(open, list, place)
    for (const element of inside.blocks) open.elements.push(element)
    open.firstNumber = list.start + at + 1
  })
  closeList(open, list, place)
  return open.elements
}

function closeList(open: OpenList, list: List, { indent, border }: Place): void {
  if (open.items.length === 0) return
  const offset = list.ordered && open.firstNumber !== 1 ? { offset: open.firstNumber - 1 } : {}
  open.elements.push({
    type: 'rich_text_list',
    style: list.ordered ? 'ordered' : 'bullet',
    indent: Math.min(indent, SLACK_LIMITS.listIndent.budget),
    ...offset,
    ...border,
    elements: open.items,
  })
  open.items = []
}

/** An item's leading paragraphs as its text, the rest as elements of their own. */
function insideOf(
  item: ListItem,
  place: Place,
): { readonly text: readonly RichInline[]; readonly blocks: readonly RichElement[] } {
  const firstOther = item.children.findIndex(
    (child) => child.type !== 'paragraph' && child.type !== 'heading',
  )
  const end = firstOther === -1 ? item.children.length : firstOther
  const lines = item.children
    .slice(0, end)
    .flatMap((child) => elementsOf(child, place))
    .flatMap((element, at): readonly RichInline[] =>
      element.type === 'rich_text_section'
        ? [...(at === 0 ? [] : richText('\n\n')), ...element.elements]
        : [],
    )
  const inside = { ...place, indent: place.indent + 1 }
  const blocks = item.children.slice(end).flatMap((child) => elementsOf(child, inside))
  return { text: [...richText(tick(item)), ...lines], blocks }
}

function tick(item: ListItem): string {
  return item.checked === null ? '' : item.checked ? '☑ ' : '☐ '
}
