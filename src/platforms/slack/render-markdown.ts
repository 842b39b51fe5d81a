import { COMMONMARK, codeSpan, fenced, type MarkdownDialect, markdownOf } from '../../render/markdown-out.js'
import type { Block, Inline, ListItem } from '../../render/nodes.js'
import { plainInline } from '../../render/plain.js'
import { countMentions } from './render-escape.js'

/**
 * Slack's `markdown` block: CommonMark with strikethrough, translated on Slack's side. What that translation does to
 * control sequences, character references, HTML, emphasis between CJK characters or list numbers is not documented,
 * so a block goes this way only when `carries` says that nothing of the kind is in it.
 * Source: docs.slack.dev/reference/block-kit/blocks/markdown-block
 */
const SLACK_MARKDOWN: MarkdownDialect = {
  ...COMMONMARK,
  inlineCode: (code) => codeSpan(code.value),
  code: (code) => fenced(code, code.value),
  break: '\n',
}

/** Blocks that `carries` accepted, as the text of one `markdown` block. */
export function slackMarkdown(blocks: readonly Block[]): string {
  return markdownOf(blocks, SLACK_MARKDOWN)
}

const MARKUP_LIKE = /[<>&@\\|]/
/** Emphasis marks need word boundaries that scripts without spaces and emoji do not give. */
const BEYOND_LATIN = /[^\u0000-\u024f\u2010-\u2027\u20a0-\u20bf]/

/** Whether a `markdown` block shows all of this exactly. */
export function carries(block: Block): boolean {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return carriesInlines(block.children)
    case 'blockquote':
      return block.children.every((child): boolean => child.type === 'paragraph' && carries(child))
    case 'list':
      return (!block.ordered || block.start === 1) && block.children.every(carriesItem)
    case 'code':
      return countMentions(block.value) === 0 && !/&[#\w]+;|`{3}/.test(block.value)
    case 'table':
    case 'thematicBreak':
      return false
    default:
      return block satisfies never
  }
}

function carriesItem(item: ListItem): boolean {
  const [first] = item.children
  return first?.type === 'paragraph' && item.children.every((child) => isItemContent(child) && carries(child))
}

function isItemContent(block: Block): boolean {
  return block.type === 'paragraph' || block.type === 'list'
}

function carriesInlines(inlines: readonly Inline[]): boolean {
  if (!inlines.every(carriesInline)) return false
  const marks = inlines.flatMap((inline, at) => (isMarked(inline) ? [at] : []))
  if (marks.length === 0) return true
  return !inlines.some(hasOtherScript) && marks.every((at) => standsFree(inlines[at - 1], inlines[at + 1]))
}

/** Whether no letter touches a mark: inside words, Markdown readers differ. */
function standsFree(before: Inline | undefined, after: Inline | undefined): boolean {
  const left = before === undefined ? '' : plainInline([before])
  const right = after === undefined ? '' : plainInline([after])
  return !/[\p{L}\p{N}_*~`]$/u.test(left) && !/^[\p{L}\p{N}_*~`]/u.test(right)
}

function carriesInline(inline: Inline): boolean {
  switch (inline.type) {
    case 'text':
      return !MARKUP_LIKE.test(inline.value)
    case 'inlineCode':
      return !/[<>&@`\n]/.test(inline.value)
    case 'emphasis':
    case 'strong':
    case 'delete':
      return carriesInlines(inline.children)
    case 'link':
      return (
        /^https?:[\w:/.%~?=#-]+$/.test(inline.url) &&
        inline.children.every((child) => child.type === 'text' && carriesInline(child))
      )
    case 'break':
      return true
    case 'image':
    case 'footnoteReference':
    case 'mention':
      return false
    default:
      return inline satisfies never
  }
}

function isMarked(inline: Inline): boolean {
  return (
    inline.type === 'emphasis' ||
    inline.type === 'strong' ||
    inline.type === 'delete' ||
    inline.type === 'inlineCode'
  )
}

function hasOtherScript(inline: Inline): boolean {
  if (inline.type === 'text' || inline.type === 'inlineCode') return BEYOND_LATIN.test(inline.value)
  return 'children' in inline && inline.children.some(hasOtherScript)
}
