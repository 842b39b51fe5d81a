import type {
  Block,
  Code,
  FootnoteReference,
  Image,
  Inline,
  InlineCode,
  Link,
  List,
  Mention,
  Table,
} from './nodes.js'
import { plainInline } from './plain.js'

/** How one platform's Markdown differs from CommonMark with GFM. Each hook returns Markdown that is safe there. */
export interface MarkdownDialect {
  /** Literal text, possibly with line ends. `isLineStart` tells whether block marks have to be escaped too. */
  readonly text: (value: string, isLineStart: boolean) => string
  readonly mention: (mention: Mention) => string
  readonly link: (link: Link, label: string) => string
  readonly image: (image: Image) => string
  readonly inlineCode: (code: InlineCode) => string
  readonly code: (code: Code) => string
  readonly table: (table: Table, cell: (inlines: readonly Inline[]) => string) => string
  readonly footnoteReference: (reference: FootnoteReference) => string
  readonly break: string
  /** Marks around emphasis. `before` and `after` are the neighbouring characters of the written text. */
  readonly marked: (kind: 'emphasis' | 'strong' | 'delete', content: string) => string
}

/** CommonMark and GFM as written by us: escapes everything that would be read as a mark. For files and for re-parsing. */
export const COMMONMARK: MarkdownDialect = {
  text: escapeText,
  mention: (mention) => mention.raw,
  link: (link, label) => (isBareUrl(link) ? `<${link.url}>` : `[${label}](${destination(link.url)})`),
  image: (image) => `![${escapeText(image.alt, false)}](${destination(image.url)})`,
  inlineCode: (code) => codeSpan(code.value),
  code: (code) => fenced(code, code.value),
  table: gfmTable,
  footnoteReference: (reference) => `[^${reference.label}]`,
  break: '\\\n',
  marked: (kind, content) => {
    const mark = { emphasis: '*', strong: '**', delete: '~~' }[kind]
    return spaced(content, mark)
  },
}

/** Blocks as Markdown text, without a final line end. */
export function markdownOf(blocks: readonly Block[], dialect: MarkdownDialect = COMMONMARK): string {
  const written: string[] = []
  let wasOtherMark = false
  blocks.forEach((block, at) => {
    const before = blocks[at - 1]
    // Two neighbouring lists of one kind would become one list with one count; another mark keeps them apart.
    const isNeighbour = before?.type === 'list' && block.type === 'list' && before.ordered === block.ordered
    wasOtherMark = isNeighbour && !wasOtherMark
    written.push(
      block.type === 'list' ? listMarkdown(block, dialect, wasOtherMark) : blockMarkdown(block, dialect),
    )
  })
  return written.join('\n\n')
}

function blockMarkdown(block: Block, dialect: MarkdownDialect): string {
  switch (block.type) {
    case 'paragraph':
      return inlineMarkdown(block.children, dialect)
    case 'heading':
      return `${'#'.repeat(block.depth)} ${inlineMarkdown(block.children, dialect).replaceAll(/\\?\n/g, ' ')}`
    case 'blockquote':
      return prefixed(markdownOf(block.children, dialect), '> ', '> ')
    case 'list':
      return listMarkdown(block, dialect, false)
    case 'code':
      return dialect.code(block)
    case 'table':
      return dialect.table(block, (inlines) => inlineMarkdown(inlines, dialect))
    case 'thematicBreak':
      return '---'
    default:
      return block satisfies never
  }
}

function listMarkdown(list: List, dialect: MarkdownDialect, hasOtherMark: boolean): string {
  const items = list.children.map((item, at) => {
    const mark = list.ordered ? `${list.start + at}${hasOtherMark ? ')' : '.'} ` : hasOtherMark ? '* ' : '- '
    const tick = item.checked === null ? '' : item.checked ? '[x] ' : '[ ] '
    const body = item.children.map((child) => blockMarkdown(child, dialect)).join(list.spread ? '\n\n' : '\n')
    return prefixed(tick + body, mark, ' '.repeat(mark.length))
  })
  return items.join(list.spread ? '\n\n' : '\n')
}

function prefixed(text: string, first: string, others: string): string {
  if (!text.includes('\n')) return (first + text).trimEnd()
  return text
    .split('\n')
    .map((line, at) => `${at === 0 ? first : others}${line}`.trimEnd())
    .join('\n')
}

