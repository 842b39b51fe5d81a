import createMarkdownIt, { type MarkdownIt } from 'markdown-it'
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
  const md = createMarkdownIt('default', {
    html: false,
    linkify: false,
    typographer: false,
    maxNesting: 1_000,
  })
  md.use(cjkFriendly).use(chatRules)
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
  const clean = /[&\\]/.test(source)
    ? (text: string) => maskSecrets(sanitize(text), secrets).text
    : (text: string) => text
  return treeOf(parser.parse(source, {}), clean)
}
