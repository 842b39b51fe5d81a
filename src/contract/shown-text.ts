import { codeRanges } from './code-ranges.js'
import type { Content } from './content.js'
import type { SilenceKind } from './decision.js'
import { withoutReasoning } from './reasoning.js'
import { contentText, isVisible, trimInvisible, trimInvisibleEnd } from './visible-text.js'

/** What a chat may show of content, or why it has nothing to show. */
export type ShownText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'silence'; readonly silence: SilenceKind }

const REASONING_BLOCKS: ReadonlySet<string> = new Set(['reasoning', 'thinking', 'redacted_thinking'])

/**
 * Reads what a chat may show: the text blocks joined, without inline reasoning and without a closing line that is only a
 * silence token. A token that is the whole text means silence; a token mentioned in other text stays.
 * @param silenceTokens compared exactly, but for characters around them that show nothing
 */
export function shownText(content: Content | null, silenceTokens: readonly string[]): ShownText {
  if (content === null) return silence('no_output')
  const written = contentText(content)
  if (!isVisible(written)) return silence(silenceOfBlocks(content))
  const answer = withoutReasoning(written)
  if (!isVisible(answer)) return silence('reasoning_only')
  const text = withoutSilenceTokens(answer, silenceTokens)
  return isVisible(text) ? { kind: 'text', text } : silence('silence_token')
}

function silence(kind: SilenceKind): ShownText {
  return { kind: 'silence', silence: kind }
}

function silenceOfBlocks(content: Content): SilenceKind {
  if (content.length === 0) return 'no_output'
  if (typeof content === 'string') return 'blank_output'
  const others = content.filter((block) => block.type !== 'text')
  if (others.length === 0) return 'blank_output'
  return others.every((block) => REASONING_BLOCKS.has(block.type)) ? 'reasoning_only' : 'no_text_blocks'
}

function withoutSilenceTokens(text: string, silenceTokens: readonly string[]): string {
  const tokens = silenceTokens.map(trimInvisible).filter((token) => token !== '')
  let rest = text
  let token = lastLineToken(rest, tokens)
  if (token === null) return text
  const codes = [...codeRanges(text)]
  while (token !== null) {
    const end = trimInvisibleEnd(rest)
    const tokenStart = end.length - token.length
    while ((codes.at(-1)?.start ?? -1) > tokenStart) codes.pop()
    if ((codes.at(-1)?.end ?? 0) > tokenStart) return rest
    rest = end.slice(0, tokenStart).trimEnd()
    token = lastLineToken(rest, tokens)
  }
  return rest
}

/** The token that is all of the last line that shows anything. */
function lastLineToken(text: string, tokens: readonly string[]): string | null {
  const end = trimInvisibleEnd(text)
  const token = tokens.find((candidate) => end.endsWith(candidate))
  if (token === undefined) return null
  const tokenStart = end.length - token.length
  const lineStart = tokenStart === 0 ? 0 : end.lastIndexOf('\n', tokenStart - 1) + 1
  return isVisible(end.slice(lineStart, tokenStart)) ? null : token
}
