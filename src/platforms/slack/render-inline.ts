import type { Inline } from '../../render/nodes.js'
import { plainInline } from '../../render/plain.js'
import { defused, safeUrl } from './render-escape.js'
import { isAllowed } from './render-mentions.js'
import type { RichInline, TextStyle } from './render-wire.js'

/** Inline content as rich text elements: literal text with styles, so that nothing in it is parsed again. */
export function richInlines(
  inlines: readonly Inline[],
  allowed: ReadonlySet<string>,
  style: TextStyle = {},
): RichInline[] {
  const elements: RichInline[] = []
  for (const inline of inlines)
    for (const element of richInline(inline, allowed, style)) append(elements, element)
  return elements
}

function richInline(inline: Inline, allowed: ReadonlySet<string>, style: TextStyle): readonly RichInline[] {
  switch (inline.type) {
    case 'text':
      return richText(inline.value, style)
    case 'inlineCode':
      return richText(inline.value, { ...style, code: true })
    case 'emphasis':
      return richInlines(inline.children, allowed, { ...style, italic: true })
    case 'strong':
      return richInlines(inline.children, allowed, { ...style, bold: true })
    case 'delete':
      return richInlines(inline.children, allowed, { ...style, strike: true })
    case 'break':
      return richText('\n', style)
    case 'footnoteReference':
      return richText(`[${inline.label}]`, style)
    case 'link': {
      const isCode = inline.children.every((child): boolean => child.type === 'inlineCode')
      return richLink(inline.url, plainInline(inline.children), isCode ? { ...style, code: true } : style)
    }
    case 'image':
      return richLink(inline.url, inline.alt, style)
    case 'mention':
      if (!isAllowed(inline, allowed)) return richText(inline.name, style)
      if (inline.kind === 'person') return [{ type: 'user', user_id: inline.id }]
      if (inline.kind === 'group') return [{ type: 'usergroup', usergroup_id: inline.id }]
      return [{ type: 'channel', channel_id: inline.id }]
    default:
      return inline satisfies never
  }
}

/** A text element; none for empty text, which Slack refuses. */
export function richText(text: string, style: TextStyle = {}): readonly RichInline[] {
  return text === '' ? [] : [{ type: 'text', text: defused(text), ...styled(style) }]
}

function richLink(url: string, label: string, style: TextStyle): readonly RichInline[] {
  const text = defused(label.trim() === '' ? url : label)
  return [{ type: 'link', url: safeUrl(url), text, ...styled(style) }]
}

function styled(style: TextStyle): { readonly style?: TextStyle } {
  return Object.keys(style).length === 0 ? {} : { style }
}

/** Neighbouring text of one style is one element; a form that only the joined text makes is defused too. */
function append(elements: RichInline[], element: RichInline): void {
  const last = elements.at(-1)
  if (last?.type === 'text' && element.type === 'text' && isSameStyle(last.style, element.style)) {
    elements[elements.length - 1] = { ...last, text: defused(last.text + element.text) }
    return
  }
  elements.push(element)
}

function isSameStyle(a: TextStyle = {}, b: TextStyle = {}): boolean {
  return a.bold === b.bold && a.italic === b.italic && a.strike === b.strike && a.code === b.code
}
