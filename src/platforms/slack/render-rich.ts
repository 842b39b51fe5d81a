import type { Block, List, ListItem } from '../../render/nodes.js'
import { plainBlocks } from '../../render/plain.js'
import { tableAsCode } from '../../render/width.js'
import { SLACK_LIMITS } from './limits.js'
import { richInlines, richText } from './render-inline.js'
import type { RichElement, RichInline, RichSection } from './render-wire.js'

/** Blocks as the elements of one `rich_text` block. Total: what rich text has no form for is laid out as text. */
export function richElements(blocks: readonly Block[], allowed: ReadonlySet<string>): RichElement[] {
  const elements: RichElement[] = []
  for (const block of blocks) for (const element of elementsOf(block, allowed, 0)) append(elements, element)
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

function elementsOf(block: Block, allowed: ReadonlySet<string>, indent: number): readonly RichElement[] {
  switch (block.type) {
    case 'paragraph':
      return section(richInlines(block.children, allowed))
    case 'heading':
      return section(richInlines(block.children, allowed, { bold: true }))
    case 'blockquote':
      return quote(quoted(block.children, allowed))
    case 'code':
      return preformatted(block.value)
    case 'table':
      return preformatted(tableAsCode(block).value)
    case 'list':
      return listElements(block, allowed, indent)
    case 'thematicBreak':
      return section(richText('———'))
    default:
      return block satisfies never
  }
}

function section(elements: readonly RichInline[]): readonly RichElement[] {
  return elements.length === 0 ? [] : [{ type: 'rich_text_section', elements }]
}

function quote(elements: readonly RichInline[]): readonly RichElement[] {
  return elements.length === 0 ? [] : [{ type: 'rich_text_quote', elements }]
}

function preformatted(value: string): readonly RichElement[] {
  return [{ type: 'rich_text_preformatted', elements: richText(value === '' ? ' ' : value) }]
}

/** The inside of a quote: rich text quotes hold inline content only, so blocks become lines. */
function quoted(blocks: readonly Block[], allowed: ReadonlySet<string>): RichInline[] {
  return blocks.flatMap((block, at) => [
    ...(at === 0 ? [] : richText('\n\n')),
    ...quotedBlock(block, allowed),
  ])
}

function quotedBlock(block: Block, allowed: ReadonlySet<string>): readonly RichInline[] {
  switch (block.type) {
    case 'paragraph':
      return richInlines(block.children, allowed)
    case 'heading':
      return richInlines(block.children, allowed, { bold: true })
    case 'code':
      return richText(block.value, { code: true })
    case 'blockquote':
      return quoted(block.children, allowed)
    case 'list':
      return block.children.flatMap((item, at) => [
        ...richText(`${at === 0 ? '' : '\n'}${block.ordered ? `${block.start + at}.` : '•'} ${tick(item)}`),
        ...quoted(item.children, allowed),
      ])
    case 'table':
      return richText(plainBlocks([tableAsCode(block)]), { code: true })
    case 'thematicBreak':
      return richText('———')
    default:
      return block satisfies never
  }
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
function listElements(list: List, allowed: ReadonlySet<string>, indent: number): readonly RichElement[] {
  const open: OpenList = { elements: [], items: [], firstNumber: list.start }
  list.children.forEach((item, at) => {
    const inside = insideOf(item, allowed, indent)
    open.items.push({
      type: 'rich_text_section',
      elements: inside.text.length === 0 ? richText(' ') : inside.text,
    })
    if (inside.blocks.length === 0) return
    closeList(open, list, indent)
    for (const element of inside.blocks) open.elements.push(element)
    open.firstNumber = list.start + at + 1
  })
  closeList(open, list, indent)
  return open.elements
}

function closeList(open: OpenList, list: List, indent: number): void {
  if (open.items.length === 0) return
  const offset = list.ordered && open.firstNumber !== 1 ? { offset: open.firstNumber - 1 } : {}
  open.elements.push({
    type: 'rich_text_list',
    style: list.ordered ? 'ordered' : 'bullet',
    indent: Math.min(indent, SLACK_LIMITS.listIndent.budget),
    ...offset,
    elements: open.items,
  })
  open.items = []
}

/** An item's leading paragraphs as its text, the rest as elements of their own. */
function insideOf(
  item: ListItem,
  allowed: ReadonlySet<string>,
  indent: number,
): { readonly text: readonly RichInline[]; readonly blocks: readonly RichElement[] } {
  const firstOther = item.children.findIndex(
    (child) => child.type !== 'paragraph' && child.type !== 'heading',
  )
  const end = firstOther === -1 ? item.children.length : firstOther
  const text = [...richText(tick(item)), ...quoted(item.children.slice(0, end), allowed)]
  const blocks = item.children.slice(end).flatMap((child) => elementsOf(child, allowed, indent + 1))
  return { text, blocks }
}

function tick(item: ListItem): string {
  return item.checked === null ? '' : item.checked ? '☑ ' : '☐ '
}
