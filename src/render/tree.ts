import type Token from 'markdown-it/lib/token.mjs'
import { isVisible } from '../contract/visible-text.js'
import type { Align, Block, Inline, ListItem, Root, TableCell, TableRow } from './nodes.js'
import { plainInline } from './plain.js'
import { attr, next, type Reader, type TreeOptions } from './token-reader.js'
import { inlinesOf } from './tree-inline.js'

/** Builds the tree from markdown-it's flat block tokens. Total: unknown tokens contribute their text. */
export function treeOf(tokens: readonly Token[], options: TreeOptions): Root {
  const reader: Reader = { tokens, at: 0, clean: options.clean, inline: options.inline }
  return { type: 'root', children: blocksUntil(reader, null) }
}

function blocksUntil(reader: Reader, close: string | null): Block[] {
  const blocks: Block[] = []
  for (let token = next(reader); token !== undefined && token.type !== close; token = next(reader)) {
    for (const block of blocksOf(reader, token)) blocks.push(block)
  }
  return blocks
}

function blocksOf(reader: Reader, token: Token): readonly Block[] {
  switch (token.type) {
    case 'paragraph_open':
      return paragraphOf(inlineUntil(reader, 'paragraph_close'))
    case 'heading_open':
      return headingOf(Number(token.tag.slice(1)), inlineUntil(reader, 'heading_close'))
    case 'blockquote_open': {
      const children = blocksUntil(reader, 'blockquote_close')
      return children.length === 0 ? [] : [{ type: 'blockquote', children }]
    }
    case 'bullet_list_open':
      return listsOf(reader, false, 'bullet_list_close')
    case 'ordered_list_open':
      return listsOf(reader, true, 'ordered_list_close')
    case 'table_open':
      return tableOf(reader)
    case 'fence':
    case 'code_block':
      return codeOf(reader, token)
    case 'hr':
      return [{ type: 'thematicBreak' }]
    default:
      return token.content === '' ? [] : paragraphOf([{ type: 'text', value: token.content }])
  }
}

/** A longer one is prose behind a `#`. Ours. */
const MAX_HEADING_CHARS = 300

function headingOf(depth: number, children: readonly Inline[]): readonly Block[] {
  if (plainInline(children).length > MAX_HEADING_CHARS) return paragraphOf(children)
  return children.length === 0 ? [] : [{ type: 'heading', depth, children }]
}

const LANG = /^[^\s{}`"',<>&]{1,40}/

/** None for code that shows nothing: an empty box says less than no box. */
function codeOf(reader: Reader, token: Token): readonly Block[] {
  if (!isVisible(token.content)) return []
  const lang = token.info === '' ? null : LANG.exec(reader.clean(token.info).trim())?.[0]
  return [{ type: 'code', lang: lang ?? null, value: token.content.replace(/\n$/, '') }]
}

function paragraphOf(children: readonly Inline[]): readonly Block[] {
  return children.length === 0 ? [] : [{ type: 'paragraph', children }]
}

/** A list, or several where the numbers jump ahead: people refer to the numbers the agent wrote. */
function listsOf(reader: Reader, ordered: boolean, close: string): Block[] {
  const lists: { start: number; items: ListItem[] }[] = []
  let spread = false
  for (let token = next(reader); token !== undefined && token.type !== close; token = next(reader)) {
    if (token.type !== 'list_item_open') continue
    // A tight list's paragraphs are hidden tokens; a visible one means blank lines between the items.
    const first = reader.tokens[reader.at]
    if (first?.type === 'paragraph_open' && !first.hidden) spread = true
    const number = ordered ? Number(token.info) : 1
    const last = lists.at(-1)
    const item = taskItem(blocksUntil(reader, 'list_item_close'))
    if (last === undefined || (ordered && number > last.start + last.items.length))
      lists.push({ start: number, items: [item] })
    else last.items.push(item)
  }
  return lists.flatMap(({ start, items }): readonly Block[] => {
    const children = shownItems(items, ordered)
    return children.length === 0 ? [] : [{ type: 'list', ordered, start, spread, children }]
  })
}

/** The items without those that show a mark alone: any bullet, and numbers behind which none follows. */
function shownItems(items: readonly ListItem[], ordered: boolean): readonly ListItem[] {
  const isShown = (item: ListItem): boolean => item.checked !== null || item.children.length > 0
  return ordered ? items.slice(0, items.findLastIndex(isShown) + 1) : items.filter(isShown)
}

/** GFM task list item: `[ ]` or `[x]` in front of the item's text. */
function taskItem(children: readonly Block[]): ListItem {
  const [first, ...others] = children
  const text = first?.type === 'paragraph' ? first.children[0] : undefined
  const match = text?.type === 'text' ? /^\[([ xX])\](?:[ \t\n]|$)/.exec(text.value) : null
  if (first?.type !== 'paragraph' || text?.type !== 'text' || match === null) {
    return { type: 'listItem', checked: null, children }
  }
  const value = text.value.slice(match[0].length)
  const rest = value === '' ? first.children.slice(1) : [{ ...text, value }, ...first.children.slice(1)]
  return { type: 'listItem', checked: match[1] !== ' ', children: [...paragraphOf(rest), ...others] }
}

function tableOf(reader: Reader): readonly Block[] {
  const rows: TableRow[] = []
  const align: Align[] = []
  let cells: TableCell[] = []
  for (let token = next(reader); token !== undefined && token.type !== 'table_close'; token = next(reader)) {
    if (token.type === 'tr_open') cells = []
    if (token.type === 'th_open') align.push(alignOf(token))
    if (token.type === 'inline') cells.push({ type: 'tableCell', children: inlinesOf(reader, token) })
    if (token.type === 'tr_close') rows.push({ type: 'tableRow', children: cells })
  }
  const cellTexts = rows.flatMap((row) => row.children.map((cell) => plainInline(cell.children)))
  return cellTexts.some(isVisible) ? [{ type: 'table', align, children: rows }] : []
}

function alignOf(token: Token): Align {
  const side = /text-align:(left|right|center)/.exec(attr(token, 'style'))?.[1]
  return side === 'left' || side === 'right' || side === 'center' ? side : null
}

function inlineUntil(reader: Reader, close: string): Inline[] {
  const inlines: Inline[] = []
  for (let token = next(reader); token !== undefined && token.type !== close; token = next(reader)) {
    if (token.type === 'inline') for (const inline of inlinesOf(reader, token)) inlines.push(inline)
  }
  return inlines
}
