import fc from 'fast-check'
import type { ExitFacts } from '../../../src/contract/settlement.js'
import { anExit, PROVIDERS } from './support.js'

const words = fc.oneof(
  fc.constantFrom('', ' ', '\n', 'answer', 'naïve', '完成 ✓', '👩‍👩‍👧', 'A\u0000B'),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

/** A value of any JSON type, to stand where another type is due. */
const anything = fc.oneof(
  words,
  fc.constantFrom(null, 0, 1.5, true, [], ['x'], {}, { status: 'async_launched' }),
)

const block = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  words.map((thinking) => ({ type: 'thinking', thinking })),
  fc.constant({ type: 'tool_use', id: 't', name: 'Read', input: { path: 'a' } }),
  fc.constantFrom(
    { type: 'redacted_thinking' },
    { type: 'image' },
    { type: 'output_text', text: 'o' },
    {},
    null,
    7,
  ),
  anything.map((text) => ({ type: 'text', text })),
  anything.map((content) => ({ type: 'tool_result', tool_use_id: 't', content })),
)

const message = fc.oneof(
  fc.array(block, { maxLength: 3 }).map((content) => ({ role: 'assistant', model: 'm', content })),
  fc.record({ content: anything, stop_reason: fc.constantFrom('end_turn', 'max_tokens', null, 3) }),
  anything,
)

const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('assistant', 'user'), message }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('assistant'),
      message,
      parent_tool_use_id: fc.constantFrom('t', null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        type: fc.constant('result'),
        subtype: fc.constantFrom('success', 'error', 'failed', 'error_max_turns'),
        is_error: fc.constantFrom(true, false, false, 0),
        session_id: fc.constantFrom('sess-a', 'sess-b', ''),
        result: fc.oneof(words, words, anything),
        terminal_reason: fc.constantFrom('completed', ' prompt_too_long '),
        error: anything,
      },
      { requiredKeys: ['type'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        type: fc.constantFrom(
          'system',
          'error',
          'text',
          'thinking',
          'tool_call',
          'stream_event',
          'novel',
          'no name',
        ),
        subtype: fc.constantFrom('init', 'error', 'delta', 'started'),
        session_id: fc.constantFrom('sess-a', 'sess-b'),
        error: anything,
        part: fc.constant({ text: 'part' }),
        event: fc.constant({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'δ' } }),
      },
      { requiredKeys: ['type'] },
    ),
  },
)

/** A line that no provider can read as an event. None of them is blank. */
export const invalidLine = fc.constantFrom(
  '{broken',
  '[1]',
  '"text"',
  '7',
  'warning: 完',
  '{"type":1}',
  '\ufeff{}',
  '}',
)

export const eventLine = event.map((value) => JSON.stringify(value))

/** The lines of a transcript: mostly events, some junk, some blank, some padded. */
export const lines = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: eventLine },
    { weight: 1, arbitrary: invalidLine },
    { weight: 1, arbitrary: fc.constantFrom('', '  ', '\t', '\u3000', 'null', 'stdout:', '{}') },
    { weight: 1, arbitrary: eventLine.map((line) => ` ${line}\t\r`) },
    { weight: 1, arbitrary: eventLine.map((line) => `stdout: ${line}`) },
  ),
  { maxLength: 12 },
)

export const provider = fc.constantFrom(...PROVIDERS)

export const strict = fc.boolean()

export const exit: fc.Arbitrary<ExitFacts> = fc
  .record(
    {
      runError: fc.constantFrom('deadline' as const, 'canceled' as const),
      readError: fc.constant('unexpected EOF'),
      writeError: fc.constant('broken pipe'),
      exitError: fc.constant('exit status 3'),
      exitCode: fc.constantFrom(0, 3),
      stderr: fc.constantFrom('', 'FATAL 完', 'no conversation found'),
      deadlineMs: fc.constantFrom(0, 1500),
      resume: fc.constantFrom('sess-a', ''),
    },
    { requiredKeys: [] },
  )
  .map(anExit)
