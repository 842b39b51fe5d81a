import { describe, expect, test } from 'vitest'
import { settleTranscript } from '../../../src/contract/settle.js'
import { outputRows } from '../vectors/rows.js'

const lines = (events: readonly unknown[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')

describe('events', () => {
  test.each(outputRows('selection'))('$name', ({ events, expect: expected }) => {
    const settlement = settleTranscript({ format: 'events', text: lines(events) })
    expect(settlement).toMatchObject({ status: 'completed', output: expected.output, partialOutput: null })
    expect(settlement.observation.eventCount).toBe(events.length)
  })

  test.each(outputRows('embedded-records'))('$name', ({ events, expect: expected }) => {
    const settlement = settleTranscript({ format: 'events', events })
    expect(settlement.output).toEqual(expected.output)
    expect(settlement.status).toBe(expected.error === undefined ? 'completed' : 'failed')
  })

  test('a malformed event fails the run and keeps what was said', () => {
    const events = [
      { kind: 'raw_text', text: 'half' },
      { kind: 'assistant_message', content: [7] },
    ]
    const settlement = settleTranscript({ format: 'events', events })
    expect(settlement).toMatchObject({
      status: 'failed',
      output: null,
      partialOutput: [{ type: 'text', text: 'half' }],
      observation: { unreadableAssistantCount: 1 },
    })
  })

  test('lines that are not JSON objects are counted and skipped', () => {
    const text = `oops\n7\nnull\n\n${lines([{ kind: 'raw_text', text: 'said' }])}{"kind":`
    const settlement = settleTranscript({ format: 'events', text })
    expect(settlement).toMatchObject({
      status: 'completed',
      output: [{ type: 'text', text: 'said' }],
      observation: { eventCount: 1, invalidEventCount: 4 },
    })
  })

  test('a last line without a newline counts', () => {
    const settlement = settleTranscript({ format: 'events', text: '{"kind":"raw_text","text":"said"}' })
    expect(settlement.output).toEqual([{ type: 'text', text: 'said' }])
  })

  test('a turn end says how the run ended', () => {
    const events = [
      { kind: 'raw_text', text: 'half' },
      { kind: 'turn_end', turn: 1, reason: 'max-tokens' },
    ]
    expect(settleTranscript({ format: 'events', events })).toMatchObject({
      status: 'truncated',
      stopReason: 'max-tokens',
      output: null,
    })
  })

  test('a list over several lines is read, too', () => {
    const text = JSON.stringify(
      [
        { kind: 'raw_text', text: 'a' },
        { kind: 'raw_text', text: 'b' },
      ],
      null,
      2,
    )
    expect(settleTranscript({ format: 'events', text }).output).toEqual([{ type: 'text', text: 'ab' }])
  })
})
