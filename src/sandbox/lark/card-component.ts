import { type CardCheck, checkTaggedText, checkText, onlyKeys } from './card-text.js'
import { isObject, type JsonObject } from './json.js'
import { cardRefusal } from './refusal.js'

/** Platform notes 4.5. */
const MAX_TABLES_PER_MARKDOWN = 4
const MAX_COLUMNS = 50

const COMMON = ['tag', 'element_id', 'margin']
const BOX = ['direction', 'padding', 'background_style', 'vertical_spacing', 'horizontal_spacing']
const ALIGN = ['vertical_align', 'horizontal_align']

function keys(...groups: (string | readonly string[])[]): ReadonlySet<string> {
  return new Set([...COMMON, ...groups.flat()])
}

/** Components of card 2.0. `null`: known, its properties are not checked here. */
const COMPONENTS: Readonly<Record<string, ReadonlySet<string> | null>> = {
  markdown: keys('content', 'i18n_content', 'text_align', 'text_size', 'icon', 'href'),
  div: keys('text', 'fields', 'icon', 'width', 'text_size'),
  hr: keys(),
  button: keys(
    [
      'type',
      'size',
      'width',
      'text',
      'icon',
      'hover_tips',
      'disabled',
      'disabled_tips',
      'confirm',
      'behaviors',
    ],
    ['name', 'required', 'form_action_type'],
  ),
  column_set: keys(BOX, ALIGN, ['flex_mode', 'horizontal_align', 'columns', 'action', 'behaviors']),
  column: keys(BOX, ALIGN, ['width', 'weight', 'elements', 'action', 'behaviors']),
  table: keys(
    'page_size',
    'row_height',
    'row_max_height',
    'freeze_first_column',
    'header_style',
    'columns',
    'rows',
  ),
  collapsible_panel: keys(BOX, ALIGN, ['expanded', 'header', 'border', 'elements', 'background_color']),
  interactive_container: keys(
    BOX,
    ALIGN,
    ['width', 'height', 'has_border', 'border_color', 'corner_radius'],
    ['behaviors', 'elements', 'disabled', 'confirm', 'hover_tips'],
  ),
  form: keys(BOX, ALIGN, ['name', 'elements', 'confirm']),
  img: null,
  img_combination: null,
  person: null,
  person_list: null,
  chart: null,
  input: null,
  select_static: null,
  multi_select_static: null,
  select_person: null,
  multi_select_person: null,
  select_img: null,
  date_picker: null,
  picker_time: null,
  picker_datetime: null,
  overflow: null,
  checker: null,
  audio: null,
}

interface Place {
  readonly isRoot: boolean
  readonly path: string
}

/** Checks one component and those inside it. @throws {LarkRefusal} 230099, see `checkCard` */
export function checkComponent(component: unknown, check: CardCheck, place: Place): void {
  if (!isObject(component)) throw cardRefusal(200621, `element is not an object, path: ${place.path}`)
  const tag = typeof component.tag === 'string' ? component.tag : ''
  const path = `${place.path} -> [${check.components}](tag: ${tag})`
  if (!Object.hasOwn(COMPONENTS, tag)) throw cardRefusal(200861, `not support tag: ${tag}, path: ${path}`)
  check.components += 1
  const allowed = COMPONENTS[tag]
  if (allowed !== undefined && allowed !== null) onlyKeys(component, allowed, path)
  checkElementId(component, check, path)
  if (tag === 'markdown') checkMarkdown(component, check, path)
  if (tag === 'div' && component.text !== undefined) checkTaggedText(component.text, path)
  if (tag === 'button') checkButton(component, path)
  if (tag === 'table') checkTable(component, check, { isRoot: place.isRoot, path })
  if (tag === 'img' && typeof component.img_key !== 'string')
    throw cardRefusal(200570, `image key, path: ${path}`)
  for (const field of ['elements', 'columns'] as const) {
    const children = tag === 'table' ? undefined : component[field]
    if (children === undefined) continue
    if (!Array.isArray(children)) throw cardRefusal(200621, `${field} is not a list, path: ${path}`)
    for (const child of children) checkComponent(child, check, { isRoot: false, path })
  }
}

