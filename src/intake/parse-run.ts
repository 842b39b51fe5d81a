import { cleanText } from '../contract/clean-text.js'
import { normalizeOutcome } from '../contract/normalize.js'
import type { Outcome } from '../contract/outcome.js'
import type { Acknowledgement, Run } from '../contract/run.js'
import { settleTranscript, type TranscriptFormat, toOutcome } from '../contract/settle.js'
import type { Observation } from '../contract/settlement.js'
import { LastwordError } from '../errors.js'
import { conversationOf } from './conversation.js'
import { readShape, safely, shapeError } from './faults.js'
import { CompletedRun } from './schema.js'

/** One transcript folded at a door: counts and sizes, for one line of the log. */
export interface FoldedTranscript {
  /** Null where no run is named. */
  readonly runId: string | null
  readonly format: TranscriptFormat
  readonly observation: Observation
}

export interface RunLimits {
  /** Longest `output` or `partialOutput`, in UTF-8 bytes of its JSON. */
  readonly maxOutputBytes: number
  /** Hears of a run that came as a transcript. */
  readonly onFold?: (folded: FoldedTranscript) => void
}

/**
 * The one door for a run from outside: shape, limits, defaults.
 *
 * @throws {LastwordError} `invalid_run` with every fault at its JSON pointer, `payload_too_large`
 */
export function parseRun(value: unknown, limits: RunLimits): Run {
  const wire = readShape(CompletedRun, value, 'invalid_run')
  const outcome = safely(() => outcomeOf(wire, limits), 'invalid_run')
  checkSize(outcome, limits)
  return {
    runId: wire.runId,
    attempt: wire.attempt ?? 1,
    conversation: conversationOf(wire.conversation),
    trigger: {
      kind: wire.trigger?.kind ?? 'user',
      requester: wire.trigger?.requester ?? null,
      via: wire.trigger?.via ?? null,
      noticeId: wire.trigger?.noticeId ?? null,
    },
    taskKind: wire.task?.kind ?? 'chat',
    outcome,
    locale: wire.locale == null ? null : cleanText(wire.locale),
    runUrl: wire.links?.run === undefined ? null : cleanText(wire.links.run),
    mentions: wire.mentions ?? [],
    supersededBy: wire.supersededBy ?? null,
    retryPending: wire.retryPending ?? false,
    finishedAtMs: momentOf(wire.finishedAt),
    expiresAtMs: momentOf(wire.expiresAt),
    acknowledgement: acknowledgementOf(wire.acknowledgement),
    buttons: wire.buttons ?? [],
    traceparent: wire.traceparent === undefined ? null : cleanText(wire.traceparent),
  }
}

function outcomeOf(wire: CompletedRun, { onFold }: RunLimits): Outcome {
  if (wire.outcome !== undefined) return normalizeOutcome(wire.outcome)
  if (wire.transcript === undefined)
    throw shapeError('invalid_run', [{ path: '/outcome', expected: 'an outcome or a transcript' }])
  const { exit, format, text, events } = wire.transcript
  const settlement = settleTranscript({
    format,
    ...(text === undefined ? { events: events ?? [] } : { text }),
    exit: {
      runError: exit?.cancelled === true ? 'canceled' : exit?.deadlineMs === undefined ? null : 'deadline',
      readError: exit?.readError ?? null,
      writeError: exit?.writeError ?? null,
      exitError: exit?.exitError ?? null,
      exitCode: exit?.exitCode ?? null,
      stderr: exit?.stderr ?? null,
      deadlineMs: exit?.deadlineMs ?? 0,
      resume: exit?.resume ?? null,
    },
  })
  onFold?.({ runId: wire.runId, format, observation: settlement.observation })
  return toOutcome(settlement)
}

function checkSize(outcome: Outcome, limits: RunLimits): void {
  for (const field of ['output', 'partialOutput'] as const) {
    const value = outcome[field]
    const bytes =
      value === null ? 0 : Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
    if (bytes > limits.maxOutputBytes) {
      const expected = `at most ${limits.maxOutputBytes} bytes (LASTWORD_MAX_OUTPUT_BYTES), got ${bytes}`
      throw new LastwordError('payload_too_large', undefined, {
        faults: [{ path: `/outcome/${field}`, expected }],
      })
    }
  }
}

function acknowledgementOf(wire: CompletedRun['acknowledgement']): Acknowledgement | null {
  if (wire === undefined) return null
  return { message: wire.message ?? null, reaction: wire.reaction ?? null, status: wire.status ?? false }
}

function momentOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text)
}
