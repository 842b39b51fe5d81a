import type Token from 'markdown-it/lib/token.mjs'
import type { Align, Block, Inline, ListItem, Mention, Root, TableCell, TableRow } from './nodes.js'
import { linkUrl, shownUrl } from './urls.js'

/** Emphasis nesting that is kept; deeper marks are dropped and their text stays. */
const MAX_INLINE_DEPTH = 12

/** What building a tree needs besides the block tokens. */
export interface TreeOptions {
  /** Cleans a string that was decoded from character references or escapes. */
  readonly clean: (text: string) => string
  /** Reads inline Markdown. Called block by block, so that a long document's inline tokens never exist all at once. */
  readonly inline: (content: string) => readonly Token[]
}

/** Builds the tree from markdown-it's flat block tokens. Total: unknown tokens contribute their text. */
export function treeOf(tokens: readonly Token[], options: TreeOptions): Root {
  const reader: Reader = { tokens, at: 0, clean: options.clean, inline: options.inline }
  return { type: 'root', children: blocksUntil(reader, null) }
}

interface Reader extends TreeOptions {
  readonly tokens: readonly Token[]
  at: number
}

function next(reader: Reader): Token | undefined {
  const token = reader.tokens[reader.at]
  reader.at += 1
  return token
}

function blocksUntil(reader: Reader, close: string | null): Block[] {
  const blocks: Block[] = []
  for (let token = next(reader); token !== undefined && token.type !== close; token = next(reader)) {
    blocks.push(...blocksOf(reader, token))
  }
  return blocks
}

function blocksOf(reader: Reader, token: Token): readonly Block[] {
  switch (token.type) {
    case 'paragraph_open':
      return paragraphOf(inlineUntil(reader, 'paragraph_close'))
    case 'heading_open': {
      const children = inlineUntil(reader, 'heading_close')
      return children.length === 0 ? [] : [{ type: 'heading', depth: Number(token.tag.slice(1)), children }]
    }
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
      return [codeOf(reader, token)]
    case 'hr':
      return [{ type: 'thematicBreak' }]
    default:
      return token.content === '' ? [] : paragraphOf([{ type: 'text', value: token.content }])
  }
}

function codeOf(reader: Reader, token: Token): Block {
  const lang = /^[^\s{}`"',<>&]{1,40}/.exec(reader.clean(token.info).trim())?.[0] ?? null
  return { type: 'code', lang, value: token.content.replace(/\n$/, '') }
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
  return lists.map(({ start, items }) => ({ type: 'list', ordered, start, spread, children: items }))
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
  return rows.length === 0 ? [] : [{ type: 'table', align, children: rows }]
}

function alignOf(token: Token): Align {
  const side = /text-align:(left|right|center)/.exec(attr(token, 'style'))?.[1]
  return side === 'left' || side === 'right' || side === 'center' ? side : null
}

function inlineUntil(reader: Reader, close: string): Inline[] {
  const inlines: Inline[] = []
  for (let token = next(reader); token !== undefined && token.type !== close; token = next(reader)) {
    if (token.type === 'inline') inlines.push(...inlinesOf(reader, token))
  }
  return inlines
}

function inlinesOf(reader: Reader, token: Token): Inline[] {
  // Only a reference or an escape can decode to something that was not in the cleaned source.
  const clean = /[&\\]/.test(token.content) ? reader.clean : unchanged
  const inner: Reader = { tokens: reader.inline(token.content), at: 0, clean, inline: reader.inline }
  return trimmed(inlineRun(inner, null, 0))
}

function unchanged(text: string): string {
  return text
}

function inlineRun(reader: Reader, close: string | null, depth: number): Inline[] {
  const inlines: Inline[] = []
  for (let token = next(reader); token !== undefined && token.type !== close; token = next(reader)) {
    for (const inline of inlineOf(reader, token, depth)) append(inlines, inline)
  }
  return inlines
}

function append(inlines: Inline[], inline: Inline): void {
  const last = inlines.at(-1)
  if (inline.type === 'text' && inline.value === '') return
  if (inline.type === 'text' && last?.type === 'text') {
    inlines[inlines.length - 1] = { type: 'text', value: last.value + inline.value }
    return
  }
  inlines.push(inline)
}

function inlineOf(reader: Reader, token: Token, depth: number): readonly Inline[] {
  switch (token.type) {
    case 'em_open':
      return wrapped('emphasis', inlineRun(reader, 'em_close', depth + 1), depth)
    case 'strong_open':
      return wrapped('strong', inlineRun(reader, 'strong_close', depth + 1), depth)
    case 's_open':
      return wrapped('delete', inlineRun(reader, 's_close', depth + 1), depth)
    case 'link_open':
      return linkOf(reader.clean(attr(token, 'href')), inlineRun(reader, 'link_close', depth + 1))
    case 'image':
      return imageOf(reader.clean(attr(token, 'src')), plainOf(token.children ?? [], reader.clean))
    case 'code_inline':
      return token.content === '' ? [] : [{ type: 'inlineCode', value: reader.clean(token.content) }]
    case 'softbreak':
      return [{ type: 'text', value: '\n' }]
    case 'hardbreak':
      return [{ type: 'break' }]
    case 'footnote_reference':
      return [{ type: 'footnoteReference', label: reader.clean(token.content) }]
    case 'mention':
      return [mentionOf(token)]
    default:
      return [{ type: 'text', value: reader.clean(token.content) }]
  }
}

function wrapped(
  type: 'emphasis' | 'strong' | 'delete',
  children: readonly Inline[],
  depth: number,
): readonly Inline[] {
  if (children.length === 0) return []
  return depth >= MAX_INLINE_DEPTH ? children : [{ type, children }]
}

function linkOf(raw: string, label: readonly Inline[]): readonly Inline[] {
  const url = linkUrl(raw)
  if (url !== null)
    return [{ type: 'link', url, children: label.length === 0 ? [{ type: 'text', value: url }] : label }]
  return labelled(label, raw)
}

/** The label of an address that may not be linked, and the address as text where it says more. */
function labelled(label: readonly Inline[], raw: string): readonly Inline[] {
  const shown = shownUrl(raw)
  const [only] = label
  const same =
    label.length === 1 && (only?.type === 'text' || only?.type === 'inlineCode') && only.value === shown
  if (shown === '' || same) return label
  return label.length === 0
    ? [{ type: 'text', value: shown }]
    : [...label, { type: 'text', value: ` (${shown})` }]
}

function imageOf(raw: string, alt: string): readonly Inline[] {
  const url = linkUrl(raw)
  if (url !== null) return [{ type: 'image', url, alt: alt === '' ? url : alt }]
  return labelled(alt === '' ? [] : [{ type: 'text', value: alt }], raw)
}

function plainOf(tokens: readonly Token[], clean: TreeOptions['clean']): string {
  return tokens
    .map((token) => (token.type === 'softbreak' || token.type === 'hardbreak' ? ' ' : clean(token.content)))
    .join('')
}

function mentionOf(token: Token): Mention {
  return {
    type: 'mention',
    kind: mentionKind(attr(token, 'kind')),
    id: attr(token, 'id'),
    name: attr(token, 'name'),
    raw: token.content,
  }
}

function mentionKind(name: string): Mention['kind'] {
  return name === 'person' || name === 'group' || name === 'channel' ? name : 'everyone'
}

function attr(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}

function trimmed(inlines: readonly Inline[]): Inline[] {
  const kept = [...inlines]
  while (kept[0]?.type === 'break') kept.shift()
  while (kept.at(-1)?.type === 'break') kept.pop()
  return kept
}
