import type MarkdownIt from 'markdown-it'
import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs'
import type StateInline from 'markdown-it/lib/rules_inline/state_inline.mjs'
import type { Mention } from './nodes.js'

type MentionMeta = Pick<Mention, 'kind' | 'id' | 'name'>

/** Longest text between `<` and `>` that is looked at; keeps `<<<<…` linear. */
const MAX_ANGLE_CHARS = 2_200

/**
 * Block nesting (a list level counts two) that is kept; deeper text stays as a paragraph. Chats show far fewer, and
 * a thousand quote marks must not cost a thousand stack frames.
 */
const MAX_BLOCK_LEVEL = 24

const SLACK_REFERENCE = /^<([@#!])([^<>|\n]{1,200})(?:\|([^<>\n]{0,200}))?>/
const SLACK_LINK = /^<((?:https?:\/\/|mailto:)[^<>|\s]{1,2000})\|([^<>\n]{1,2000})>/i
const LARK_AT = /^<(?:at|person)\b([^<>\n]{0,200})>(?:([^<>\n]{0,200})<\/(?:at|person)>)?/i
const LINE_BREAK_TAG = /^<br\s{0,4}\/?>/i

/** Adds what agents write besides CommonMark and GFM: chat references, Slack links, `<br>`, footnotes, bare addresses. */
export function chatRules(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'chat_angle', angle)
  md.inline.ruler.before('link', 'footnote_reference', footnoteReference)
  md.inline.ruler.before('linkify', 'bare_url', bareUrl)
  md.inline.ruler.before('escape', 'written_backslash', writtenBackslash)
  md.inline.ruler.before('entity', 'written_ampersand', writtenAmpersand())
  md.block.ruler.before('reference', 'footnote_text', footnoteText, { alt: ['paragraph', 'reference'] })
  limitNesting(md)
}

/** An ampersand that begins no entity. */
const BARE_AMPERSAND = /&(?!#?[a-z0-9]{1,32};)/i

/**
 * Beside a bare `&`, as in `AT&T`, a text was not escaped: `&amp;` is then what somebody wrote, and is shown so.
 * Elsewhere it is the character, as CommonMark says.
 */
function writtenAmpersand(): (state: StateInline, silent: boolean) => boolean {
  // The paragraph at hand, so that one with a thousand of them is looked through once.
  let known = { src: '', hasBare: false }
  return (state, silent) => {
    if (!state.src.startsWith('&amp;', state.pos)) return false
    if (known.src !== state.src) known = { src: state.src, hasBare: BARE_AMPERSAND.test(state.src) }
    if (!known.hasBare) return false
    if (!silent) state.pending += '&amp;'
    state.pos += '&amp;'.length
    return true
  }
}

/** A backslash in front of what needs no escape is one, and what follows it, perhaps an address, is read as ever. */
function writtenBackslash(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5c || !/[\p{L}\p{N}]/u.test(state.src.charAt(state.pos + 1)))
    return false
  if (!silent) state.pending += '\\'
  state.pos += 1
  return true
}

function angle(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false
  const rest = state.src.slice(state.pos, state.pos + MAX_ANGLE_CHARS)
  const second = rest.charAt(1)
  if (second === '@' || second === '#' || second === '!') return slackReference(state, silent, rest)
  if (!/[hmapb]/i.test(second)) return false
  return slackLink(state, silent, rest) || larkAt(state, silent, rest) || lineBreakTag(state, silent, rest)
}

function slackReference(state: StateInline, silent: boolean, rest: string): boolean {
  const match = SLACK_REFERENCE.exec(rest)
  if (match === null) return false
  const [raw, sign = '', target = '', label] = match
  const meta = slackMeta(sign, target.trim(), label)
  if (meta === null) return false
  if (!silent) pushMention(state, raw, meta)
  state.pos += raw.length
  return true
}

function slackMeta(sign: string, target: string, label: string | undefined): MentionMeta | null {
  if (sign === '@') return { kind: 'person', id: target, name: label || `@${target}` }
  if (sign === '#')
    return /^C[A-Z0-9]+$/.test(target)
      ? { kind: 'channel', id: target, name: label ? `#${label}` : target }
      : null
  const subteam = /^subteam\^(.+)$/i.exec(target)?.[1]
  if (subteam !== undefined) return { kind: 'group', id: subteam, name: label || subteam }
  const everyone = /^(?:channel|here|everyone|all|group)\b/i.exec(target)?.[0]
  if (everyone !== undefined) return { kind: 'everyone', id: '', name: label || `@${everyone}` }
  // A date token carries its own readable form; anything else after `!` is HTML such as a comment or a doctype.
  if (/^date\^/.test(target) && label) return { kind: 'channel', id: '', name: label }
  return null
}

function larkAt(state: StateInline, silent: boolean, rest: string): boolean {
  const match = LARK_AT.exec(rest)
  if (match === null) return false
  const [raw, attributes = '', label] = match
  const id = /(?:id|ids|user_id|open_id|email)\s*=\s*["']?([^\s"'>]+)/i.exec(attributes)?.[1] ?? ''
  const everyone = id.toLowerCase() === 'all'
  const name = label || (everyone ? '@all' : `@${id}`)
  if (!silent)
    pushMention(state, raw, { kind: everyone ? 'everyone' : 'person', id: everyone ? '' : id, name })
  state.pos += raw.length
  return true
}

function slackLink(state: StateInline, silent: boolean, rest: string): boolean {
  const match = SLACK_LINK.exec(rest)
  if (match === null) return false
  const [raw, url = '', label = ''] = match
  if (!silent) pushLink(state, url, label)
  state.pos += raw.length
  return true
}

function lineBreakTag(state: StateInline, silent: boolean, rest: string): boolean {
  const raw = LINE_BREAK_TAG.exec(rest)?.[0]
  if (raw === undefined) return false
  if (!silent) state.push('hardbreak', 'br', 0)
  state.pos += raw.length
  return true
}

function footnoteReference(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5b || state.src.charCodeAt(state.pos + 1) !== 0x5e) return false
  const match = /^\[\^([^\s[\]^]{1,100})\]/.exec(state.src.slice(state.pos, state.pos + 110))
  if (match === null) return false
  if (!silent) state.push('footnote_reference', '', 0).content = match[1] ?? ''
  state.pos += match[0].length
  return true
}

/** Keeps `[^1]: word` from being read as a link definition, which would hide it. */
function footnoteText(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
  const line = state.src.slice(start, state.eMarks[startLine])
  if (!/^\[\^[^\s[\]^]{1,100}\]:/.test(line)) return false
  if (silent) return true
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = line.trimEnd()
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  state.line = startLine + 1
  return true
}

// ASCII that an address may hold, and letters of other scripts only where a path, query or fragment has begun:
// Chinese and Japanese text follows an address without a space.
const URL_REST = /(?:[!#-;=?-_a-z{|}~]|(?<=[/=#&+%-])[\p{L}\p{N}]|(?<=[/=][\p{L}\p{N}]{1,40})[\p{L}\p{N}])+/uy

/** GFM extended autolinks for `http://` and `https://`, at the colon as markdown-it's own rule does. */
function bareUrl(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a || isInsideLink(state)) return false
  if (!state.src.startsWith('//', state.pos + 1)) return false
  const scheme = /(?<![a-z0-9])https?$/i.exec(state.pending.slice(-8))?.[0]
  if (scheme === undefined) return false
  URL_REST.lastIndex = state.pos
  const matched = URL_REST.exec(state.src.slice(0, state.pos + MAX_ANGLE_CHARS))?.[0] ?? ''
  const rest = trimUrl(matched)
  if (!/^:\/\/[\p{L}\p{N}[]/u.test(rest)) return false
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length)
    pushLink(state, scheme + rest, scheme + rest)
  }
  state.pos += rest.length
  return true
}

/** The published types lack `linkLevel`. */
function isInsideLink(state: StateInline): boolean {
  return 'linkLevel' in state && state.linkLevel !== 0
}

/** GFM: trailing punctuation, an unbalanced closing bracket and emphasis marks are not part of the address. */
export function trimUrl(url: string): string {
  let end = url.length
  for (;;) {
    const last = url.charAt(end - 1)
    const part = url.slice(0, end)
    const unbalanced = last === ')' && count(part, ')') > count(part, '(')
    if (!/[?!.,:;*_~'"\]}|]/.test(last) && !unbalanced) return part
    end -= 1
  }
}

function count(text: string, char: string): number {
  return text.split(char).length - 1
}

function pushMention(state: StateInline, raw: string, meta: MentionMeta): void {
  const token = state.push('mention', '', 0)
  token.content = raw
  token.attrs = [
    ['kind', meta.kind],
    ['id', meta.id],
    ['name', meta.name],
  ]
}

function pushLink(state: StateInline, url: string, label: string): void {
  state.push('link_open', 'a', 1).attrs = [['href', url]]
  state.push('text', '', 0).content = label
  state.push('link_close', 'a', -1)
}

function limitNesting(md: MarkdownIt): void {
  const tokenize = md.block.tokenize.bind(md.block)
  md.block.tokenize = (state, startLine, endLine) => {
    if (state.level <= MAX_BLOCK_LEVEL) return tokenize(state, startLine, endLine)
    state.push('paragraph_open', 'p', 1)
    const inline = state.push('inline', '', 0)
    inline.content = state.getLines(startLine, endLine, state.blkIndent, false).trim()
    inline.children = []
    state.push('paragraph_close', 'p', -1)
    state.line = endLine
  }
}
