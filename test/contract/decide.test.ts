import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Content } from '../../src/contract/content.js'
import { decide } from '../../src/contract/decide.js'
import type { Cause, Decision, DropReason } from '../../src/contract/decision.js'
import type { AbortedBy, RunStatus } from '../../src/contract/outcome.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import type { Surface, TaskKind, TriggerKind } from '../../src/contract/run.js'
import { TRIGGER_KINDS } from '../../src/contract/run.js'
import { contentText, isVisible } from '../../src/contract/visible-text.js'
import { aRun, inSurface, NO_TOKENS, NOW_MS, WITH_TOKEN } from './a-run.js'

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

describe('what is dropped before anything is read', () => {
  test.each([
    { name: 'superseded', run: { supersededBy: 'run-2' }, expected: drop('superseded') },
    { name: 'expired at this very moment', run: { expiresAtMs: NOW_MS }, expected: drop('expired') },
    { name: 'not yet expired', run: { expiresAtMs: NOW_MS + 1 }, expected: relay },
    { name: 'asked on the web', run: { trigger: { via: 'web' } }, expected: drop('other_surface') },
    {
      name: 'asked on the other platform',
      run: { trigger: { via: 'lark' } },
      expected: drop('other_surface'),
    },
    { name: 'asked on this platform', run: { trigger: { via: 'Slack' } }, expected: relay },
    {
      name: 'scheduled on the web',
      run: { trigger: { kind: 'schedule', via: 'web' } },
      expected: relay,
    },
    { name: 'completed although a retry was announced', run: { retryPending: true }, expected: relay },
    {
      name: 'superseded before expired before elsewhere',
      run: { supersededBy: 'run-2', expiresAtMs: 0, trigger: { via: 'web' } },
      expected: drop('superseded'),
    },
    {
      name: 'expired before elsewhere',
      run: { expiresAtMs: 0, trigger: { via: 'web' } },
      expected: drop('expired'),
    },
  ] as const)('$name', ({ run, expected }) => {
    expect(decide(aRun({ outcome: { output: 'said' }, ...run }), inSurface('channel'), NO_TOKENS)).toEqual(
      expected,
    )
  })

  test('a question asked in Feishu is answered in Lark', () => {
    const conversation = {
      platform: 'lark',
      tenant: null,
      place: { kind: 'conversation', id: 'oc_1' },
      replyTo: null,
      thread: null,
      surface: null,
    } as const
    const run = aRun({ conversation, trigger: { via: 'feishu' }, outcome: { output: 'said' } })
    expect(decide(run, inSurface('direct'), NO_TOKENS)).toEqual(relay)
  })

  test.each(RUN_STATUSES.filter((status) => status !== 'completed'))(
    '%s while a retry is pending',
    (status) => {
      const run = aRun({ retryPending: true, outcome: { status, partialOutput: 'said' } })
      expect(decide(run, inSurface('direct'), NO_TOKENS)).toEqual(drop('retry_pending'))
    },
  )
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

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    ' \n',
    '\u200B',
    'NO_REPLY',
    '\nNO_REPLY \u200B',
    '<think>x</think>NO_REPLY',
    '0',
    'a\n\nNO_REPLY',
  ),
)
const anyContent: fc.Arbitrary<Content | null> = fc.oneof(
  fc.constant(null),
  anyText,
  fc.array(fc.record({ type: fc.constantFrom('text', 'reasoning', 'image', 'tool-call'), text: anyText }), {
    maxLength: 4,
  }),
)
const anyRun = fc.record({
  status: fc.constantFrom(...RUN_STATUSES),
  output: anyContent,
  partialOutput: anyContent,
  stopReason: fc.constantFrom(null, 'end_turn', 'max_tokens', 'refusal', 'vendor'),
  error: fc.constantFrom(null, 'HTTP 429', 'boom'),
  diagnostic: fc.option(anyText),
  abortedBy: fc.constantFrom(null, 'requester' as const, 'system' as const),
  trigger: fc.constantFrom(...TRIGGER_KINDS),
  surface: fc.constantFrom('direct' as const, 'channel' as const),
  taskKind: fc.constantFrom('chat' as const, 'issue' as const),
  retryPending: fc.boolean(),
  noticeAccepted: fc.boolean(),
})

test('no path shows blank text or a silence token as the whole text, and only a completed run is relayed', () => {
  fc.assert(
    fc.property(anyRun, ({ trigger, surface, taskKind, retryPending, noticeAccepted, ...outcome }) => {
      const run = aRun({ taskKind, retryPending, trigger: { kind: trigger }, outcome })
      const decision = decide(run, inSurface(surface, { noticeAccepted }), WITH_TOKEN)
      const shown =
        decision.kind === 'relay' ? decision.text : decision.kind === 'failure' ? decision.partial : null
      if (shown !== null) {
        expect(isVisible(shown)).toBe(true)
        expect(shown.trim()).not.toBe('NO_REPLY')
      }
      if (decision.kind === 'relay') expect(outcome.status).toBe('completed')
      expect(decide(run, inSurface(surface, { noticeAccepted }), WITH_TOKEN)).toEqual(decision)
    }),
    { numRuns: 500 },
  )
})

test('text without tags and tokens is relayed as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(isVisible(text) && !text.includes('think') && !text.includes('\u0000'))
      const decision = decide(aRun({ outcome: { output: text } }), inSurface('channel'), WITH_TOKEN)
      expect(decision).toEqual({ kind: 'relay', text: contentText(text) })
    }),
  )
})
