import { type DestinationStream, type Logger, pino } from 'pino'
import type { FoldedTranscript } from './intake/parse-run.js'

export type { Logger }

/** Paths that never reach a log line, whoever passes them. */
const REDACTED = [
  'token',
  'secret',
  'password',
  'authorization',
  'text',
  'body',
  'output',
  'content',
  'headers',
]

/**
 * The process's logger: JSON lines on stderr, ids and codes, never message text, tokens or personal data.
 *
 * @param level pino level name
 * @param destination where the lines go; standard error unless said otherwise
 */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination,
  )
}

/** What of an error may be logged: its class, code and stack frames. Vendor and driver messages may quote text. */
export function describeError(error: unknown): {
  name: string
  code: string | undefined
  frames: readonly string[]
} {
  if (!(error instanceof Error)) return { name: typeof error, code: undefined, frames: [] }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 8)
    .map((line) => line.trim())
  return { name: error.name, code, frames }
}

/** One line for each folded transcript: counts and sizes with the run's id, which an operator reads first. */
export function logFold(
  log: Logger,
  { runId, format, observation }: FoldedTranscript,
  level: 'info' | 'debug' = 'info',
): void {
  log[level]({ runId, format, ...observation }, 'folded a transcript')
}
