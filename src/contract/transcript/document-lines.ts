/** What a line, or the end of the text, yielded. */
export type DocumentRead =
  | { readonly kind: 'value'; readonly value: unknown; readonly invalidCount: number }
  | { readonly kind: 'nothing'; readonly invalidCount: number }

const NOTHING: DocumentRead = { kind: 'nothing', invalidCount: 0 }
const SSE_FIELD = /^(?:event|id|retry):/

/**
 * Reads JSON written in any of three ways: one value a line, server-sent events, or one document over several lines.
 * Holds lines back only while they may be such a document.
 */
export class DocumentLines {
  #held: string[] = []
  #hasValue = false

  /** Takes the next line. */
  read(line: string): DocumentRead {
    const text = dataOf(line)
    if (text === '' || text === '[DONE]' || text.startsWith(':') || SSE_FIELD.test(text)) return NOTHING
    if (this.#held.length > 0) {
      this.#held.push(line)
      return NOTHING
    }
    const value = parse(text)
    if (value !== undefined) {
      this.#hasValue = true
      return { kind: 'value', value, invalidCount: 0 }
    }
    if (this.#hasValue || !/^[{[]/.test(text)) return { kind: 'nothing', invalidCount: 1 }
    this.#held.push(line)
    return NOTHING
  }

  /** The text is over: the document that was held back, if it is one; else each of its lines that is not JSON is invalid. */
  finish(): DocumentRead {
    const lines = this.#held
    this.#held = []
    if (lines.length === 0) return NOTHING
    const document = parse(lines.join('\n'))
    if (document !== undefined) return { kind: 'value', value: document, invalidCount: 0 }
    const values = lines.map((line) => parse(dataOf(line)))
    const valid = values.filter((value) => value !== undefined)
    return { kind: 'value', value: valid, invalidCount: values.length - valid.length }
  }
}

/** What a line holds, without the field name of a server-sent event. */
function dataOf(line: string): string {
  const text = line.trim()
  return text.startsWith('data:') ? text.slice('data:'.length).trimStart() : text
}

/** The JSON value of `text`; undefined, which JSON cannot write, when it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
