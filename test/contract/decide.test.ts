import { describe, expect, test } from 'vitest'
import { decide } from '../../src/contract/decide.js'
import type { Cause, Decision, DropReason } from '../../src/contract/decision.js'
import type { AbortedBy, RunStatus } from '../../src/contract/outcome.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import type { Surface, TaskKind, TriggerKind } from '../../src/contract/run.js'
import { TRIGGER_KINDS } from '../../src/contract/run.js'
import { aRun, inSurface, NO_TOKENS } from './a-run.js'

const relay: Decision = { kind: 'relay', text: 'said' }
const noResponse: Decision = { kind: 'notice', notice: 'no_response', silence: 'no_output' }
const stopped: Decision = { kind: 'notice', notice: 'aborted', silence: null }
const dropSilent = (why: DropReason): Decision => ({ kind: 'drop', why, silence: 'no_output' })
const drop = (why: DropReason): Decision => ({ kind: 'drop', why, silence: null })
const failure = (
  status: Exclude<RunStatus, 'completed'>,
  cause: Cause,
  partial: string | null,
): Decision => ({
  kind: 'failure',
  status,
  cause,
  diagnostic: null,
  partial,
})

type Visibility = 'visible' | 'silent'
type ByTrigger = Readonly<Record<TriggerKind, Decision>>
type BySurface = Readonly<Record<Surface, ByTrigger>>

const always = (decision: Decision): ByTrigger => ({
  user: decision,
  schedule: decision,
  completion_notice: decision,
  system: decision,
})
const everywhere = (decision: Decision): BySurface => ({
  direct: always(decision),
  channel: always(decision),
})
const unfinished = (
  status: Exclude<RunStatus, 'completed'>,
  cause: Cause,
): Readonly<Record<Visibility, BySurface>> => ({
  visible: everywhere(failure(status, cause, 'said')),
  silent: everywhere(failure(status, cause, null)),
})

/** Contract section 5: what each status shows, with and without visible text. No cell may be missing. */
const TABLE: Readonly<Record<RunStatus, Readonly<Record<Visibility, BySurface>>>> = {
  completed: {
    visible: everywhere(relay),
    silent: {
      direct: {
        user: noResponse,
        schedule: dropSilent('silent_unattended'),
        completion_notice: noResponse,
        system: dropSilent('silent_unattended'),
      },
      channel: {
        user: dropSilent('silent_channel'),
        schedule: dropSilent('silent_unattended'),
        completion_notice: dropSilent('silent_channel'),
        system: dropSilent('silent_unattended'),
      },
    },
  },
  truncated: unfinished('truncated', 'output_limit'),
  refused: unfinished('refused', 'refused'),
  failed: unfinished('failed', 'unknown'),
  timeout: unfinished('timeout', 'timeout'),
  aborted: unfinished('aborted', 'cancelled'),
}

const cells = RUN_STATUSES.flatMap((status) =>
  (['visible', 'silent'] as const).flatMap((visibility) =>
    (['direct', 'channel'] as const).flatMap((surface) =>
      TRIGGER_KINDS.map((trigger) => ({
        status,
        visibility,
        surface,
        trigger,
        expected: TABLE[status][visibility][surface][trigger],
      })),
    ),
  ),
)

describe('every status, text, surface and trigger', () => {
  test.each(cells)(
    '$status, $visibility, $surface, $trigger',
    ({ status, visibility, surface, trigger, expected }) => {
      const written = visibility === 'visible' ? 'said' : null
      const outcome =
        status === 'completed' ? { status, output: written } : { status, partialOutput: written }
      expect(decide(aRun({ outcome, trigger: { kind: trigger } }), inSurface(surface), NO_TOKENS)).toEqual(
        expected,
      )
    },
  )
})

/** An aborted run, by who stopped it. */
const ABORTED: Readonly<
  Record<AbortedBy | 'nobody', Readonly<Record<Visibility, Readonly<Record<Surface, Decision>>>>>
