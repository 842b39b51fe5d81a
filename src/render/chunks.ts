/** Chunks are at least this long: enough to be cheap, little enough that a chunk's tokens are garbage while young. */
export const CHUNK_CHARS = 8_000

/** A link definition may stand anywhere and count everywhere, so that a text with one is read whole. */
const HAS_DEFINITION = /\[(?!\^)(?:\\.|[^\\[\]])+\]:/
const FENCE = /^[ \t]*(?:[-*+>][ \t]*|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})/
/** A line that, behind an empty line, can only begin a new block at the top level. */
const STARTS_BLOCK = /^(?:\p{L}|#{1,6} )/u

/**
 * Cuts Markdown where a new top-level block certainly begins: in front of a paragraph or heading behind an empty
 * line. Joined the chunks are the text. Whether a cut fell into an open fence is for the parser to see: this only
 * avoids it.
 */
export function chunksOf(source: string, minChars: number = CHUNK_CHARS): string[] {
  if (source.length < minChars * 2 || HAS_DEFINITION.test(source)) return [source]
  const chunks: string[] = []
  let start = 0
  let fence: string | null = null
  let isAfterBlank = false
  for (let at = 0; at < source.length; ) {
    const lineEnd = source.indexOf('\n', at)
    const end = lineEnd === -1 ? source.length : lineEnd + 1
    const line = source.slice(at, end)
    if (isAfterBlank && fence === null && at - start >= minChars && STARTS_BLOCK.test(line)) {
      chunks.push(source.slice(start, at))
      start = at
    }
    const mark: string | undefined = FENCE.exec(line)?.[1]
    if (mark !== undefined && fence === null) fence = mark
    else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null
    isAfterBlank = line.trim() === ''
    at = end
  }
  chunks.push(source.slice(start))
  return chunks
}
