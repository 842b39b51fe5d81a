import { normalizeOutcome } from './normalize.js'
import type { Outcome } from './outcome.js'
import type { ExitFacts, Settlement } from './settlement.js'
import type { StreamFoldOptions } from './stream-json/index.js'
import { createStreamFold, STREAM_PROVIDERS } from './stream-json/index.js'
import { AcpSource } from './transcript/acp.js'
import { createCodexSource } from './transcript/codex.js'
import { HarnessSource } from './transcript/harness.js'
import { createAnthropicSource, createOpenAiSource } from './transcript/message-list.js'
import { createNeutralSource } from './transcript/neutral.js'
import { TranscriptSettler } from './transcript/settler.js'

/** Every kind of transcript that can be settled. */
export const TRANSCRIPT_FORMATS = [
  ...STREAM_PROVIDERS,
  'events',
  'harness',
  'acp',
  'codex',
  'openai',
  'anthropic',
] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

export interface SettleOptions extends StreamFoldOptions {
  /** `harness`: how many events at the start belong to a parent or to an earlier epoch. 0 by default. */
  readonly seedLength?: number | undefined
}

/** Folds one transcript while it is being written. Keeps one unfinished line and the answer so far. */
export interface Settler {
  /** Takes the next bytes or text, split anywhere. */
  push(chunk: Uint8Array | string): void
  /** The transcript is over and its process ended: what the run came to. Call it once. */
  end(exit?: Partial<ExitFacts>): Settlement
}

/** A transcript in one piece: its text, or its events already parsed. */
export type Transcript = {
  readonly format: TranscriptFormat
  readonly exit?: Partial<ExitFacts> | null | undefined
} & ({ readonly text: Uint8Array | string } | { readonly events: readonly unknown[] })

const CLEAN_EXIT: ExitFacts = {
  runError: null,
  readError: null,
  writeError: null,
  exitError: null,
  exitCode: null,
  stderr: null,
  deadlineMs: 0,
  resume: null,
}

/** A settler for one transcript of `format`. Never throws on what a transcript contains. */
export function createSettler(format: TranscriptFormat, options: SettleOptions = {}): Settler {
  const fold = createFold(format, options)
  return {
    push: (chunk) => fold.push(chunk),
    end: (exit) => fold.end({ ...CLEAN_EXIT, ...exit }),
  }
}

/** What a whole transcript came to. Never throws on what a transcript contains. */
export function settleTranscript(transcript: Transcript, options: SettleOptions = {}): Settlement {
  const fold = createFold(transcript.format, options)
  if ('text' in transcript) fold.push(transcript.text)
  else for (const event of transcript.events) fold.pushEvent(event)
  return fold.end({ ...CLEAN_EXIT, ...transcript.exit })
}

/** The outcome of a settled transcript, as `decide` reads it. */
export function toOutcome(settlement: Settlement): Outcome {
  return normalizeOutcome(settlement)
}

interface EventFold {
  push(chunk: Uint8Array | string): void
  pushEvent(event: unknown): void
  end(exit: ExitFacts): Settlement
}

function createFold(format: TranscriptFormat, options: SettleOptions): EventFold {
  switch (format) {
    case 'claude':
    case 'codebuddy':
    case 'qwen':
    case 'cursor': {
      const fold = createStreamFold(format, options)
      return {
        push: (chunk) => fold.push(chunk),
        pushEvent: (event) => fold.push(`${JSON.stringify(event) ?? ''}\n`),
        end: (exit) => fold.end(exit),
      }
    }
    case 'events':
      return new TranscriptSettler(createNeutralSource(), true)
    case 'harness':
      return new TranscriptSettler(new HarnessSource(options.seedLength ?? 0), false)
    case 'acp':
      return new TranscriptSettler(new AcpSource(), false)
    case 'codex':
      return new TranscriptSettler(createCodexSource(), false)
    case 'openai':
      return new TranscriptSettler(createOpenAiSource(), false)
    case 'anthropic':
      return new TranscriptSettler(createAnthropicSource(), false)
    default:
      throw new TypeError(`unknown transcript format: ${String(format satisfies never)}`)
  }
}
