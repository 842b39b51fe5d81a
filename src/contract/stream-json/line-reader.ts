import { utf8Bytes } from './utf8-bytes.js'

/**
 * The longest line that is read, in bytes without its newline. The runtimes share a 32 MiB scanner buffer that must also
 * hold the newline; measured on one of them (reference: source systems, M 1.6).
 */
export const MAX_LINE_BYTES = 33_554_431

const NEWLINE = 10

/** How much is decoded at once: enough to make the decoder's cost per call vanish, little enough to stay in cache. */
const WINDOW_BYTES = 65_536

/**
 * Cuts a stream of bytes or text into lines, wherever the chunks were split. Keeps one unfinished line and nothing else.
 * A line over `MAX_LINE_BYTES` ends the reading: nothing after it is read, and `isLineTooLong` says so.
 *
 * An unfinished line waits as bytes (`#pieces`) or as text (`#text`), as it came; never as both.
 */
export class LineReader {
  readonly #onLine: (line: string) => void
  // A byte order mark is content: the runtimes reject a line that starts with one.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #pieces: Uint8Array[] = []
  #pieceBytes = 0
  #text = ''
  #isLineTooLong = false
  #decodesByLine = false

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  get isLineTooLong(): boolean {
    return this.#isLineTooLong
  }

  /** Takes the next chunk. The bytes are copied where they are kept, so the caller may reuse its buffer. */
  push(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') {
      if (this.#pieceBytes > 0) this.#text = this.#takePieces()
      this.#pushText(chunk)
      return
    }
    if (this.#text !== '') this.#keepBytes(new TextEncoder().encode(this.#takeText()))
    for (let offset = 0; offset < chunk.length && !this.#isLineTooLong; offset += WINDOW_BYTES) {
      this.#pushWindow(chunk.subarray(offset, offset + WINDOW_BYTES))
    }
  }

  /** The stream ended: a last line without a newline is a line. */
  finish(): void {
    if (this.#pieceBytes > 0) this.#onLine(this.#takePieces())
    if (this.#text !== '') this.#emitText(this.#takeText())
  }

  #pushText(chunk: string): void {
    let start = 0
    for (
      let end = chunk.indexOf('\n');
      end !== -1 && !this.#isLineTooLong;
      end = chunk.indexOf('\n', start)
    ) {
      this.#emitText(this.#takeText() + chunk.slice(start, end))
      start = end + 1
    }
    if (!this.#isLineTooLong) this.#text += chunk.slice(start)
    // Exact only when the line ends; until then this bounds what is kept, as a unit is at least one byte.
    if (this.#text.length > MAX_LINE_BYTES) this.#stop()
  }

  #emitText(line: string): void {
    // A UTF-16 unit takes at most three bytes, so only a giant has to be measured.
    if (line.length * 3 > MAX_LINE_BYTES && utf8Bytes(line) > MAX_LINE_BYTES) this.#stop()
    else this.#onLine(line)
  }

  #takeText(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  #pushWindow(bytes: Uint8Array): void {
    const lastNewline = bytes.lastIndexOf(NEWLINE)
    if (lastNewline === -1) {
      this.#keepBytes(bytes)
      return
    }
    let start = 0
    if (this.#pieceBytes > 0) {
      const firstNewline = bytes.indexOf(NEWLINE)
      this.#keepBytes(bytes.subarray(0, firstNewline))
      if (this.#isLineTooLong) return
      this.#onLine(this.#takePieces())
      start = firstNewline + 1
    }
    if (start < lastNewline) this.#emitWhole(bytes.subarray(start, lastNewline))
    this.#keepBytes(bytes.subarray(lastNewline + 1))
  }

  /**
   * Emits lines that are all whole. ASCII decodes many times faster than the rest: together it is one cheap call, but a
   * few other characters would slow everything down, so among those each line is decoded alone.
   */
  #emitWhole(bytes: Uint8Array): void {
    this.#decodesByLine = this.#decodesByLine ? !this.#emitByLine(bytes) : !this.#emitTogether(bytes)
  }

  /** Returns whether all lines were ASCII: only then is there a UTF-16 unit for each byte. */
  #emitTogether(bytes: Uint8Array): boolean {
    const block = this.#decoder.decode(bytes)
    let start = 0
    for (let end = block.indexOf('\n'); end !== -1; end = block.indexOf('\n', start)) {
      this.#onLine(block.slice(start, end))
      start = end + 1
    }
    this.#onLine(block.slice(start))
    return block.length === bytes.length
  }

  /** Returns whether all lines were ASCII. */
  #emitByLine(bytes: Uint8Array): boolean {
    let isAscii = true
    for (let start = 0; start <= bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline === -1 ? bytes.length : newline
      const line = this.#decoder.decode(bytes.subarray(start, end))
      isAscii &&= line.length === end - start
      this.#onLine(line)
      start = end + 1
    }
    return isAscii
  }

  #keepBytes(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#pieceBytes += bytes.length
    if (this.#pieceBytes > MAX_LINE_BYTES) this.#stop()
    else this.#pieces.push(bytes.slice())
  }

  #takePieces(): string {
    const joined = new Uint8Array(this.#pieceBytes)
    let offset = 0
    for (const piece of this.#pieces) {
      joined.set(piece, offset)
      offset += piece.length
    }
    this.#pieces = []
    this.#pieceBytes = 0
    return this.#decoder.decode(joined)
  }

  #stop(): void {
    this.#isLineTooLong = true
    this.#pieces = []
    this.#pieceBytes = 0
    this.#text = ''
  }
}
