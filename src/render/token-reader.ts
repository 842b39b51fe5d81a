import type Token from 'markdown-it/lib/token.mjs'

/** What building a tree needs besides the block tokens. */
export interface TreeOptions {
  /** Cleans a string that was decoded from character references or escapes. */
  readonly clean: (text: string) => string
  /** Reads inline Markdown. Called block by block, so that a long document's inline tokens never exist all at once. */
  readonly inline: (content: string) => readonly Token[]
}

/** A place in a run of tokens. */
export interface Reader extends TreeOptions {
  readonly tokens: readonly Token[]
  at: number
}

/** The token at the reader's place, which moves on. */
export function next(reader: Reader): Token | undefined {
  const token = reader.tokens[reader.at]
  reader.at += 1
  return token
}

/** An attribute of a token, empty when it has none. */
export function attr(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}
