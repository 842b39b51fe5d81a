import MarkdownIt from 'markdown-it'
import type Token from 'markdown-it/lib/token.mjs'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { chunksOf } from './chunks.js'
import { cutText } from './cut-text.js'
import { chatRules } from './markdown-rules.js'
import type { Block, Root } from './nodes.js'
import { sanitize } from './safety.js'
import { maskSecrets } from './secrets.js'
import type { TreeOptions } from './token-reader.js'
import { treeOf } from './tree.js'

/**
 * CommonMark 0.31 and GFM (tables, strikethrough, task lists, bare addresses) with CJK-friendly emphasis. HTML is
 * text. Addresses are kept byte for byte and judged later (`urls.ts`), so the parser's own policy is off.
 */
const parser = createParser()
/** For text with so many brackets that looking for links would take time by the square of them. */
const linklessParser = createParser()
linklessParser.inline.ruler.disable(['link', 'image'])

/** Marks are matched within this much text, far above any paragraph a person reads: matching is not linear. Ours. */
const MAX_INLINE_CHARS = 8_000
const MAX_OPEN_BRACKETS = 400

function createParser(): MarkdownIt {
  const md = new MarkdownIt('default', { html: false, linkify: false, typographer: false })
  md.use(cjkFriendly).use(chatRules)
  // Above our own limit on nesting, at which text is kept; markdown-it's own drops it.
  Object.assign(md.options, { maxNesting: 1_000 })
  // The tree reads inline content itself, block by block.
  md.core.ruler.enableOnly(['normalize', 'block'])
  md.validateLink = () => true
  md.normalizeLink = (url) => url
  md.normalizeLinkText = (url) => url
  return md
}

/**
 * The document of an agent's Markdown. Total: any text is a document. Text is sanitised before and, where entities
 * or escapes decode to something else, after parsing. Broken structure (an open fence, a short table row) is closed
 * and its text kept. Linear in the text.
 *
 * @param secrets masked where an entity or escape had hidden them; mask the source first (`makeSafe`)
 * @param chunkChars a longer text is read in chunks of about this size; the document is the same
 */
export function parseMarkdown(markdown: string, secrets: readonly string[] = [], chunkChars?: number): Root {
  return { type: 'root', children: [...blocksIn(markdown, secrets, chunkChars)] }
}

/** The same document block by block: of a long one, what was read need not outlive its use. */
export function* blocksIn(
  markdown: string,
  secrets: readonly string[] = [],
  chunkChars?: number,
): Generator<Block> {
  const clean = (text: string): string => maskSecrets(sanitize(text), secrets).text
  const chunks = chunksOf(sanitize(markdown), chunkChars)
  for (const [at, chunk] of chunks.entries()) {
    const blocks = readChunk(chunk, clean, at === chunks.length - 1)
    if (blocks !== null) yield* blocks
    else {
      // A fence that is open against expectation: what is left is read whole, once.
      yield* readChunk(chunks.slice(at).join(''), clean, true) ?? []
      return
    }
  }
}

/** The blocks of a chunk, or null when a fence is open at its end and it is not the last one. */
function readChunk(source: string, clean: TreeOptions['clean'], isLast: boolean): readonly Block[] | null {
  const env = {}
  const tokens = parser.parse(source, env)
  const last = tokens.at(-1)
  if (!isLast && last?.type === 'fence' && (last.map?.[1] ?? 0) >= source.split('\n').length - 1) return null
  return treeOf(tokens, { clean, inline: (content) => inlineTokens(content, env) }).children
}

function inlineTokens(content: string, env: object): readonly Token[] {
  const tokens: Token[] = []
  for (const slice of content.length > 2 * MAX_INLINE_CHARS
    ? cutText(content, MAX_INLINE_CHARS)
    : [content]) {
    const isCrowded = slice.length > MAX_OPEN_BRACKETS && slice.split('[').length > MAX_OPEN_BRACKETS
    const reader = isCrowded ? linklessParser : parser
    reader.inline.parse(slice, reader, env, tokens)
  }
  return tokens
}
