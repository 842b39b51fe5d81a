/** How much of the end of a cut text is looked at for open marks. */
const MAX_TAIL_CHARS = 4_000

/**
 * Closes what a run that was stopped in the middle of its Markdown left open at the very end: a code span, bold,
 * italic, strikethrough, a link, a table's half delimiter row. Only marks change, never words; an open fence closes by
 * itself. A text that ends properly is returned unchanged.
 */
export function closeCutEnd(markdown: string): string {
  const source = markdown.trimEnd()
  const tail = lastParagraph(source.slice(-MAX_TAIL_CHARS))
  if (isInsideFence(source)) return markdown
  const delimiters = halfDelimiterRow(tail)
  if (delimiters !== null) return `${source.slice(0, source.lastIndexOf('\n') + 1)}${delimiters}`
  const whole = withoutHalfLink(source, tail)
  const closing = openMarks(whole === source ? tail : lastParagraph(whole.slice(-MAX_TAIL_CHARS)))
  if (closing === '') return whole === source ? markdown : whole
  return whole.replace(/[*_~]+$/, '') + closing
}

/** A link or picture whose address is not complete. */
const HALF_LINK = /!?\[((?:\\.|[^\\[\]\n])+)\]\(<?([^\s()<>`]*(?:\([^\s()<>`]*)?)(?:\s[^\n)]*)?$/

/**
 * Without the marks of a link that is cut in its address: its text stays, and what there is of the address is shown
 * beside it as code, which no reader makes a link of: it leads somewhere else.
 */
function withoutHalfLink(source: string, tail: string): string {
  const match = HALF_LINK.exec(tail)
  if (match === null || openMarks(tail.slice(0, match.index)).includes('`')) return source
  const [raw, text = '', address = ''] = match
  const shown = address === '' ? '' : ` (\`${address}\`)`
  return source.slice(0, source.length - raw.length) + text + shown
}

function lastParagraph(text: string): string {
  return text.slice(text.search(/(?:(?!\n[ \t>]*\n)[\s\S])*$/))
}

function isInsideFence(source: string): boolean {
  let open: string | null = null
  for (const [, run = ''] of source.matchAll(
    /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})[^\n`]*$/gm,
  )) {
    if (open === null) open = run
    else if (run.startsWith(open)) open = null
  }
  return open !== null
}

/** A full delimiter row for the header above it, when the last line is the beginning of one. */
function halfDelimiterRow(tail: string): string | null {
  const lines = tail.split('\n')
  const [header = '', last = ''] = lines.slice(-2)
  if (lines.length < 2 || !header.includes('|') || !/^\s*\|?[\s:|-]*-[\s:|-]*$/.test(last)) return null
  const cells = header.replaceAll(/\\\|/g, '').trim().replace(/^\|/, '').replace(/\|$/, '').split('|').length
  return `|${' --- |'.repeat(cells)}`
}

/** The closing marks for what is open at the end, innermost first. */
function openMarks(tail: string): string {
  const open: string[] = []
  const marks = /\\[\s\S]|(`+)|(\*{1,3}|_{1,3}|~~)/g
  for (let match = marks.exec(tail); match !== null; match = marks.exec(tail)) {
    const [, ticks, mark] = match
    if (ticks !== undefined) {
      const end = tail.slice(marks.lastIndex).search(new RegExp(`(?<!\`)\`{${ticks.length}}(?!\`)`))
      if (end === -1) return (open.length === 0 ? '' : '') + ticks + open.toReversed().join('')
      marks.lastIndex += end + ticks.length
    } else if (mark !== undefined)
      step(open, mark, tail.charAt(match.index - 1), tail.charAt(marks.lastIndex))
  }
  return open.toReversed().join('')
}

function step(open: string[], mark: string, before: string, after: string): void {
  const isWord = (char: string): boolean => /[\p{L}\p{N}]/u.test(char)
  if (mark.startsWith('_') && isWord(before) && isWord(after)) return
  if (open.at(-1) === mark && /\S/.test(before)) open.pop()
  else if (/\S/.test(after) && (mark !== '*' || !isWord(before))) open.push(mark)
}