function checkElementId(component: JsonObject, check: CardCheck, path: string): void {
  const { element_id: id } = component
  if (id === undefined) return
  if (typeof id !== 'string' || !/^[A-Za-z][A-Za-z0-9_]{0,19}$/.test(id)) {
    throw cardRefusal(200621, `invalid element_id, path: ${path}`)
  }
  if (check.elementIds.has(id)) throw cardRefusal(200621, `element_id ${id} is used twice, path: ${path}`)
  check.elementIds.add(id)
}

/** Tables are counted per language: a reader sees one. */
function checkMarkdown(component: JsonObject, check: CardCheck, path: string): void {
  checkText(component, path)
  const translations = isObject(component.i18n_content) ? Object.values(component.i18n_content) : []
  let mostTables = 0
  for (const text of [component.content, ...translations].map(String)) {
    const tables = markdownTables(text)
    if (tables > MAX_TABLES_PER_MARKDOWN)
      throw cardRefusal(11310, `card table number over limit, path: ${path}`)
    mostTables = Math.max(mostTables, tables)
    checkInline(text, check, path)
  }
  check.tables += mostTables
}

function checkInline(text: string, check: CardCheck, path: string): void {
  const outsideCode = text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1.*$/gm, '').replace(/`[^`\n]*`/g, '')
  for (const [, id] of outsideCode.matchAll(/<at\s+id=["']?([^"'\s>]+)["']?\s*>/g)) {
    if (id !== undefined && id !== 'all' && !check.isUser(id))
      throw cardRefusal(100290, `at id ${id}, path: ${path}`)
  }
  for (const [, key] of outsideCode.matchAll(/(?<!\\)!\[[^\]]*\]\(([^)\s]*)/g)) {
    if (key !== undefined && !key.startsWith('img_'))
      throw cardRefusal(200570, `image key ${key}, path: ${path}`)
  }
}

/** GFM tables of a Markdown text: a header row followed by a delimiter row, outside fenced code. */
export function markdownTables(text: string): number {
  let fence: string | null = null
  let count = 0
  let previous = ''
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === null || line.trim().startsWith(fence)))
      fence = fence === null ? mark : null
    else if (fence === null && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line)) {
      if (line.includes('|') && previous.includes('|')) count += 1
    }
    previous = line
  }
  return count
}

function checkButton(component: JsonObject, path: string): void {
  if (component.text !== undefined) checkTaggedText(component.text, path)
  const { behaviors } = component
  if (behaviors === undefined) return
  if (!Array.isArray(behaviors)) throw cardRefusal(200621, `behaviors is not a list, path: ${path}`)
  for (const behavior of behaviors) {
    const type = isObject(behavior) ? behavior.type : undefined
    if (type !== 'callback' && type !== 'open_url' && type !== 'form_action') {
      throw cardRefusal(200621, `unknown behavior, path: ${path}`)
    }
  }
}

function checkTable(component: JsonObject, check: CardCheck, place: Place): void {
  if (!place.isRoot) throw cardRefusal(200914, `table must stand at the root, path: ${place.path}`)
  check.tables += 1
  const { columns, page_size: pageSize } = component
  if (!Array.isArray(columns) || columns.length === 0) throw cardRefusal(200914, 'table columns are required')
  if (columns.length > MAX_COLUMNS) throw cardRefusal(200915, 'table columns over limit')
  if (!Array.isArray(component.rows)) throw cardRefusal(200914, 'table rows are required')
  const isPage = pageSize === undefined || (typeof pageSize === 'number' && pageSize >= 1 && pageSize <= 10)
  if (!isPage) throw cardRefusal(200914, 'table page_size must be 1-10')
}
