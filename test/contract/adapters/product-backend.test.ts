import { describe, expect, test } from 'vitest'
import type { ClaudeCodeEvent, ProductResult } from '../../../src/contract/adapters/claude-code.js'
import { foldClaudeCode } from '../../../src/contract/adapters/claude-code.js'
import { CodexFold, readCodexEvent } from '../../../src/contract/adapters/codex.js'
import type { JsonObject } from '../../../src/contract/json-object.js'
import { stringField } from '../../../src/contract/json-object.js'
import type { OutputRow } from '../vectors/rows.js'
import { outputRows } from '../vectors/rows.js'

function readClaudeCode(event: JsonObject): ClaudeCodeEvent {
  switch (event.kind) {
    case 'result':
      return {
        kind: 'result',
        subtype: stringField(event, 'subtype') ?? '',
        is_error: event.is_error === true,
        result: stringField(event, 'result') ?? undefined,
      }
    case 'process_exit':
      return { kind: 'process_exit', exitCode: typeof event.exitCode === 'number' ? event.exitCode : null }
    case 'iterator_error':
    case 'cancel':
    case 'system':
    case 'permission_denied':
      return { kind: event.kind }
    default:
      return { kind: 'other' }
  }
}

function foldRow({ backend, events }: OutputRow): ProductResult {
  if (backend === 'claude-code') return foldClaudeCode(events.map(readClaudeCode))
  const fold = new CodexFold()
  for (const event of events) fold.push(readCodexEvent(event))
  return fold.settle()
}

describe('product-backend', () => {
  test.each(outputRows('product-backend'))('$name', (row) => {
    const { output, stopReason, failure } = foldRow(row)
    const { diagnosticCategory, stage, diagnosticAbsent } = row.expect
    expect({ output, stopReason }).toEqual({ output: row.expect.output, stopReason: row.expect.stopReason })
    if (diagnosticCategory !== undefined) expect(failure?.category).toBe(diagnosticCategory)
    if (stage !== undefined) expect(failure?.stage).toBe(stage)
    if (diagnosticAbsent === true || stopReason === 'completed') expect(failure).toBeNull()
  })

  test.each([
    {
      name: 'a success that is flagged as an error',
      events: [{ kind: 'result', subtype: 'success', is_error: true, result: 'x' }],
      category: 'invalid-success',
    },
    {
      name: 'a failure after a success',
      events: [
        { kind: 'result', subtype: 'success', is_error: false, result: 'x' },
        { kind: 'result', subtype: 'error_max_turns', is_error: true },
      ],
      category: 'error_max_turns',
    },
  ] as const)('claude-code: $name keeps nothing', ({ events, category }) => {
    const { output, stopReason, failure } = foldClaudeCode(events)
    expect({ output, stopReason, category: failure?.category }).toEqual({
      output: [],
      stopReason: 'error',
      category,
    })
  })

  test('claude-code: a cancel beats a success', () => {
    const events = [
      { kind: 'result', subtype: 'success', is_error: false, result: 'x' },
      { kind: 'cancel' },
    ] as const
    expect(foldClaudeCode(events)).toEqual({ output: [], stopReason: 'aborted', failure: null })
  })
})
