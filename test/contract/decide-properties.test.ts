import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Content } from '../../src/contract/content.js'
import { decide } from '../../src/contract/decide.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import { TRIGGER_KINDS } from '../../src/contract/run.js'
import { isVisible } from '../../src/contract/visible-text.js'
import { aRun, inSurface, WITH_TOKEN } from './a-run.js'

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
      expect(decision).toEqual({ kind: 'relay', text: text })
    }),
  )
})
