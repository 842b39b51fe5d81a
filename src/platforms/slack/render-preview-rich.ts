import { isJsonObject, type JsonObject, objectField, stringField } from '../../contract/json-object.js'
import type { Block, Inline, ListItem } from '../../render/nodes.js'
import { linkUrl } from '../../render/urls.js'

interface OpenList {
  readonly indent: number
  readonly items: ListItem[]
}

/** The elements of a `rich_text` block as a document. Lists, which Slack indents, are nested again. */
export function richBlocks(elements: readonly JsonObject[]): readonly Block[] {
  const blocks: Block[] = []
  let open: OpenList[] = []
  for (const element of elements) {
    if (element.type === 'rich_text_list') {
      open = appendList(blocks, open, element)
      continue
    }
    open = []
    blocks.push(blockOf(element))
  }
  return blocks
}

function blockOf(element: JsonObject): Block {
  const inlines = listOf(element.elements).map(richInline)
  switch (element.type) {
    case 'rich_text_preformatted':
      return { type: 'code', lang: null, value: inlines.map(plainOf).join('') }
    case 'rich_text_quote':
      return { type: 'blockquote', children: [{ type: 'paragraph', children: inlines }] }
    default:
      return { type: 'paragraph', children: inlines }
  }
}

/** Adds a list, inside the last item of a shallower one that is still open; returns what is open now. */
function appendList(blocks: Block[], open: readonly OpenList[], element: JsonObject): OpenList[] {
  const indent = numberOf(element.indent)
  const items = listOf(element.elements).map(
    (section): ListItem => ({
      type: 'listItem',
      checked: null,
      children: [{ type: 'paragraph', children: listOf(section.elements).map(richInline) }],
    }),
  )
  const around = open.filter((list) => list.indent < indent)
  const list: Block = {
    type: 'list',
    ordered: element.style === 'ordered',
    start: numberOf(element.offset) + 1,
    spread: false,
    children: items,
  }
  const parent = around.at(-1)
  const last = parent?.items.at(-1)
  if (parent === undefined || last === undefined) blocks.push(list)
  else parent.items[parent.items.length - 1] = { ...last, children: [...last.children, list] }
  return [...around, { indent, items }]
}

/** One leaf of a section. */
export function richInline(leaf: JsonObject): Inline {
  const text = stringField(leaf, 'text') ?? ''
  switch (leaf.type) {
    case 'text':
      return styled({ type: 'text', value: text }, objectField(leaf, 'style'))
    case 'link': {
      const url = linkUrl(stringField(leaf, 'url') ?? '')
      const label: Inline = { type: 'text', value: text === '' ? (url ?? '') : text }
      return styled(
        url === null ? label : { type: 'link', url, children: [label] },
        objectField(leaf, 'style'),
      )
    }
    case 'user':
      return mention('person', stringField(leaf, 'user_id') ?? '', '@')
    case 'usergroup':
      return mention('group', stringField(leaf, 'usergroup_id') ?? '', '@')
    case 'channel':
      return mention('channel', stringField(leaf, 'channel_id') ?? '', '#')
    default:
      return { type: 'text', value: text }
  }
}

function mention(kind: 'person' | 'group' | 'channel', id: string, mark: string): Inline {
  return { type: 'mention', kind, id, name: `${mark}${id}`, raw: id }
}

function styled(inline: Inline, style: JsonObject | null): Inline {
  let shown = inline
  if (style?.code === true && inline.type === 'text') shown = { type: 'inlineCode', value: inline.value }
  if (style?.bold === true) shown = { type: 'strong', children: [shown] }
  if (style?.italic === true) shown = { type: 'emphasis', children: [shown] }
  return style?.strike === true ? { type: 'delete', children: [shown] } : shown
}

function plainOf(inline: Inline): string {
  return 'value' in inline ? inline.value : 'children' in inline ? inline.children.map(plainOf).join('') : ''
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) ? Math.min(Math.max(value, 0), 1_000_000) : 0
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