/** Inline content as Markdown text. */
export function inlineMarkdown(inlines: readonly Inline[], dialect: MarkdownDialect = COMMONMARK): string {
  let written = ''
  for (const inline of inlines) {
    const isLineStart = written === '' || written.endsWith('\n')
    written += inlineOne(inline, dialect, isLineStart)
  }
  return written
}

function inlineOne(inline: Inline, dialect: MarkdownDialect, isLineStart: boolean): string {
  switch (inline.type) {
    case 'text':
      return dialect.text(inline.value, isLineStart)
    case 'emphasis':
    case 'strong':
    case 'delete':
      return dialect.marked(inline.type, inlineMarkdown(inline.children, dialect))
    case 'inlineCode':
      return dialect.inlineCode(inline)
    case 'break':
      return dialect.break
    case 'link':
      return dialect.link(inline, inlineMarkdown(inline.children, dialect))
    case 'image':
      return dialect.image(inline)
    case 'footnoteReference':
      return dialect.footnoteReference(inline)
    case 'mention':
      return dialect.mention(inline)
    default:
      return inline satisfies never
  }
}

const MARK = /[\\`*_~[\]<>|&]/
const EVERY_MARK = new RegExp(MARK, 'g')
const LINE_MARK = /^(\s{0,3})([#>+=-]|\d{1,9}[.)])/
const EVERY_LINE_MARK = new RegExp(LINE_MARK, 'gm')

/** Backslash escapes for every character that CommonMark or GFM could read as a mark. */
export function escapeText(value: string, isLineStart: boolean): string {
  const escaped = MARK.test(value) ? value.replaceAll(EVERY_MARK, escapeChar) : value
  const isOneLine = !escaped.includes('\n')
  if (isOneLine && !(isLineStart && LINE_MARK.test(escaped))) return escaped
  return escaped.replaceAll(EVERY_LINE_MARK, (mark: string, space: string, sign: string, at: number) => {
    if (at === 0 && !isLineStart) return mark
    return /^\d/.test(sign) ? `${space}${sign.slice(0, -1)}\\${sign.slice(-1)}` : `${space}\\${sign}`
  })
}

function escapeChar(char: string, at: number, text: string): string {
  // An underscore inside a word is no mark, and identifiers read better without escapes.
  if (char === '_' && /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && /[\p{L}\p{N}]/u.test(text.charAt(at + 1)))
    return char
  if (char === '&' && !/^&#?\w/.test(text.slice(at, at + 3))) return char
  return `\\${char}`
}

/** Marks hug visible text: white space at the edges goes outside them. */
export function spaced(content: string, mark: string): string {
  const [, before = '', text = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(content) ?? []
  return text === '' ? content : `${before}${mark}${text}${mark}${after}`
}

/** A code span fenced by more backticks than it holds. */
export function codeSpan(value: string): string {
  const fence = '`'.repeat(longestRun(value, '`') === 0 ? 1 : longestRun(value, '`') + 1)
  const pad = /^`|`$|^ .*[^ ].* $/s.test(value) ? ' ' : ''
  return `${fence}${pad}${value}${pad}${fence}`
}

/** A fenced code block; the fence is longer than any run of backticks in it. */
export function fenced(code: Code, value: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(value, '`') + 1))
  return `${fence}${code.lang ?? ''}\n${value}${value === '' ? '' : '\n'}${fence}`
}

function longestRun(text: string, char: '`'): number {
  if (!text.includes(char)) return 0
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

function gfmTable(table: Table, cell: (inlines: readonly Inline[]) => string): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rows = table.children.map((row) =>
    line(row.children.map(({ children }) => cell(children).replaceAll(/\\?\n/g, '<br>'))),
  )
  const marks = table.align.map(
    (align) => ({ left: ':---', right: '---:', center: ':---:', none: '---' })[align ?? 'none'],
  )
  return [rows[0] ?? '', line(marks), ...rows.slice(1)].join('\n')
}

function destination(url: string): string {
  return /[()<>\s\\&*_]/.test(url) ? `<${url.replaceAll(/[<>\\]/g, encodeURIComponent)}>` : url
}

/** A link that shows its own address. */
export function isBareUrl(link: Link): boolean {
  return plainInline(link.children) === link.url && /^[a-z]+:[^<>\s]*$/i.test(link.url)
}
