import type { Inline } from './nodes.js'

// Boundaries do not depend on the host's language: the same text is cut the same everywhere.
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What a mark-up node takes besides its text, in characters. A rough guard: the platform measures exactly. */
const MARK_CHARS = 16
/** Longest grapheme that is looked for; longer ones (stacked marks) are cut between code points. */
const MAX_GRAPHEME_CHARS = 256

/**
 * Cuts text into chunks of at most `maxChars` UTF-16 units, at white space if there is some in the last third, else
 * between graphemes. Joined they are the text.
 */
export function cutText(text: string, maxChars: number): string[] {
  const chunks: string[] = []
  let start = 0
  while (text.length - start > maxChars) {
    const end = start + cutPoint(text.slice(start, start + maxChars + MAX_GRAPHEME_CHARS), maxChars)
    chunks.push(text.slice(start, end))
    start = end
  }
  if (start < text.length) chunks.push(text.slice(start))
  return chunks
}

/** Where to cut a text that is longer than `maxChars`. Always above 0. */
export function cutPoint(text: string, maxChars: number): number {
  const space = /^[\s\S]*\s/.exec(text.slice(Math.floor((maxChars * 2) / 3), maxChars))?.[0].length
  if (space !== undefined) return Math.floor((maxChars * 2) / 3) + space
  return graphemeStart(text, maxChars)
}

/**
 * Start of the grapheme that holds `index`, so that a cut there splits none; the nearest code point if that is 0. The
 * text has to begin with a grapheme: flags pair up from there.
 */
export function graphemeStart(text: string, index: number): number {
  if (index >= text.length) return text.length
  const at = GRAPHEMES.segment(text.slice(0, index + MAX_GRAPHEME_CHARS)).containing(index)?.index ?? 0
  if (at > 0) return at
  const isLow = /^[\udc00-\udfff]/.test(text.charAt(index))
  return isLow && index > 1 ? index - 1 : index
}

/** Sentences are looked for within this much text at a time: a step of the segmenter costs by the length of its text. */
const SENTENCE_WINDOW_CHARS = 1_000

/** The sentences of a text, each with the white space behind it. A line end always ends one. */
export function sentencesOf(text: string): string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  return lines.flatMap((line) => cutText(line, SENTENCE_WINDOW_CHARS).flatMap(sentencesOfWindow))
}

/** Printable ASCII without one of these is a single sentence: no need to ask the segmenter. */
const MAY_END = /[^\x20-\x7e]|[.!?]/

function sentencesOfWindow(text: string): string[] {
  return text.length <= 3 || !MAY_END.test(text)
    ? [text]
    : [...SENTENCES.segment(text)].map(({ segment }) => segment)
}

/** The lines of code, each with its line end, none longer than `maxChars`. */
export function cutLines(code: string, maxChars: number): string[] {
  return (code.match(/[^\n]*\n|[^\n]+$/g) ?? []).flatMap((line) =>
    line.length > maxChars ? cutText(line, maxChars) : [line],
  )
}

interface Atom {
  readonly inline: Inline
  readonly chars: number
  readonly endsSentence: boolean
}

/**
 * Cuts inline content into sentences of at most about `maxChars`, never inside a link, mention or code span that
 * could stand whole. Joined they are the content.
 */
export function cutInlines(inlines: readonly Inline[], maxChars: number): (readonly Inline[])[] {
  const groups: (readonly Inline[])[] = []
  let group: Inline[] = []
  let chars = 0
  const close = (): void => {
    if (group.length > 0) groups.push(group)
    group = []
    chars = 0
  }
  for (const atom of inlines.flatMap((inline) => atomsOf(inline, maxChars))) {
    if (chars + atom.chars > maxChars) close()
    group.push(atom.inline)
    chars += atom.chars
    if (atom.endsSentence) close()
  }
  close()
  return groups
}

function atomsOf(inline: Inline, maxChars: number): Atom[] {
  const chars = charsOf(inline)
  switch (inline.type) {
    case 'text':
      return textAtoms(inline.value, maxChars)
    case 'inlineCode':
      return cutText(inline.value, maxChars).map((value) =>
        atom({ ...inline, value }, value.length + MARK_CHARS),
      )
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'link': {
      if (chars <= maxChars) return [atom(inline, chars)]
      return cutInlines(inline.children, Math.max(200, maxChars - MARK_CHARS)).map((children) => {
        const part: Inline = { ...inline, children }
        return atom(part, charsOf(part))
      })
    }
    case 'image':
      return cutText(inline.alt, maxChars).map((alt) => atom({ ...inline, alt }, charsOf({ ...inline, alt })))
    case 'break':
    case 'mention':
    case 'footnoteReference':
      return [atom(inline, chars, inline.type === 'break')]
    default:
      return inline satisfies never
  }
}

function atom(inline: Inline, chars: number, endsSentence = false): Atom {
  return { inline, chars, endsSentence }
}

function textAtoms(text: string, maxChars: number): Atom[] {
  const sentences = sentencesOf(text).flatMap((sentence) => cutText(sentence, maxChars))
  return sentences.map((value, index) =>
    atom(
      { type: 'text', value },
      value.length,
      index < sentences.length - 1 || /[.!?。！？…]\s*$/.test(value),
    ),
  )
}

function charsOf(inline: Inline): number {
  switch (inline.type) {
    case 'text':
      return inline.value.length
    case 'inlineCode':
      return inline.value.length + MARK_CHARS
    case 'emphasis':
    case 'strong':
    case 'delete':
      return MARK_CHARS + sum(inline.children)
    case 'link':
      return MARK_CHARS + inline.url.length + sum(inline.children)
    case 'image':
      return MARK_CHARS + inline.url.length + inline.alt.length
    case 'break':
      return 1
    case 'footnoteReference':
      return MARK_CHARS + inline.label.length
    case 'mention':
      return MARK_CHARS + inline.raw.length
    default:
      return inline satisfies never
  }
}

function sum(inlines: readonly Inline[]): number {
  return inlines.reduce((chars, inline) => chars + charsOf(inline), 0)
}

/** About how many characters inline content takes, marks and addresses included. */
export function inlineChars(inlines: readonly Inline[]): number {
  return sum(inlines)
}
