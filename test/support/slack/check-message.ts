import type { Json, JsonRecord } from './world.js'

/** Limits of one message: platforms.md 1.2, where each has its page. Characters are UTF-16 units. */
const MAX_BLOCKS = 50
const MAX_SECTION_CHARS = 3_000
const MAX_FIELD_CHARS = 2_000
const MAX_HEADER_CHARS = 150
const MAX_MARKDOWN_CHARS = 12_000
/** Undocumented; 13,297 characters failed (slackapi/bolt-js#2509). */
const MAX_BLOCK_TEXT_CHARS = 13_000
const MAX_TABLE = { rows: 100, cells: 20, chars: 10_000 }
const MAX_BUTTON = { text: 75, value: 2_000, url: 3_000 }
/** The number is not documented; from memory 16 KB. */
const MAX_METADATA_BYTES = 16_384

export interface Refusal {
  readonly error: string
  readonly detail?: string
}

export interface MessageArgs {
  readonly text: string
  readonly blocks: readonly Json[]
  readonly metadata: JsonRecord | null
}

/** Reads text, blocks and metadata from a call's arguments, or says why Slack would refuse them. */
export function readMessage(args: ReadonlyMap<string, string>): MessageArgs | Refusal {
  const text = args.get('text') ?? ''
  const blocks = readJson(args.get('blocks'))
  if (blocks !== undefined && !Array.isArray(blocks)) return { error: 'invalid_blocks_format' }
  const metadata = readJson(args.get('metadata'))
  if (metadata !== undefined && !isRecord(metadata)) return { error: 'invalid_metadata_format' }
  if (text === '' && (blocks ?? []).length === 0) return { error: 'no_text' }
  const refusal = checkBlocks(blocks ?? []) ?? checkMetadata(metadata ?? null)
  return refusal ?? { text, blocks: blocks ?? [], metadata: metadata ?? null }
}

export function isRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON of an argument; undefined when absent, null when it is not JSON. */
export function readJson(raw: string | undefined): Json | undefined {
  if (raw === undefined) return undefined
  try {
    return JSON.parse(raw)
  } catch {
    return null
  }
}

function checkBlocks(blocks: readonly Json[]): Refusal | null {
  if (blocks.length > MAX_BLOCKS) return { error: 'msg_blocks_too_many' }
  for (const [index, block] of blocks.entries()) {
    const fault = isRecord(block) ? blockFault(block) : 'a block is an object'
    if (fault !== null) return { error: 'invalid_blocks', detail: `${fault} [json-pointer:/blocks/${index}]` }
  }
  const records = blocks.filter(isRecord)
  const markdown = records
    .filter((block) => block.type === 'markdown')
    .map((block) => stringAt(block, 'text'))
  if (chars(markdown) > MAX_MARKDOWN_CHARS) return { error: 'msg_blocks_too_long' }
  if (textChars(blocks) > MAX_BLOCK_TEXT_CHARS) return { error: 'msg_blocks_too_long' }
  const tables = records.filter((block) => block.type === 'table').length
  if (tables + countMarkdownTables(markdown.join('\n\n')) > 1) {
    return { error: 'invalid_attachments', detail: 'only_one_table_allowed' }
  }
  return null
}

function blockFault(block: JsonRecord): string | null {
  if (stringAt(block, 'block_id').length > 255) return 'block_id is longer than 255'
  switch (block.type) {
    case 'markdown':
      return stringAt(block, 'text') === '' ? 'missing text' : null
    case 'divider':
      return null
    case 'section':
      return sectionFault(block)
    case 'header':
      return textFault(block.text, MAX_HEADER_CHARS, ['plain_text'])
    case 'context':
      return elementsFault(block, 10, (element) => textFault(element, MAX_SECTION_CHARS))
    case 'actions':
      return elementsFault(block, 25, buttonFault)
    case 'rich_text':
      return elementsFault(block, 1_000, richTextFault)
    case 'table':
      return tableFault(block)
    case 'image':
      return stringAt(block, 'image_url') === '' || stringAt(block, 'alt_text') === ''
        ? 'missing image_url'
        : null
    default:
      return 'unsupported type'
  }
}

function sectionFault(block: JsonRecord): string | null {
  if (block.text === undefined && block.fields === undefined) return 'missing text'
  if (block.text !== undefined) {
    const fault = textFault(block.text, MAX_SECTION_CHARS)
    if (fault !== null) return fault
  }
  if (block.fields === undefined) return null
  if (!Array.isArray(block.fields) || block.fields.length > 10) return 'at most 10 fields'
  return firstFault(block.fields, (field) => textFault(field, MAX_FIELD_CHARS))
}

