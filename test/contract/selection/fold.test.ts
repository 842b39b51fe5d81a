import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssistantEvent } from '../../../src/contract/selection/event.js'
import {
  AssistantOutputFold,
  createAssistantOutputFold,
  finalAssistantOutput,
} from '../../../src/contract/selection/fold.js'
import { outputRows } from '../vectors/rows.js'

describe.each(['selection', 'boundary'])('%s', (suite) => {
  test.each(outputRows(suite))('$name', ({ events, expect: expected }) => {
    expect(finalAssistantOutput(events)).toEqual(expected.output)
    const afterEach = expected.afterEach
    if (afterEach === undefined) return
    const fold = createAssistantOutputFold()
    const reads = events.map((event) => {
      fold.push(event)
      return fold.collect()
    })
    expect(reads).toEqual(afterEach)
  })
})

describe('embedded-records', () => {
  test.each(outputRows('embedded-records'))('$name', ({ events, expect: expected }) => {
    if (expected.error === 'TypeError') expect(() => finalAssistantOutput(events)).toThrow(TypeError)
    else expect(finalAssistantOutput(events)).toEqual(expected.output)
  })

  test.each([
    { name: 'a missing field', record: { type: 'text-chunks', time0: 1, dt: [], texts: ['a'] } },
    {
      name: 'a member that is no text',
      record: { type: 'text-chunks', time0: 1, index: 0, dt: [], texts: [1] },
    },
    {
      name: 'a gap that is no number',
      record: { type: 'text-chunks', time0: 1, index: 0, dt: ['1'], texts: ['a', 'b'] },
    },
    {
      name: 'a tool call without an id',
      record: { type: 'tool-call-chunks', time0: 1, index: 0, dt: [], args: ['{}'] },
    },
    { name: 'a chunk record without a chunk', record: { type: 'chunk', time: 1, chunk: 'text' } },
    { name: 'a type nobody knows', record: { type: 'vendor' } },
  ])('a record with $name is refused', ({ record }) => {
    expect(() => finalAssistantOutput([{ kind: 'assistant_attempt', records: [record] }])).toThrow(TypeError)
  })

  test('a stream of a log may hold compact records', () => {
    const stream = [{ type: 'text-chunks', time0: 1, index: 0, dt: [3], texts: ['a', 'b'] }]
    expect(finalAssistantOutput([{ kind: 'assistant_attempt', stream }])).toEqual([
      { type: 'text', text: 'ab' },
    ])
  })

  test('a tool call record may have a name or not', () => {
    const record = { type: 'tool-call-chunks', time0: 1, index: 0, dt: [], id: 'c1', args: ['{}'] }
    const events = [{ kind: 'assistant_attempt', records: [record, { ...record, name: 'lookup' }] }]
    expect(finalAssistantOutput(events)).toBeNull()
  })
})

test('a refused event leaves the fold as it was', () => {
  const fold = new AssistantOutputFold()
  fold.push({ kind: 'raw_text', text: 'kept' })
  const malformed = {
    kind: 'assistant_attempt',
    stream: [{ type: 'text-delta', text: 'lost' }],
    records: [{ type: 'vendor' }],
  }
  expect(() => fold.push(malformed)).toThrow(TypeError)
  expect(fold.collect()).toEqual([{ type: 'text', text: 'kept' }])
})

test('what was collected does not change when the producer changes its message', () => {
  const content = [{ type: 'text', text: 'said' }]
  const fold = new AssistantOutputFold()
  fold.push({ kind: 'assistant_message', content })
  content.push({ type: 'text', text: 'added later' })
  expect(fold.collect()).toEqual([{ type: 'text', text: 'said' }])
})

const block = fc.record({
  type: fc.constantFrom('text', 'reasoning', 'tool-call', 'vendor'),
  text: fc.string(),
})
const anyEvent: fc.Arbitrary<AssistantEvent> = fc.oneof(
  fc.record({ kind: fc.constant('assistant_message'), content: fc.array(block, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('raw_text'), text: fc.string() }),
  fc.record({
    kind: fc.constant('assistant_chunk'),
    chunk: fc.record({
      type: fc.constantFrom('text-delta', 'reasoning-delta', 'block-end'),
      text: fc.string(),
    }),
  }),
  fc.record({ kind: fc.constantFrom('tool_result', 'turn_start', 'vendor') }),
)

test('reading early, often or late gives the same result', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), (events) => {
      const read = createAssistantOutputFold()
      for (const event of events) {
        read.push(event)
        read.collect()
      }
      expect(read.collect()).toEqual(finalAssistantOutput(events))
    }),
  )
})

test('the output is the last message with content, else all streamed text', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), (events) => {
      const output = finalAssistantOutput(events)
      const contents = events.flatMap((event) =>
        event.kind === 'assistant_message' && Array.isArray(event.content) && event.content.length > 0
          ? [event.content]
          : [],
      )
      if (contents.length > 0) expect(output).toEqual(contents.at(-1))
      else expect(output === null || output.length === 1).toBe(true)
    }),
  )
})
