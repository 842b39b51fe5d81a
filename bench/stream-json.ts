import { fileURLToPath } from 'node:url'
import { createStreamFold } from '../src/contract/stream-json/index.js'

const MEGABYTE = 1_000_000
const TRANSCRIPT_MB = 100
const PIECE_MB = 2
const CHUNK_BYTES = 65_536
const ROUNDS = 5

export interface StreamJsonBench {
  readonly transcriptMb: number
  /** Bytes in, settlement out, one process. */
  readonly mbPerSecond: number
  /** Time of a bare `JSON.parse` of the same lines over the time of the fold; 1 is free. */
  readonly ratioToJsonParse: number
  /** The most the process had resident while it folded, its runtime and the generated lines included. */
  readonly residentMb: number
  readonly lineCount: number
}

/** A small repeatable random source: the same transcript in every run (linear congruential, Numerical Recipes). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** One text in so many has words beyond ASCII, as with people who code in English and speak another language. */
const TEXTS_PER_WIDE_TEXT = 8

const ASCII_WORDS = [
  'the',
  'build',
  'fails',
  'because',
  'a',
  'test',
  'reads',
  'notes.txt',
  'twice',
  '"quoted"\n',
]
const WIDE_WORDS = [...ASCII_WORDS, '完成', 'naïve', '→']

function prose(wordCount: number, random: (below: number) => number): string {
  const words = random(TEXTS_PER_WIDE_TEXT) === 0 ? WIDE_WORDS : ASCII_WORDS
  return Array.from({ length: wordCount }, () => words[random(words.length)]).join(' ')
}

function turn(index: number, random: (below: number) => number): readonly unknown[] {
  const usage = {
    input_tokens: random(9000),
    output_tokens: random(900),
    cache_read_input_tokens: random(90_000),
  }
  const common = {
    session_id: 'b2c1f6e0-0000-4000-8000-000000000001',
    parent_tool_use_id: null,
    uuid: `u-${index}`,
  }
  const message = (block: unknown): unknown => ({
    type: 'assistant',
    message: {
      id: `m-${index}`,
      role: 'assistant',
      model: 'm-1',
      content: [block],
      stop_reason: null,
      usage,
    },
    ...common,
  })
  const input = { command: prose(12, random), file_path: `/repo/src/part-${index}.ts` }
  const content = [{ type: 'tool_result', tool_use_id: `t-${index}`, content: prose(random(600), random) }]
  return [
    message({ type: 'thinking', thinking: prose(random(120), random) }),
    message({ type: 'text', text: prose(random(60), random) }),
    message({ type: 'tool_use', id: `t-${index}`, name: 'Bash', input }),
    { type: 'user', message: { role: 'user', content }, ...common },
  ]
}

/** About `PIECE_MB` of whole lines as an agent's CLI writes them: thinking, text, a tool call and its result. */
function createPiece(): { readonly bytes: Uint8Array; readonly lines: readonly string[] } {
  const random = createRandom(42)
  const lines: string[] = []
  for (let index = 0, size = 0; size < PIECE_MB * MEGABYTE; index++) {
    for (const event of turn(index, random)) {
      const line = JSON.stringify(event)
      size += line.length
      lines.push(line)
    }
  }
  return { bytes: new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')), lines }
}

function foldTranscript(
  bytes: Uint8Array,
  repeats: number,
): { readonly seconds: number; readonly residentMb: number } {
  const fold = createStreamFold('claude')
  const startMs = performance.now()
  let residentBytes = 0
  for (let round = 0; round < repeats; round++) {
    for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
      fold.push(bytes.subarray(offset, offset + CHUNK_BYTES))
    }
    residentBytes = Math.max(residentBytes, process.memoryUsage.rss())
  }
  fold.push('{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"done"}\n')
  const { status, observation } = fold.end({
    runError: null,
    readError: null,
    writeError: null,
    exitError: null,
    exitCode: 0,
    stderr: null,
    deadlineMs: 0,
    resume: null,
  })
  const seconds = (performance.now() - startMs) / 1000
  if (status !== 'completed' || observation.invalidEventCount > 0)
    throw new Error('the generated transcript is broken')
  return { seconds, residentMb: residentBytes / MEGABYTE }
}

function parseLines(lines: readonly string[], repeats: number): number {
  const startMs = performance.now()
  let objectCount = 0
  for (let round = 0; round < repeats; round++) {
    for (const line of lines) if (typeof JSON.parse(line) === 'object') objectCount++
  }
  if (objectCount !== lines.length * repeats) throw new Error('the generated transcript is broken')
  return (performance.now() - startMs) / 1000
}

/** Folds 100 MB of generated transcript and compares it with parsing alone; the best of five rounds each, in turns: the rest is other load on the machine. */
export async function benchStreamJson(): Promise<StreamJsonBench> {
  const { bytes, lines } = createPiece()
  const repeats = Math.ceil((TRANSCRIPT_MB * MEGABYTE) / bytes.length)
  const transcriptMb = (bytes.length * repeats) / MEGABYTE
  const folds: ReturnType<typeof foldTranscript>[] = []
  const parses: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    folds.push(foldTranscript(bytes, repeats))
    parses.push(parseLines(lines, repeats))
  }
  const foldSeconds = Math.min(...folds.map(({ seconds }) => seconds))
  return {
    transcriptMb,
    mbPerSecond: transcriptMb / foldSeconds,
    ratioToJsonParse: Math.min(...parses) / foldSeconds,
    residentMb: Math.max(...folds.map(({ residentMb }) => residentMb)),
    lineCount: lines.length * repeats,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await benchStreamJson())
