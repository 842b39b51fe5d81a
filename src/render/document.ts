import MarkdownIt from 'markdown-it'
import type Token from 'markdown-it/lib/token.mjs'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { chatRules } from './markdown-rules.js'
import type { Root } from './nodes.js'
import { sanitize } from './safety.js'
import { maskSecrets } from './secrets.js'
import { treeOf } from './tree.js'

/**
 * CommonMark 0.31 and GFM (tables, strikethrough, task lists, bare addresses) with CJK-friendly emphasis. HTML is
 * text. Addresses are kept byte for byte and judged later (`urls.ts`), so the parser's own policy is off.
 */
const parser = createParser()

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
 */
export function parseMarkdown(markdown: string, secrets: readonly string[] = []): Root {
  const source = sanitize(markdown)
  const clean = (text: string): string => maskSecrets(sanitize(text), secrets).text
  const env = {}
  const inline = (content: string): readonly Token[] => {
    const tokens: Token[] = []
    parser.inline.parse(content, parser, env, tokens)
    return tokens
  }
  return treeOf(parser.parse(source, env), { clean, inline })
}
