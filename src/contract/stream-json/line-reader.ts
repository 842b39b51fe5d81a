/**
 * The longest line that is read, in bytes without its newline. The runtimes share a 32 MiB scanner buffer that must also
 * hold the newline; measured on one of them (reference: source systems, M 1.6).
 */
export const MAX_LINE_BYTES = 33_554_431

const NEWLINE = 10

/** How much is decoded at once: enough to make the decoder's cost per call vanish, little enough to stay in cache. */
const WINDOW_BYTES = 65_536

/** As much text as surely fits a window: a UTF-16 unit takes at most three bytes. */
const WINDOW_CHARS = Math.floor(WINDOW_BYTES / 3)

/**
 * Cuts a stream of bytes or text into lines, wherever the chunks were split. Keeps one unfinished line and nothing else.
 * A line over `MAX_LINE_BYTES` ends the reading: nothing after it is read, and `isLineTooLong` says so.
 */
export class LineReader {
  readonly #onLine: (line: string) => void
  // A byte order mark is content: the runtimes reject a line that starts with one.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #encoder = new TextEncoder()
  #encoded: Uint8Array | null = null
  #pieces: Uint8Array[] = []
  #pieceBytes = 0
  #highSurrogate = ''
  #isLineTooLong = false

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  get isLineTooLong(): boolean {
    return this.#isLineTooLong
  }

  /** Takes the next chunk. The bytes are copied where they are kept, so the caller may reuse its buffer. */
  push(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') {
      this.#pushText(chunk)
      return
    }
    if (this.#highSurrogate !== '') this.#flushSurrogate()
    this.#pushBytes(chunk)
  }

  /** The stream ended: a last line without a newline is a line. */
  finish(): void {
    if (this.#highSurrogate !== '') this.#flushSurrogate()
    if (this.#pieceBytes > 0) this.#endLine()
  }

  #pushText(text: string): void {
    const all = this.#highSurrogate + text
    this.#highSurrogate = ''
    this.#encoded ??= new Uint8Array(WINDOW_BYTES)
    for (let start = 0; start < all.length; ) {
      let end = Math.min(start + WINDOW_CHARS, all.length)
      if (isHighSurrogate(all.charCodeAt(end - 1))) end--
      if (start === end) {
        // The other half is in the next chunk, if anywhere.
        this.#highSurrogate = all.slice(start)
        return
      }
      const { written } = this.#encoder.encodeInto(all.slice(start, end), this.#encoded)
      this.#pushBytes(this.#encoded.subarray(0, written))
      start = end
    }
  }

  #flushSurrogate(): void {
    const bytes = this.#encoder.encode(this.#highSurrogate)
    this.#highSurrogate = ''
    this.#pushBytes(bytes)
  }

  #pushBytes(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length && !this.#isLineTooLong; offset += WINDOW_BYTES) {
      this.#pushWindow(bytes.subarray(offset, offset + WINDOW_BYTES))
    }
  }

  #pushWindow(bytes: Uint8Array): void {
    const lastNewline = bytes.lastIndexOf(NEWLINE)
    if (lastNewline === -1) {
      this.#keep(bytes)
      return
    }
    let start = 0
    if (this.#pieceBytes > 0) {
      const firstNewline = bytes.indexOf(NEWLINE)
      this.#keep(bytes.subarray(0, firstNewline))
      if (this.#isLineTooLong) return
      this.#endLine()
      start = firstNewline + 1
    }
    if (start < lastNewline) this.#emitLines(this.#decoder.decode(bytes.subarray(start, lastNewline)))
    if (lastNewline + 1 < bytes.length) this.#keep(bytes.subarray(lastNewline + 1))
  }

  #emitLines(block: string): void {
    let start = 0
    for (let end = block.indexOf('\n'); end !== -1; end = block.indexOf('\n', start)) {
      this.#onLine(block.slice(start, end))
      start = end + 1
    }
    this.#onLine(block.slice(start))
  }

  #keep(bytes: Uint8Array): void {
    this.#pieceBytes += bytes.length
    if (this.#pieceBytes > MAX_LINE_BYTES) {
      this.#isLineTooLong = true
      this.#pieces = []
      this.#pieceBytes = 0
      return
    }
    if (bytes.length > 0) this.#pieces.push(bytes.slice())
  }

  #endLine(): void {
    const line = this.#decoder.decode(this.#joinPieces())
    this.#pieces = []
    this.#pieceBytes = 0
    this.#onLine(line)
  }

  #joinPieces(): Uint8Array {
    const [only] = this.#pieces
    if (only !== undefined && this.#pieces.length === 1) return only
    const joined = new Uint8Array(this.#pieceBytes)
    let offset = 0
    for (const piece of this.#pieces) {
      joined.set(piece, offset)
      offset += piece.length
    }
    return joined
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
