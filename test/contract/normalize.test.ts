import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeOutcome } from '../../src/contract/normalize.js'
import type { RunStatus } from '../../src/contract/outcome.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import type { StopReasonSource } from '../../src/contract/status.js'
import { effectiveStatus, statusFromStopReason } from '../../src/contract/status.js'

describe('empty', () => {
  test.each([undefined, null, '', [], '\u0000'])('%j is no output', (output) => {
    expect(normalizeOutcome({ status: 'completed', output }).output).toBeNull()
  })

  test.each([' ', '0', 'false'])('%j is output', (output) => {
    expect(normalizeOutcome({ status: 'completed', output }).output).toBe(output)
  })

  test('a reasoning-only or blank list is output by the signal', () => {
    const output = [{ type: 'reasoning', text: 'hm' }]
    expect(normalizeOutcome({ status: 'completed', output }).output).toEqual(output)
  })

  test('every other empty text is nothing', () => {
    const reported = { stopReason: '', errorCode: '', error: '', diagnostic: '' }
    expect(normalizeOutcome({ status: 'failed', ...reported })).toEqual({
      status: 'failed',
      output: null,
      partialOutput: null,
      stopReason: null,
      errorCode: null,
      error: null,
      diagnostic: null,
      abortedBy: null,
    })
  })
})

describe('a run that did not complete', () => {
  test.each(RUN_STATUSES.filter((status) => status !== 'completed'))(
    '%s keeps what it wrote as partial',
    (status) => {
      const { output, partialOutput } = normalizeOutcome({ status, output: 'half' })
      expect({ output, partialOutput }).toEqual({ output: null, partialOutput: 'half' })
    },
  )

  test('partial output stands before output', () => {
    const outcome = normalizeOutcome({ status: 'timeout', output: 'late', partialOutput: 'half' })
    expect(outcome.partialOutput).toBe('half')
  })

  test.each([
    ['max_tokens', 'truncated'],
    ['max-tokens', 'truncated'],
    ['MAX_TOKENS', 'truncated'],
    ['length', 'truncated'],
    ['max_turn_requests', 'truncated'],
    ['model_context_window_exceeded', 'truncated'],
    ['content_filter', 'refused'],
    ['refusal', 'refused'],
    ['end_turn', 'completed'],
    ['tool_use', 'completed'],
    ['vendor_new', 'completed'],
    [null, 'completed'],
  ] as const)('reported as completed with %s is %s', (stopReason, status) => {
    const outcome = normalizeOutcome({ status: 'completed', stopReason, output: 'text' })
    expect(outcome.status).toBe(status)
    expect(outcome.output).toBe(status === 'completed' ? 'text' : null)
    expect(outcome.partialOutput).toBe(status === 'completed' ? null : 'text')
    expect(outcome.stopReason).toBe(stopReason)
  })

  test('a stop reason changes no other status', () => {
    expect(effectiveStatus('timeout', 'max_tokens')).toBe('timeout')
  })

  test('only an aborted run was aborted by somebody', () => {
    expect(normalizeOutcome({ status: 'failed', abortedBy: 'requester' }).abortedBy).toBeNull()
    expect(normalizeOutcome({ status: 'aborted', abortedBy: 'requester' }).abortedBy).toBe('requester')
  })
})

describe('text that stores and platforms refuse', () => {
  test('NUL is removed and half a surrogate pair replaced, nothing else is lost', () => {
    const outcome = normalizeOutcome({ status: 'failed', output: 'a\u0000b\uD83D c😀', error: 'x\u0000y' })
    expect(outcome.partialOutput).toBe('ab\uFFFD c😀')
    expect(outcome.error).toBe('xy')
  })

  test('blocks are cleaned to their depth', () => {
    const block = {
      type: 'card',
      text: 'a\u0000',
      data: { 'k\u0000': ['v\u0000', 1, null, { deep: '\uDC00' }] },
    }
    expect(normalizeOutcome({ status: 'completed', output: [block] }).output).toEqual([
      { type: 'card', text: 'a', data: { k: ['v', 1, null, { deep: '\uFFFD' }] } },
    ])
  })

  test('a block nested beyond reason is cut, not a crash', () => {
    let nested: unknown = 'core'
    for (let depth = 0; depth < 20_000; depth += 1) nested = [nested]
    const outcome = normalizeOutcome({ status: 'completed', output: [{ type: 'vendor', nested }] })
    expect(outcome.output).toHaveLength(1)
  })
})

test('normalising is total, settles in one step and gives output to completed runs only', () => {
  const text = fc.option(fc.string({ unit: 'binary' }), { nil: null })
  const reported = fc.record({
    status: fc.constantFrom(...RUN_STATUSES),
    output: text,
    partialOutput: text,
    stopReason: fc.constantFrom(null, '', 'max_tokens', 'refusal', 'stop'),
    diagnostic: text,
    abortedBy: fc.constantFrom(null, 'requester' as const),
  })
  fc.assert(
    fc.property(reported, (parts) => {
      const outcome = normalizeOutcome(parts)
      expect(normalizeOutcome(outcome)).toEqual(outcome)
      if (outcome.status !== 'completed') expect(outcome.output).toBeNull()
      expect(outcome.output).not.toBe('')
    }),
  )
})

describe('stop reasons by source', () => {
  const rows: Readonly<Record<StopReasonSource, readonly (readonly [string, RunStatus])[]>> = {
    'in-process': [
      ['completed', 'completed'],
      ['max-tokens', 'truncated'],
      ['blocked', 'refused'],
      ['interrupted', 'failed'],
    ],
    sdk: [
      ['completed', 'completed'],
      ['blocked', 'failed'],
      ['interrupted', 'failed'],
      ['aborted', 'aborted'],
    ],
    continuable: [
      ['completed', 'completed'],
      ['blocked', 'refused'],
      ['interrupted', 'aborted'],
    ],
    acp: [
      ['end_turn', 'completed'],
      ['max_tokens', 'truncated'],
      ['max_turn_requests', 'truncated'],
      ['refusal', 'refused'],
      ['cancelled', 'aborted'],
      ['completed', 'failed'],
    ],
    codex: [
      ['completed', 'completed'],
      ['contextWindowExceeded', 'truncated'],
      ['interrupted', 'failed'],
    ],
    'claude-code': [
      ['success', 'completed'],
      ['error_max_turns', 'truncated'],
      ['error_during_execution', 'failed'],
    ],
    openai: [
      ['stop', 'completed'],
      ['length', 'truncated'],
      ['content_filter', 'refused'],
      ['tool_calls', 'failed'],
    ],
    anthropic: [
      ['end_turn', 'completed'],
      ['max_tokens', 'truncated'],
      ['refusal', 'refused'],
      ['pause_turn', 'failed'],
    ],
    generic: [
      ['success', 'completed'],
      ['deadline', 'timeout'],
      ['canceled', 'aborted'],
      ['blocked', 'refused'],
    ],
  }
  const cases = Object.entries(rows).flatMap(([source, pairs]) =>
    pairs.map(([reason, status]) => ({ source, reason, status })),
  )
  test.each(cases)('$source: $reason is $status', ({ source, reason, status }) => {
    expect(statusFromStopReason(source as StopReasonSource, reason)).toBe(status)
  })

  test('an unknown, odd or missing reason is a failure everywhere', () => {
    for (const source of Object.keys(rows)) {
      for (const reason of ['vendor-new', '', '__proto__', 'constructor', null]) {
        expect(statusFromStopReason(source as StopReasonSource, reason)).toBe('failed')
      }
    }
  })
})
