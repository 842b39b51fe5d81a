import type { z } from 'zod'
import { cleanText } from '../contract/clean-text.js'
import { normalizeOutcome } from '../contract/normalize.js'
import type { Outcome } from '../contract/outcome.js'
import type { Acknowledgement, Conversation, Run } from '../contract/run.js'
import { settleTranscript, toOutcome } from '../contract/settle.js'
import { type FaultAt, LastwordError } from '../errors.js'
import { CompletedRun } from './schema.js'

export interface RunLimits {
  /** Longest `output` or `partialOutput`, in UTF-8 bytes of its JSON. */
  readonly maxOutputBytes: number
}

/** Faults listed in one answer; a document that is wrong everywhere is told so in less than a page. */
const MAX_FAULTS = 50

/**
 * The one door for a run from outside: shape, limits, defaults.
 *
 * @throws {LastwordError} `invalid_run` with every fault at its JSON pointer, `payload_too_large`
 */
export function parseRun(value: unknown, limits: RunLimits): Run {
  const parsed = safely(() => CompletedRun.safeParse(value))
  if (!parsed.success) throw invalidRun(parsed.error.issues.flatMap(faultsOf))
  const wire = parsed.data
  const outcome = safely(() => outcomeOf(wire))
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
    runUrl: wire.links?.run ?? null,
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

/** A document nested deeper than the stack is a bad document, not a fault of ours. */
function safely<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw invalidRun([{ path: '', expected: 'less nesting' }])
    throw error
  }
}

function invalidRun(faults: readonly FaultAt[]): LastwordError {
  return new LastwordError('invalid_run', undefined, { faults: faults.slice(0, MAX_FAULTS) })
}

/** One fault for each unknown key, so that each has its own path. */
function faultsOf(issue: z.core.$ZodIssue): readonly FaultAt[] {
  const at = (keys: readonly PropertyKey[]) => keys.map((key) => `/${escapePointer(String(key))}`).join('')
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: at([...issue.path, key]), expected: 'no such field' }))
    case 'invalid_union':
      return [{ path: at(issue.path), expected: expectedOfUnion(issue) }]
    default:
      return [{ path: at(issue.path), expected: issue.message }]
  }
}

function expectedOfUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  const branches = issue.errors.flat().map((inner) => {
    const path = inner.path.map((key) => `/${String(key)}`).join('')
    return path === '' ? inner.message : `${path}: ${inner.message}`
  })
  return branches.length === 0 ? issue.message : [...new Set(branches)].join(' or ')
}

/** RFC 6901; a key is the producer's own text, so it is cut. */
function escapePointer(key: string): string {
  return key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
}

function outcomeOf(wire: CompletedRun): Outcome {
  if (wire.outcome !== undefined) return normalizeOutcome(wire.outcome)
  if (wire.transcript === undefined)
    throw invalidRun([{ path: '/outcome', expected: 'an outcome or a transcript' }])
  const { exit, format, text, events } = wire.transcript
  return toOutcome(
    settleTranscript({
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
    }),
  )
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

function conversationOf(wire: CompletedRun['conversation']): Conversation {
  const surface = wire.kind ?? null
  if (wire.platform === 'slack') {
    return {
      platform: 'slack',
      workspace: wire.workspace ?? null,
      place: placeOf(wire.channel, wire.user),
      thread: wire.thread ?? null,
      surface,
    }
  }
  return {
    platform: 'lark',
    tenant: wire.tenant ?? null,
    place: placeOf(wire.chat, wire.openId),
    replyTo: wire.replyTo ?? null,
    thread: wire.thread ?? null,
    surface,
  }
}

function placeOf(conversation: string | undefined, person: string | undefined): Conversation['place'] {
  if (conversation !== undefined) return { kind: 'conversation', id: conversation }
  if (person !== undefined) return { kind: 'person', id: person }
  throw new TypeError('the schema lets no conversation through without a place')
}

function acknowledgementOf(wire: CompletedRun['acknowledgement']): Acknowledgement | null {
  if (wire === undefined) return null
  return { message: wire.message ?? null, reaction: wire.reaction ?? null, status: wire.status ?? false }
}

function momentOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text)
}
