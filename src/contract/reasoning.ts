import { createCodeLookup } from './code-ranges.js'
import { isVisible } from './visible-text.js'

const TAG = /<(\/?)think(?:ing)?\s*>/gi
/** How often code is looked at anew after reasoning that left a fence or backtick open. Bounds the work on hostile text. */
const MAX_RESTARTS = 16

interface Tag {
  readonly start: number
  readonly end: number
  readonly closes: boolean
  readonly isCode: boolean
}

/**
 * Removes reasoning that a model wrote between `<think>` tags of its answer. A missing opening tag means everything
 * before the closing one was reasoning; a missing closing tag, everything after the opening one. Tags in Markdown code
 * are the agent's own words and stay. Text without such tags is returned as it is.
 */
export function withoutReasoning(text: string): string {
  return removeReasoning(text, MAX_RESTARTS)
}

function removeReasoning(text: string, restarts: number): string {
  const tags = findTags(text)
  if (tags.every((tag) => tag.isCode)) return text
  const shownClosings = nextClosings(tags, (tag) => !tag.isCode)
  const anyClosings = nextClosings(tags, () => true)
  let shown = ''
  /** Where the text after the last removed reasoning begins in `shown`. */
  let sectionStart = 0
  let position = 0
  for (const [index, tag] of tags.entries()) {
    if (tag.isCode || tag.start < position) continue
    if (tag.closes) {
      shown = shown.slice(0, sectionStart)
      position = tag.end
      continue
    }
    shown += text.slice(position, tag.start)
    sectionStart = shown.length
    const closing = shownClosings[index] ?? null
    // Reasoning that left a fence or backtick open hides its own closing tag.
    const hidden = closing === null ? (anyClosings[index] ?? null) : null
    if (hidden !== null && restarts > 0) {
      return join(shown, removeReasoning(text.slice(hidden.end), restarts - 1))
    }
    position = (closing ?? hidden)?.end ?? text.length
  }
  return join(shown, text.slice(position))
}

/** For each tag, the first closing tag behind it that counts; null when there is none. */
function nextClosings(tags: readonly Tag[], counts: (tag: Tag) => boolean): readonly (Tag | null)[] {
  const next: (Tag | null)[] = new Array(tags.length).fill(null)
  let closing: Tag | null = null
  for (let index = tags.length - 1; index >= 0; index -= 1) {
    next[index] = closing
    const tag = tags[index]
    if (tag?.closes === true && counts(tag)) closing = tag
  }
  return next
}

function join(shown: string, rest: string): string {
  return isVisible(shown) ? shown + rest : rest.trimStart()
}

function findTags(text: string): readonly Tag[] {
  const matches = [...text.matchAll(TAG)]
  if (matches.length === 0) return []
  const isCode = createCodeLookup(text)
  return matches.map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    closes: match[1] === '/',
    isCode: isCode(match.index),
  }))
}
