import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Settlement } from '../../../src/contract/settlement.js'
import { createStreamFold, foldStreamJson } from '../../../src/contract/stream-json/index.js'
import { eventLine, exit, invalidLine, lines, provider, strict } from './arbitraries.js'
import { CLEAN_EXIT } from './support.js'

/** Pieces of `whole` cut at the given fractions of its length. */
function cut<T extends { slice(start: number, end: number): T; readonly length: number }>(
  whole: T,
  fractions: readonly number[],
): T[] {
  const places = fractions.map((fraction) => Math.floor(fraction * whole.length)).sort((a, b) => a - b)
  return [...places, whole.length].map((place, index) =>
    whole.slice(index === 0 ? 0 : (places[index - 1] ?? 0), place),
  )
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 })

/** A settlement without its counters, of which cursor's error text quotes one. */
function withoutCounters({ observation: _, error, ...rest }: Settlement): unknown {
  return { ...rest, error: error?.replace(/invalid_event_count=\d+/, '') }
}

describe('properties of every stream-json fold', () => {
  test('any split of the bytes or of the text gives the same settlement', () => {
    fc.assert(
      fc.property(
        provider,
        strict,
        lines,
        exit,
        cuts,
        fc.constantFrom('', '\n'),
        (name, isStrict, all, end, at, tail) => {
          const text = all.join('\n') + tail
          const options = { strict: isStrict }
          const whole = foldStreamJson(name, text, end, options)
          const byBytes = createStreamFold(name, options)
          for (const piece of cut(new TextEncoder().encode(text), at)) byBytes.push(piece)
          expect(byBytes.end(end)).toEqual(whole)
          const byText = createStreamFold(name, options)
          for (const piece of cut(text, at)) byText.push(piece)
          expect(byText.end(end)).toEqual(whole)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('bytes and text may alternate between lines and within them', () => {
    fc.assert(
      fc.property(provider, lines, exit, cuts, (name, all, end, at) => {
        // Where text and bytes meet inside a character there is no right answer, so ASCII only.
        const text = all.map((line) => `${line.replace(/[^\n -~]/gu, '?')}\n`).join('')
        const fold = createStreamFold(name)
        cut(text, at).forEach((piece, index) => {
          fold.push(index % 2 === 0 ? piece : new TextEncoder().encode(piece))
        })
        expect(fold.end(end)).toEqual(foldStreamJson(name, text, end))
      }),
    )
  })

  test('invalid lines anywhere change nothing but the counters', () => {
    fc.assert(
      fc.property(
        provider,
        strict,
        fc.array(fc.tuple(eventLine, fc.array(invalidLine, { maxLength: 2 })), { maxLength: 10 }),
        exit,
        (name, isStrict, mixed, end) => {
          const clean = mixed.map(([line]) => line).join('\n')
          const dirty = mixed.flatMap(([line, junk]) => [...junk, line]).join('\n')
          const expected = foldStreamJson(name, clean, end, { strict: isStrict })
          const actual = foldStreamJson(name, dirty, end, { strict: isStrict })
          expect(withoutCounters(actual)).toEqual(withoutCounters(expected))
          expect({ ...actual.observation, invalidEventCount: 0 }).toEqual({
            ...expected.observation,
            invalidEventCount: 0,
          })
        },
      ),
      { numRuns: 300 },
    )
  })

  test('only a completed run has an output, and only it has no error', () => {
    fc.assert(
      fc.property(provider, strict, lines, exit, (name, isStrict, all, end) => {
        const settlement = foldStreamJson(name, all.join('\n'), end, { strict: isStrict })
        const isCompleted = settlement.status === 'completed'
        expect(settlement.output === null || isCompleted).toBe(true)
        expect(settlement.partialOutput === null || !isCompleted).toBe(true)
        expect(settlement.error === null).toBe(isCompleted)
        expect(settlement.output).not.toBe('')
        expect(settlement.partialOutput).not.toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('a run without a terminal event never completes', () => {
    fc.assert(
      fc.property(provider, strict, lines, (name, isStrict, all) => {
        const open = all.filter((line) => !/"type":"(?:result|error)"/.test(line))
        expect(foldStreamJson(name, open.join('\n'), CLEAN_EXIT, { strict: isStrict }).status).toBe('failed')
      }),
    )
  })
})
