import { isJsonObject, type JsonObject, objectField, stringField } from '../../contract/json-object.js'
import { parseMarkdown } from '../../render/document.js'
import type { Block, TableCell } from '../../render/nodes.js'
import type { Part } from '../../render/part.js'
import type { PreviewPiece } from '../../render/preview.js'
import { richBlocks, richInline } from './render-preview-rich.js'

/** How much of a file is shown, in characters. */
const FILE_CHARS = 4_000

/** What a reader sees of a frozen part. Total: what is not understood is named. */
export function previewSlack(part: Part): readonly PreviewPiece[] {
  if (part.kind === 'file') {
    const { filename, title } = part
    const { children } = parseMarkdown(part.markdown.slice(0, FILE_CHARS))
    return [{ kind: 'file', filename, title, blocks: children }]
  }
  const blocks = listOf(part.content.blocks)
  if (blocks.length === 0) return [document([textBlock(decoded(stringField(part.content, 'text') ?? ''))])]
  // Sections hold Slack's own markup; the part's Markdown says the same.
  const others = blocks.filter((block) => block.type !== 'section')
  if (others.every((block) => block.type === 'actions'))
    return [document(parseMarkdown(part.markdown).children), ...others.flatMap(blockPieces)]
  return blocks.flatMap(blockPieces)
}

function blockPieces(block: JsonObject): readonly PreviewPiece[] {
  const name = stringField(block, 'type') ?? ''
  switch (name) {
    case 'markdown':
      return [document(parseMarkdown(stringField(block, 'text') ?? '').children)]
    case 'rich_text':
      return [document(richBlocks(listOf(block.elements)))]
    case 'header':
      return [{ kind: 'title', text: textOf(objectField(block, 'text')), tone: 'plain' }]
    case 'divider':
      return [document([{ type: 'thematicBreak' }])]
    case 'context':
      return listOf(block.elements).map((element) => ({ kind: 'note', text: textOf(element) }))
    case 'actions':
      return [
        {
          kind: 'buttons',
          labels: listOf(block.elements).map((button) => textOf(objectField(button, 'text'))),
        },
      ]
    case 'table':
      return [document([tableBlock(block)])]
    default:
      return [{ kind: 'other', name }]
  }
}

function tableBlock(block: JsonObject): Block {
  const rows = Array.isArray(block.rows) ? block.rows : []
  return {
    type: 'table',
    align: [],
    children: rows.map((row: unknown) => ({ type: 'tableRow', children: listOf(row).map(tableCell) })),
  }
}

function tableCell(cell: JsonObject): TableCell {
  const inlines = listOf(cell.elements).flatMap((section) => listOf(section.elements).map(richInline))
  const text = stringField(cell, 'text')
  return { type: 'tableCell', children: text === null ? inlines : [{ type: 'text', value: text }] }
}

const LINK = /<[^<>|]*\|([^<>]*)>/g

function textOf(text: JsonObject | null): string {
  const value = text === null ? null : stringField(text, 'text')
  return text?.type === 'mrkdwn' ? decoded((value ?? '').replaceAll(LINK, '$1')) : (value ?? '')
}

/** Slack escapes three characters and no more. Source: docs.slack.dev/messaging/formatting-message-text */
function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function document(blocks: readonly Block[]): PreviewPiece {
  return { kind: 'document', blocks }
}

function textBlock(value: string): Block {
  return { type: 'paragraph', children: [{ type: 'text', value }] }
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
