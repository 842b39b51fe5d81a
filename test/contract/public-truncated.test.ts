import { expect, test } from 'vitest'
import type { Case } from './public-case.js'
import { completed, decideCase, failure } from './public-case.js'

const TRUNCATED: readonly Case[] = [
  {
    id: 'TRU-01',
    name: 'a timeout is not silence',
    reported: { status: 'timeout', output: '' },
    surface: 'channel',
    expected: failure('timeout', 'timeout'),
  },
  {
    id: 'TRU-01',
    name: 'an abort by the system is not silence',
    reported: { status: 'aborted', output: '', abortedBy: 'system' },
    surface: 'channel',
    expected: failure('aborted', 'cancelled'),
  },
  {
    id: 'TRU-01',
    name: 'a failure is not silence',
    reported: { status: 'failed', output: '', errorCode: 'internal' },
    surface: 'channel',
    expected: failure('failed', 'unknown'),
  },
  {
    id: 'TRU-02',
    name: 'what was found before the deadline is shown under the header',
    reported: {
      status: 'timeout',
      stopReason: 'deadline',
      output: 'Finding 1: unchecked index.\nFinding 2: leaked handle.',
    },
    surface: 'channel',
    expected: failure('timeout', 'timeout', 'Finding 1: unchecked index.\nFinding 2: leaked handle.'),
  },
  {
    id: 'TRU-03',
    name: 'text cut inside a code fence is kept as it is for the renderer to close',
    reported: {
      status: 'truncated',
      stopReason: 'max_tokens',
      output: 'Here it is:\n```python\ndef f(x):\n    return x +',
    },
    surface: 'channel',
    expected: failure('truncated', 'output_limit', 'Here it is:\n```python\ndef f(x):\n    return x +'),
  },
  {
    id: 'TRU-05',
    name: 'a stack trace is classified and not shown',
    reported: {
      status: 'failed',
      output: '',
      error: 'Inputs token length 52721 exceed max_model_len 40600\n 0: candle_core::error…\n 1: …',
    },
    surface: 'direct',
    expected: failure('failed', 'context_window'),
  },
  {
    id: 'TRU-06',
    name: 'a safe and useful cause is told',
    reported: { status: 'failed', output: '', errorCode: 'rate_limit_exceeded' },
    surface: 'direct',
    expected: failure('failed', 'provider_overload'),
  },
  ...(['max_tokens', 'length'] as const).map(
    (stopReason): Case => ({
      id: 'TRU-09',
      name: `an answer cut with ${stopReason} does not read as finished`,
      reported: completed('The three causes are: first, the cache; second, the', stopReason),
      surface: 'channel',
      expected: failure('truncated', 'output_limit', 'The three causes are: first, the cache; second, the'),
    }),
  ),
  {
    id: 'TRU-09',
    name: 'an answer cut by the context window does not read as finished',
    reported: completed('part', 'model_context_window_exceeded'),
    surface: 'channel',
    expected: failure('truncated', 'context_window', 'part'),
  },
  ...(['content_filter', 'refusal'] as const).map(
    (stopReason): Case => ({
      id: 'TRU-09',
      name: `an answer ended with ${stopReason} was declined`,
      reported: completed('part', stopReason),
      surface: 'channel',
      expected: failure('refused', 'refused', 'part'),
    }),
  ),
  {
    id: 'TRU-10',
    name: 'a full context window is named',
    reported: { status: 'truncated', stopReason: 'model_context_window_exceeded', output: 'part' },
    surface: 'direct',
    expected: failure('truncated', 'context_window', 'part'),
  },
  {
    id: 'TRU-10',
    name: 'the output limit is named',
    reported: { status: 'truncated', stopReason: 'max_tokens', output: 'part' },
    surface: 'direct',
    expected: failure('truncated', 'output_limit', 'part'),
  },
  {
    id: 'TRU-11',
    name: 'a run cut before its first word is not silent',
    reported: { status: 'truncated', stopReason: 'max_tokens', output: '' },
    surface: 'channel',
    expected: failure('truncated', 'output_limit'),
  },
  {
    id: 'TRU-12',
    name: 'the same failure decides the same, so that it can be counted',
    reported: { status: 'failed', output: '' },
    surface: 'channel',
    expected: failure('failed', 'unknown'),
  },
]

test.each([...TRUNCATED])('$id $name', (reported) => {
  expect(decideCase(reported)).toEqual(reported.expected)
})
