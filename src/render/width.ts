import { eastAsianWidth } from 'get-east-asian-width'
import type { Align, Code, Table } from './nodes.js'
import { plainInline } from './plain.js'

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
const ASCII = /^[\u0020-\u007e]*$/

/** Cells a text takes in a monospaced font: East Asian wide characters and emoji two, joined and combining ones none. */
export function cellWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let cells = 0
  for (const { segment } of GRAPHEMES.segment(text)) cells += graphemeWidth(segment)
  return cells
}

function graphemeWidth(grapheme: string): number {
  if (/^[\p{Cf}\p{Mn}\p{Cc}]/u.test(grapheme)) return 0
  if (/\p{Emoji_Presentation}|\ufe0f|\p{RI}/u.test(grapheme)) return 2
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0)
}

/** Widest column that is padded; beyond it a cell just runs on. Ours: chats wrap long lines anyway. */
const MAX_PADDED_CELLS = 60

/** A table as code with aligned columns: the form every platform can show, of any size. */
export function tableAsCode(table: Table): Code {
  const rows = table.children.map((row) =>
    row.children.map((cell) => plainInline(cell.children).replaceAll('\n', ' ')),
  )
  const widths = table.align.map((_, at) =>
    Math.min(
      MAX_PADDED_CELLS,
      rows.reduce((widest, row) => Math.max(widest, cellWidth(row[at] ?? '')), 3),
    ),
  )
  const lines = rows.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0, table.align[at] ?? null))
      .join(' | ')
      .trimEnd(),
  )
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('-|-'))
  return { type: 'code', lang: null, value: lines.join('\n') }
}

function padded(text: string, width: number, align: Align): string {
  const missing = Math.max(0, width - cellWidth(text))
  if (align === 'right') return ' '.repeat(missing) + text
  const before = align === 'center' ? Math.floor(missing / 2) : 0
  return ' '.repeat(before) + text + ' '.repeat(missing - before)
}
