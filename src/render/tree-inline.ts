import type Token from 'markdown-it/lib/token.mjs'
import type { Inline, Mention } from './nodes.js'
import { attr, next, type Reader, type TreeOptions } from './token-reader.js'
import { linkUrl, shownUrl } from './urls.js'

/** Emphasis nesting that is kept; deeper marks are dropped and their text stays. */
const MAX_INLINE_DEPTH = 12

/** What every inline rule needs to see before it does anything; a text without is one text. */
const MAY_BE_MARKUP = /[\n\\`*_~[<&]|:\/\//
/** A reference or an escape: only these decode to something that was not in the cleaned source. */
const DECODES = /\\[!-/:-@[-`{-~]|&#?\w{1,32};/

/** The inline content of a block's `inline` token. */
export function inlinesOf(reader: Reader, token: Token): Inline[] {
  if (!MAY_BE_MARKUP.test(token.content))
    return token.content === '' ? [] : [{ type: 'text', value: token.content }]
  const clean = DECODES.test(token.content) ? reader.clean : unchanged
  const inner: Reader = { tokens: reader.inline(token.content), at: 0, clean, inline: reader.inline }
  return trimmed(inlineRun(inner, null, 0))
}

function unchanged(text: string): string {
  return text
}

function inlineRun(reader: Reader, close: string | null, depth: number): Inline[] {
  const inlines: Inline[] = []
  for (let token = next(reader); token !== undefined && token.type !== close; token = next(reader)) {
    for (const inline of inlineOf(reader, token, depth)) append(inlines, inline)
  }
  return inlines
}

function append(inlines: Inline[], inline: Inline): void {
  const last = inlines.at(-1)
  if (inline.type === 'text' && inline.value === '') return
  if (inline.type === 'text' && last?.type === 'text') {
    inlines[inlines.length - 1] = { type: 'text', value: last.value + inline.value }
    return
  }
  inlines.push(inline)
}

function inlineOf(reader: Reader, token: Token, depth: number): readonly Inline[] {
  switch (token.type) {
    case 'em_open':
      return wrapped('emphasis', inlineRun(reader, 'em_close', depth + 1), depth)
    case 'strong_open':
      return wrapped('strong', inlineRun(reader, 'strong_close', depth + 1), depth)
    case 's_open':
      return wrapped('delete', inlineRun(reader, 's_close', depth + 1), depth)
    case 'link_open':
      return linkOf(reader.clean(attr(token, 'href')), inlineRun(reader, 'link_close', depth + 1))
    case 'image':
      return imageOf(reader.clean(attr(token, 'src')), plainOf(token.children ?? [], reader.clean))
    case 'code_inline':
      return token.content === '' ? [] : [{ type: 'inlineCode', value: reader.clean(token.content) }]
    case 'softbreak':
      return [{ type: 'text', value: '\n' }]
    case 'hardbreak':
      return [{ type: 'break' }]
    case 'footnote_reference':
      return [{ type: 'footnoteReference', label: reader.clean(token.content) }]
    case 'mention':
      return [mentionOf(token)]
    default:
      return [{ type: 'text', value: reader.clean(token.content) }]
  }
}

function wrapped(
  type: 'emphasis' | 'strong' | 'delete',
  children: readonly Inline[],
  depth: number,
): readonly Inline[] {
  if (children.length === 0) return []
  return depth >= MAX_INLINE_DEPTH ? children : [{ type, children }]
}

function linkOf(raw: string, label: readonly Inline[]): readonly Inline[] {
  const url = linkUrl(raw)
  if (url !== null)
    return [{ type: 'link', url, children: label.length === 0 ? [{ type: 'text', value: url }] : label }]
  return labelled(label, raw)
}

/** The label of an address that may not be linked, and the address as text where it says more. */
function labelled(label: readonly Inline[], raw: string): readonly Inline[] {
  const shown = shownUrl(raw)
  const [only] = label
  const same =
    label.length === 1 && (only?.type === 'text' || only?.type === 'inlineCode') && only.value === shown
  if (shown === '' || same) return label
  return label.length === 0
    ? [{ type: 'text', value: shown }]
    : [...label, { type: 'text', value: ` (${shown})` }]
}

function imageOf(raw: string, alt: string): readonly Inline[] {
  const url = linkUrl(raw)
  if (url !== null) return [{ type: 'image', url, alt: alt === '' ? url : alt }]
  return labelled(alt === '' ? [] : [{ type: 'text', value: alt }], raw)
}

function plainOf(tokens: readonly Token[], clean: TreeOptions['clean']): string {
  return tokens
    .map((token) => (token.type === 'softbreak' || token.type === 'hardbreak' ? ' ' : clean(token.content)))
    .join('')
}

function mentionOf(token: Token): Mention {
  return {
    type: 'mention',
    kind: mentionKind(attr(token, 'kind')),
    id: attr(token, 'id'),
    name: attr(token, 'name'),
    raw: token.content,
  }
}

function mentionKind(name: string): Mention['kind'] {
  return name === 'person' || name === 'group' || name === 'channel' ? name : 'everyone'
}

function trimmed(inlines: readonly Inline[]): Inline[] {
  const kept = [...inlines]
  while (kept[0]?.type === 'break') kept.shift()
  while (kept.at(-1)?.type === 'break') kept.pop()
  return kept
}