function textFault(
  text: Json | undefined,
  maxChars: number,
  types: readonly string[] = ['plain_text', 'mrkdwn'],
): string | null {
  if (!isRecord(text) || typeof text.type !== 'string' || !types.includes(text.type))
    return 'not a text object'
  const { length } = stringAt(text, 'text')
  if (length === 0) return 'must be more than 0 characters'
  return length > maxChars ? `must be less than ${maxChars + 1} characters` : null
}

function buttonFault(element: Json): string | null {
  if (!isRecord(element) || typeof element.type !== 'string') return 'not an element'
  if (element.type !== 'button') return null
  if (stringAt(element, 'value').length > MAX_BUTTON.value) return 'value too long'
  if (stringAt(element, 'url').length > MAX_BUTTON.url) return 'url too long'
  return textFault(element.text, MAX_BUTTON.text, ['plain_text'])
}

const RICH_TEXT = ['rich_text_section', 'rich_text_list', 'rich_text_preformatted', 'rich_text_quote']
const RICH_LEAVES = ['text', 'link', 'user', 'channel', 'usergroup', 'emoji', 'broadcast', 'date', 'color']

function richTextFault(element: Json): string | null {
  if (!isRecord(element) || typeof element.type !== 'string') return 'not an element'
  if (RICH_LEAVES.includes(element.type)) {
    return element.type === 'text' && stringAt(element, 'text') === '' ? 'text must not be empty' : null
  }
  if (!RICH_TEXT.includes(element.type) || !Array.isArray(element.elements))
    return 'unsupported rich_text element'
  return firstFault(element.elements, richTextFault)
}

function tableFault(block: JsonRecord): string | null {
  const { rows } = block
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > MAX_TABLE.rows) return 'rows: 1 to 100'
  if (textChars(rows) > MAX_TABLE.chars) return 'table is longer than 10000 characters'
  return firstFault(rows, (row) => {
    if (!Array.isArray(row) || row.length === 0 || row.length > MAX_TABLE.cells) return 'cells: 1 to 20'
    return firstFault(row, (cell) => {
      if (isRecord(cell) && cell.type === 'raw_text')
        return stringAt(cell, 'text') === '' ? 'empty cell' : null
      return isRecord(cell) && cell.type === 'rich_text'
        ? blockFault(cell)
        : 'cell must be raw_text or rich_text'
    })
  })
}

function elementsFault(
  block: JsonRecord,
  max: number,
  fault: (element: Json) => string | null,
): string | null {
  const { elements } = block
  if (!Array.isArray(elements) || elements.length === 0 || elements.length > max)
    return `elements: 1 to ${max}`
  return firstFault(elements, fault)
}

function firstFault(items: readonly Json[], fault: (item: Json) => string | null): string | null {
  return items.map(fault).find((found) => found !== null) ?? null
}

/** Shape: platforms.md 1.1 (flat values, flat objects, lists of flat objects). */
function checkMetadata(metadata: JsonRecord | null): Refusal | null {
  if (metadata === null || Object.keys(metadata).length === 0) return null
  if (typeof metadata.event_type !== 'string' || !isRecord(metadata.event_payload)) {
    return { error: 'invalid_metadata_format' }
  }
  const isFlat = (value: Json | undefined) => ['string', 'number', 'boolean'].includes(typeof value)
  const isFlatObject = (value: Json | undefined) => isRecord(value) && Object.values(value).every(isFlat)
  const isAllowed = (value: Json | undefined) =>
    isFlat(value) || isFlatObject(value) || (Array.isArray(value) && value.every(isFlatObject))
  if (!Object.values(metadata.event_payload).every(isAllowed)) return { error: 'invalid_metadata_schema' }
  return Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES
    ? { error: 'metadata_too_large' }
    : null
}

function countMarkdownTables(markdown: string): number {
  const withoutCode = markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '')
  return withoutCode.match(/^ {0,3}\|?[ ]*:?-+:?[ ]*(\|[ ]*:?-+:?[ ]*)+\|?[ ]*$/gm)?.length ?? 0
}

function textChars(value: Json | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textChars(item), 0)
  if (!isRecord(value)) return 0
  return Object.entries(value).reduce(
    (sum, [key, item]) => sum + (key === 'text' && typeof item === 'string' ? item.length : textChars(item)),
    0,
  )
}

function stringAt(record: JsonRecord, key: string): string {
  const value = record[key]
  return typeof value === 'string' ? value : ''
}

function chars(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}
