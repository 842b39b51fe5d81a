import { isJsonObject, type JsonObject, objectField, stringField } from '../../contract/json-object.js'
import { parseMarkdown } from '../../render/document.js'
import type { Block } from '../../render/nodes.js'
import type { Part } from '../../render/part.js'
import type { PreviewPiece, PreviewTone } from '../../render/preview.js'

/** How much of a file is shown, in characters. */
const FILE_CHARS = 4_000

const TONES: Readonly<Record<string, PreviewTone>> = { red: 'failure', orange: 'cut', grey: 'calm' }

/** What a reader of the delivery's language sees of a frozen part. Total: what is not understood is named. */
export function previewLark(part: Part): readonly PreviewPiece[] {
  if (part.kind === 'file') {
    const { filename, title } = part
    return [{ kind: 'file', filename, title, blocks: markdownBlocks(part.markdown.slice(0, FILE_CHARS)) }]
  }
  const body = parsed(stringField(part.content, 'content') ?? '')
  switch (stringField(part.content, 'msg_type')) {
    case 'interactive':
      return cardPieces(body)
    case 'post':
      return [document(postMarkdown(body))]
    case 'text':
      return [{ kind: 'document', blocks: [textBlock(stringField(body, 'text') ?? '')] }]
    default:
      return [document(part.markdown)]
  }
}

function cardPieces(card: JsonObject): readonly PreviewPiece[] {
  const header = objectField(card, 'header')
  const title = header === null ? null : objectField(header, 'title')
  const pieces = listOf(objectField(card, 'body')?.elements).flatMap(elementPieces)
  if (header === null || title === null) return pieces
  const tone = TONES[stringField(header, 'template') ?? ''] ?? 'plain'
  return [{ kind: 'title', text: contentOf(title), tone }, ...pieces]
}

function elementPieces(element: JsonObject): readonly PreviewPiece[] {
  const name = stringField(element, 'tag') ?? ''
  switch (name) {
    case 'markdown':
      return [document(contentOf(element))]
    case 'div':
      return [{ kind: 'note', text: contentOf(objectField(element, 'text') ?? {}) }]
    case 'hr':
      return [{ kind: 'document', blocks: [{ type: 'thematicBreak' }] }]
    case 'button':
      return [{ kind: 'buttons', labels: [contentOf(objectField(element, 'text') ?? {})] }]
    case 'column_set':
      return besideEachOther(
        listOf(element.columns).flatMap((column) => listOf(column.elements).flatMap(elementPieces)),
      )
    default:
      return [{ kind: 'other', name }]
  }
}

/** Buttons of one row are one piece. */
function besideEachOther(pieces: readonly PreviewPiece[]): readonly PreviewPiece[] {
  const labels = pieces.flatMap((piece) => (piece.kind === 'buttons' ? piece.labels : []))
  const others = pieces.filter(({ kind }) => kind !== 'buttons')
  return labels.length === 0 ? others : [...others, { kind: 'buttons', labels }]
}

/** The Markdown of a post; it names its language, and holds one. */
function postMarkdown(body: JsonObject): string {
  const [post] = Object.values(body).filter(isJsonObject)
  const rows = Array.isArray(post?.content) ? post.content : []
  return rows
    .flatMap((row: unknown) => listOf(row))
    .map((node) => stringField(node, 'text') ?? '')
    .join('\n\n')
}

function contentOf(text: JsonObject): string {
  return stringField(text, 'content') ?? ''
}

function document(markdown: string): PreviewPiece {
  return { kind: 'document', blocks: markdownBlocks(markdown) }
}

function markdownBlocks(markdown: string): readonly Block[] {
  return parseMarkdown(markdown).children
}

function textBlock(value: string): Block {
  return { type: 'paragraph', children: [{ type: 'text', value }] }
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function parsed(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
