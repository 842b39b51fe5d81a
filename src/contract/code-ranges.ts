/** A stretch of text that Markdown shows as code: offsets in UTF-16 units, end exclusive. */
export interface CodeRange {
  readonly start: number
  readonly end: number
}

const FENCE_OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const BLANK_LINE = /\n[ \t]*\n/g

/** Fenced blocks and backtick spans of Markdown, in order. A fence without an end runs to the end of the text. */
export function codeRanges(text: string): readonly CodeRange[] {
  const ranges: CodeRange[] = []
  let proseStart = 0
  for (const fence of fencedRanges(text)) {
    ranges.push(...spanRanges(text, proseStart, fence.start), fence)
    proseStart = fence.end
  }
  ranges.push(...spanRanges(text, proseStart, text.length))
  return ranges
}

/** Tells whether the character at an offset is shown as code. Offsets must be asked for in ascending order. */
export function createCodeLookup(text: string): (offset: number) => boolean {
  const ranges = codeRanges(text)
  let next = 0
  return (offset) => {
    let range = ranges[next]
    while (range !== undefined && range.end <= offset) {
      next += 1
      range = ranges[next]
    }
    return range !== undefined && range.start <= offset
  }
}

function fencedRanges(text: string): CodeRange[] {
  const ranges: CodeRange[] = []
  let open: { readonly start: number; readonly mark: string } | null = null
  let lineStart = 0
  for (const line of text.split('\n')) {
    const lineEnd = Math.min(lineStart + line.length + 1, text.length)
    if (open === null) {
      const mark = FENCE_OPENING.exec(line)?.[1]
      if (mark !== undefined) open = { start: lineStart, mark }
    } else if (closesFence(line, open.mark)) {
      ranges.push({ start: open.start, end: lineEnd })
      open = null
    }
    lineStart += line.length + 1
  }
  if (open !== null) ranges.push({ start: open.start, end: text.length })
  return ranges
}

function closesFence(line: string, mark: string): boolean {
  const body = line.trim()
  return /^ {0,3}\S/.test(line) && body.length >= mark.length && body === mark.charAt(0).repeat(body.length)
}

function spanRanges(text: string, start: number, end: number): CodeRange[] {
  const ranges: CodeRange[] = []
  let paragraphStart = start
  const prose = text.slice(start, end)
  for (const paragraph of prose.split(BLANK_LINE)) {
    const offset = text.indexOf(paragraph, paragraphStart)
    ranges.push(...paragraphSpans(paragraph, offset))
    paragraphStart = offset + paragraph.length
  }
  return ranges
}

function paragraphSpans(paragraph: string, offset: number): CodeRange[] {
  const ranges: CodeRange[] = []
  const runs = [...paragraph.matchAll(/`+/g)]
  const closings = runsByLength(runs.map((run) => run[0].length))
  for (let index = 0; index < runs.length; index += 1) {
    const opening = runs[index]
    if (opening === undefined) break
    const candidates = closings.get(opening[0].length) ?? []
    // Candidates are in descending order, so those already passed are at the end.
    while ((candidates.at(-1) ?? Number.POSITIVE_INFINITY) <= index) candidates.pop()
    const closingIndex = candidates.at(-1)
    const closing = closingIndex === undefined ? undefined : runs[closingIndex]
    if (closing === undefined || closingIndex === undefined) continue
    ranges.push({ start: offset + opening.index, end: offset + closing.index + closing[0].length })
    index = closingIndex
  }
  return ranges
}

function runsByLength(lengths: readonly number[]): Map<number, number[]> {
  const indexes = new Map<number, number[]>()
  for (let index = lengths.length - 1; index >= 0; index -= 1) {
    const length = lengths[index] ?? 0
    const known = indexes.get(length)
    if (known === undefined) indexes.set(length, [index])
    else known.push(index)
  }
  return indexes
}
