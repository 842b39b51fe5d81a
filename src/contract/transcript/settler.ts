import type { Content, ContentBlock } from '../content.js'
import type { JsonObject } from '../json-object.js'
import { isJsonObject } from '../json-object.js'
import type { ExitFacts, Settlement } from '../settlement.js'
import { knownExitCode } from '../stream-json/exit.js'
import { LineReader } from '../stream-json/line-reader.js'
import { Tally } from '../stream-json/tally.js'
import { contentText } from '../visible-text.js'
import { DocumentLines } from './document-lines.js'
import { endingOf } from './ending.js'
import type { TranscriptSource } from './source.js'

/** What our own line cap reports when it ended the reading. */
const LINE_TOO_LONG = 'a line is longer than 32 MiB'

/** Folds one transcript that is not stream-json, while it is being written. */
export class TranscriptSettler {
  readonly #source: TranscriptSource
  readonly #asBlocks: boolean
  readonly #tally = new Tally()
  readonly #document = new DocumentLines()
  readonly #lines = new LineReader((line) => this.#takeLine(line))
  #isMalformed = false

  /** @param asBlocks whether output is reported as content blocks even when it is only text */
  constructor(source: TranscriptSource, asBlocks: boolean) {
    this.#source = source
    this.#asBlocks = asBlocks
  }

  /** Takes the next bytes or text, split anywhere. */
  push(chunk: Uint8Array | string): void {
    this.#lines.push(chunk)
  }

  /** Takes one parsed event; a list stands for its members. */
  pushEvent(event: unknown): void {
    if (Array.isArray(event)) {
      for (const member of event) this.#take(member)
    } else this.#take(event)
  }

  /** The transcript is over and its process ended: what the run came to. Call it once. */
  end(exit: ExitFacts): Settlement {
    this.#lines.finish()
    const rest = this.#document.finish()
    if (rest.kind === 'value') this.pushEvent(rest.value)
    this.#tally.invalidEventCount += rest.invalidCount
    const readError = exit.readError ?? (this.#lines.isLineTooLong ? LINE_TOO_LONG : null)
    const ending = endingOf(this.#source, this.#isMalformed, { ...exit, readError })
    const selected = this.#source.collect()
    const content = this.#contentOf(selected)
    const isCompleted = ending.status === 'completed'
    const sizeBytes = new TextEncoder().encode(contentText(selected)).length
    return {
      status: ending.status,
      output: isCompleted ? content : null,
      partialOutput: isCompleted ? null : content,
      error: ending.error,
      stopReason: ending.stopReason,
      sessionId: this.#source.sessionId,
      resumeRejected: false,
      observation: this.#tally.observe({
        resultBytes: isCompleted ? sizeBytes : 0,
        lastAssistantBytes: sizeBytes,
        exitCode: knownExitCode(exit),
      }),
    }
  }

  #takeLine(line: string): void {
    const read = this.#document.read(line)
    if (read.kind === 'value') this.pushEvent(read.value)
    this.#tally.invalidEventCount += read.invalidCount
  }

  #take(event: unknown): void {
    if (!isJsonObject(event)) {
      this.#tally.invalidEventCount++
      return
    }
    const type = eventName(event)
    this.#tally.countEvent(type)
    try {
      const { role, toolUseCount } = this.#source.read(event)
      if (role === 'assistant') this.#tally.assistantEventCount++
      if (role === 'unhandled') this.#tally.countUnhandledType(type)
      this.#tally.toolUseCount += toolUseCount
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      this.#tally.unreadableAssistantCount++
      this.#isMalformed = true
    }
  }

  /** Output that is only text is reported as text. */
  #contentOf(blocks: readonly ContentBlock[] | null): Content | null {
    if (blocks === null || blocks.length === 0) return null
    if (this.#asBlocks || blocks.some((block) => block.type !== 'text')) return blocks
    const text = contentText(blocks)
    return text === '' ? null : text
  }
}

/** Fields that name what an event is, in the words of the different sources; the first one present names it. */
const NAME_FIELDS = ['kind', 'type', 'method', 'role', 'object'] as const

function eventName(event: JsonObject): string {
  for (const field of NAME_FIELDS) {
    const name = event[field]
    // Harness and JSON-RPC names hold slashes, which an observation would not report.
    if (typeof name === 'string') return name.replaceAll('/', '_').replaceAll('.', '_')
  }
  return ''
}