> = {
  requester: {
    visible: {
      direct: failure('aborted', 'cancelled', 'said'),
      channel: failure('aborted', 'cancelled', 'said'),
    },
    silent: { direct: stopped, channel: drop('cancelled_by_requester') },
  },
  system: {
    visible: {
      direct: failure('aborted', 'cancelled', 'said'),
      channel: failure('aborted', 'cancelled', 'said'),
    },
    silent: { direct: failure('aborted', 'cancelled', null), channel: failure('aborted', 'cancelled', null) },
  },
  nobody: {
    visible: {
      direct: failure('aborted', 'cancelled', 'said'),
      channel: failure('aborted', 'cancelled', 'said'),
    },
    silent: { direct: failure('aborted', 'cancelled', null), channel: failure('aborted', 'cancelled', null) },
  },
}

describe('an aborted run', () => {
  test.each(
    (['requester', 'system', 'nobody'] as const).flatMap((by) =>
      (['visible', 'silent'] as const).flatMap((visibility) =>
        (['direct', 'channel'] as const).map((surface) => ({ by, visibility, surface })),
      ),
    ),
  )('stopped by $by, $visibility, $surface', ({ by, visibility, surface }) => {
    const outcome = {
      status: 'aborted' as const,
      partialOutput: visibility === 'visible' ? 'said' : null,
      abortedBy: by === 'nobody' ? null : by,
    }
    expect(decide(aRun({ outcome }), inSurface(surface), NO_TOKENS)).toEqual(ABORTED[by][visibility][surface])
  })
})

/** A silent completed run of a task, by kind of task and by surface. */
const SILENT_TASK: Readonly<Record<TaskKind, Readonly<Record<Surface, Decision>>>> = {
  chat: { direct: noResponse, channel: dropSilent('silent_channel') },
  issue: { direct: dropSilent('silent_issue'), channel: dropSilent('silent_issue') },
}

describe('a silent run of a task', () => {
  test.each(
    (['chat', 'issue'] as const).flatMap((taskKind) =>
      (['direct', 'channel'] as const).map((surface) => ({ taskKind, surface })),
    ),
  )('$taskKind, $surface', ({ taskKind, surface }) => {
    expect(decide(aRun({ taskKind }), inSurface(surface), NO_TOKENS)).toEqual(SILENT_TASK[taskKind][surface])
  })

  test('an issue task that failed is shown', () => {
    const run = aRun({ taskKind: 'issue', outcome: { status: 'failed' } })
    expect(decide(run, inSurface('channel'), NO_TOKENS)).toEqual(failure('failed', 'unknown', null))
  })
})

describe('a silent completion notice', () => {
  const trigger = { kind: 'completion_notice', noticeId: 'notice-1' } as const

  test('is dropped on both surfaces when the ledger vouched for it', () => {
    for (const surface of ['direct', 'channel'] as const) {
      const circumstances = inSurface(surface, { noticeAccepted: true })
      expect(decide(aRun({ trigger }), circumstances, NO_TOKENS)).toEqual(dropSilent('silent_notice'))
    }
  })

  test('is an ordinary silent turn when only the caller says so', () => {
    expect(decide(aRun({ trigger }), inSurface('direct'), NO_TOKENS)).toEqual(noResponse)
  })

  test('an accepted notice that failed is shown', () => {
    const run = aRun({ trigger, outcome: { status: 'failed' } })
    const circumstances = inSurface('channel', { noticeAccepted: true })
    expect(decide(run, circumstances, NO_TOKENS).kind).toBe('failure')
  })

  test('an accepted notice does not silence a person', () => {
    const run = aRun({ trigger: { kind: 'user', noticeId: 'notice-1' } })
    expect(decide(run, inSurface('direct', { noticeAccepted: true }), NO_TOKENS)).toEqual(noResponse)
  })
})

describe('diagnostics', () => {
  test('a failure shows the diagnostic between header and partial text', () => {
    const outcome = { status: 'failed', diagnostic: 'exit code 3', partialOutput: 'said' } as const
    expect(decide(aRun({ outcome }), inSurface('direct'), NO_TOKENS)).toEqual({
      ...failure('failed', 'unknown', 'said'),
      diagnostic: 'exit code 3',
    })
  })

  test.each([
    { name: 'an aborted run', outcome: { status: 'aborted', diagnostic: 'exit code 3' } },
    { name: 'a blank diagnostic', outcome: { status: 'failed', diagnostic: ' \u200B' } },
  ] as const)('$name shows none', ({ outcome }) => {
    expect(decide(aRun({ outcome }), inSurface('direct'), NO_TOKENS)).toMatchObject({ diagnostic: null })
  })
})
