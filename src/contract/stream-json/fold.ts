import type { ExitFacts, Settlement } from '../settlement.js'
import { claude } from './claude.js'
import { codebuddy } from './codebuddy.js'
import { cursor } from './cursor.js'
import { StreamFacts } from './facts.js'
import { textOf } from './fields.js'
import { LineReader } from './line-reader.js'
import { parseLine } from './parse-line.js'
import type { StreamProvider, StreamProviderName } from './provider.js'
import { qwen } from './qwen.js'
import { settleStream } from './settle.js'

const PROVIDERS: Readonly<Record<StreamProviderName, StreamProvider>> = { claude, codebuddy, qwen, cursor }

/** What the read error says when our own line cap ended the reading; the runtimes' word for it. */
const LINE_TOO_LONG = 'bufio.Scanner: token too long'

export interface StreamFoldOptions {
  /**
   * True (the default) reads a transcript exactly as the runtimes do. False also knows that a sub-agent's turns are not
   * the main agent's, that `redacted_thinking` is silent, and that an error subtype is an error without its flag.
   */
  readonly strict?: boolean | undefined
}

/** Folds one transcript while it is being written. Holds one unfinished line and the answer so far. */
export interface StreamFold {
  /** Takes the next bytes or text, split anywhere. */
  push(chunk: Uint8Array | string): void
  /** The transcript is over and its process ended: what the run came to. Call it once. */
  end(exit: ExitFacts): Settlement
}

/** A fold for one stream-json transcript of `provider`. Never throws on what a transcript contains. */
export function createStreamFold(provider: StreamProviderName, options: StreamFoldOptions = {}): StreamFold {
  const source = PROVIDERS[provider]
  const facts = new StreamFacts(options.strict ?? true)
  const lines = new LineReader((line) => takeLine(line, source, facts))
  return {
    push: (chunk) => lines.push(chunk),
    end: (exit) => {
      lines.finish()
      const readError = exit.readError ?? (lines.isLineTooLong ? LINE_TOO_LONG : null)
      return settleStream(source, facts, { ...exit, readError })
    },
  }
}

/** What a whole stream-json transcript came to. */
export function foldStreamJson(
  provider: StreamProviderName,
  text: Uint8Array | string,
  exit: ExitFacts,
  options: StreamFoldOptions = {},
): Settlement {
  const fold = createStreamFold(provider, options)
  fold.push(text)
  return fold.end(exit)
}

function takeLine(line: string, source: StreamProvider, facts: StreamFacts): void {
  if (facts.isClosed) return
  const parsed = parseLine(line, source.cleanLine)
  if (parsed.kind === 'blank') return
  if (parsed.kind === 'invalid' || !source.isEvent(parsed.event)) {
    facts.tally.invalidEventCount++
    return
  }
  const type = textOf(parsed.event.type)
  facts.tally.countEvent(type)
  source.read(parsed.event, type, facts)
}
