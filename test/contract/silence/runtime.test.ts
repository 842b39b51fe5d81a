import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { isJsonObject } from '../../../src/contract/json-object.js'
import type { RuntimeEvent } from '../../../src/contract/silence/runtime.js'
import { isSilent, startRun, stepRun } from '../../../src/contract/silence/runtime.js'
import { silenceRows } from '../vectors/rows.js'
import type { RunReport } from './run-row.js'
import { noticeOf, playRow, SESSION } from './run-row.js'

const REPORTED = [
  'armed',
  'requests',
  'silentReruns',
  'recoveryRetries',
  'acceptedSilences',
  'contextAppends',
  'outcome',
  'error',
  'exceptionLeft',
  'emptyAssistantInAnyRequest',
  'retriable',
] as const

function checkRun(report: RunReport, expected: JsonObject): void {
  for (const field of REPORTED) {
    if (expected[field] !== undefined)
      expect({ [field]: report[field] }).toEqual({ [field]: expected[field] })
  }
  if (expected.messageStatus !== undefined) expect(report.outcome).toBe(expected.messageStatus)
  // A run has one outcome, so one terminal event; a re-run is not one and gets no message of its own.
  if (expected.terminalEvents !== undefined)
    expect(Number(report.outcome !== null)).toBe(expected.terminalEvents)
  if (expected.messageBubbles !== undefined)
    expect(report.requests - report.silentReruns).toBe(expected.messageBubbles)
  if (expected.nudgeOnRerunOnly === true) expect(report.effects[0]?.kind).toBe('rerun')
  if (expected.silentAssistantInRerunContext === false) expect(report.contextAppends).toEqual(['assistant'])
}

describe('runtime', () => {
  test.each(silenceRows('runtime'))('$name', (row) => {
    const reports = playRow(row)
    const expected = Array.isArray(row.expect.runs) ? row.expect.runs.filter(isJsonObject) : [row.expect]
    expect(reports).toHaveLength(expected.length)
    reports.forEach((report, index) => {
      checkRun(report, expected[index] ?? {})
    })
  })

  test('a notice for another conversation is not exempt', () => {
    const provenance = {
      kind: 'completion',
      messageId: 'msg-1',
      targetSessionId: 'session-2',
      replyToMessageId: 'task-1',
      resolvedBy: 'host-ledger',
    }
    expect(startRun(noticeOf(provenance), SESSION).isExempt).toBe(false)
  })

  test('zero-width characters are silence too', () => {
    const response = { kind: 'model_response', text: '\u200B\u2060', toolCallCount: 0, stop: 'stop' } as const
    expect(isSilent({ ...response, error: null, isRecoverable: false })).toBe(true)
  })
})

const anyEvent: fc.Arbitrary<RuntimeEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('model_response' as const),
    text: fc.constantFrom('', ' ', 'said'),
    toolCallCount: fc.integer({ min: 0, max: 2 }),
    stop: fc.constantFrom('stop', 'length', 'toolUse', 'error', 'aborted'),
    error: fc.constantFrom(null, 'STREAM_FAILED'),
    isRecoverable: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom('tool_results', 'steering_accepted', 'steering_enters_context') }),
)

test('no sequence accepts silence twice, re-runs twice, or accepts any without a vouched notice', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), fc.boolean(), (events, isVouched) => {
      const provenance = {
        kind: 'completion',
        messageId: 'msg-1',
        targetSessionId: SESSION,
        replyToMessageId: 'task-1',
        resolvedBy: isVouched ? 'host-ledger' : 'caller',
      }
      let state = startRun(noticeOf(provenance), SESSION)
      const kinds: string[] = []
      for (const event of events) {
        const step = stepRun(state, event)
        state = step.state
        kinds.push(step.effect.kind)
      }
      const count = (kind: string): number => kinds.filter((other) => other === kind).length
      expect(count('accept_silence')).toBeLessThanOrEqual(isVouched ? 1 : 0)
      expect(count('rerun')).toBeLessThanOrEqual(1)
    }),
  )
})
