import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  composeDiagnostic,
  diagnosticFor,
  failureLine,
  limitDiagnostic,
  MAX_DIAGNOSTIC_BYTES,
} from '../../src/contract/diagnostic.js'
import type { OutputRow } from './vectors/rows.js'
import { outputRows } from './vectors/rows.js'

const bytes = (text: string): number => Buffer.byteLength(text)

function checkRow({ input = {}, expect: expected }: OutputRow): void {
  if (typeof input.bytes === 'number') {
    const text = 'a'.repeat(input.bytes)
    expect(limitDiagnostic(text) !== text).toBe(expected.truncated)
    return
  }
  if (typeof input.text === 'string') {
    const text = input.text.replace(' repeated', '').repeat(MAX_DIAGNOSTIC_BYTES)
    const cut = limitDiagnostic(text)
    expect(cut !== text && bytes(cut) <= MAX_DIAGNOSTIC_BYTES && cut.endsWith('[…]')).toBe(expected.truncated)
    expect(cut.includes('\uFFFD') || /\p{Surrogate}/u.test(cut)).toBe(expected.replacementChar)
    return
  }
  if (Array.isArray(input.permissions)) {
    const diagnostic = composeDiagnostic('failed', 'failure', input.permissions.map(String))
    expect(diagnostic?.split('\n')).toEqual(expected.order)
    return
  }
  // A start that rejects never becomes a run, so there is nothing to carry a diagnostic.
  const status = input.stopReason === 'completed' ? 'completed' : 'aborted'
  const shown = input.start === 'rejects' ? null : diagnosticFor(status, 'captured')
  expect(shown !== null).toBe(expected.diagnosticPresent)
}

describe('diagnostic', () => {
  test.each(outputRows('diagnostic'))('$name', checkRow)

  test('one byte over the limit is cut and says so', () => {
    const cut = limitDiagnostic('a'.repeat(MAX_DIAGNOSTIC_BYTES + 1))
    expect(bytes(cut)).toBe(MAX_DIAGNOSTIC_BYTES)
    expect(cut.endsWith('a […]')).toBe(true)
  })

  test('a cut never falls inside what a person sees as one character', () => {
    const family = '👨‍👩‍👧‍👦'
    const cut = limitDiagnostic(family.repeat(400))
    expect(cut.replace(' […]', '').replaceAll(family, '')).toBe('')
  })

  test('an empty diagnostic is none', () => {
    expect(diagnosticFor('failed', '')).toBeNull()
  })

  test('a failure line names the facts that are known', () => {
    const fact = { product: 'claude-code', stage: 'process', category: 'process-exit', exitCode: 23 }
    expect(failureLine(fact)).toBe('claude-code failed: stage process, category process-exit, exit code 23')
  })

  test('any text stays within the limit and is otherwise unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 16, max: 300 }),
        (text, limit) => {
          const cut = limitDiagnostic(text, limit)
          expect(bytes(cut)).toBeLessThanOrEqual(limit)
          expect(cut === text || text.startsWith(cut.replace(/ \[…\]$/, ''))).toBe(true)
        },
      ),
    )
  })
})
