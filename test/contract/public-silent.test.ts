import { expect, test } from 'vitest'
import { decide } from '../../src/contract/decide.js'
import { settleTranscript, toOutcome } from '../../src/contract/settle.js'
import { aRun, inSurface, NO_TOKENS, WITH_TOKEN } from './a-run.js'
import type { Case } from './public-case.js'
import { completed, decideCase, noResponse, relay, silentChannel } from './public-case.js'

const SILENT: readonly Case[] = [
  ...['0', '.', '-', '👍', 'false', 'null'].map(
    (output): Case => ({
      id: 'SIL-04',
      name: `the short answer ${output} is an answer`,
      reported: completed(output),
      surface: 'channel',
      expected: relay(output),
    }),
  ),
  ...(['user', 'schedule', 'completion_notice', 'system'] as const).map(
    (kind): Case => ({
      id: 'SIL-05',
      name: `a silence token on the ${kind} path is never said`,
      reported: completed('NO_REPLY'),
      surface: 'channel',
      policy: WITH_TOKEN,
      trigger: { kind },
      expected: {
        kind: 'drop',
        why: kind === 'schedule' || kind === 'system' ? 'silent_unattended' : 'silent_channel',
        silence: 'silence_token',
      },
    }),
  ),
  {
    id: 'SIL-07',
    name: 'an answer that mentions the token is an answer',
    reported: completed('To stay quiet the agent must answer with `NO_REPLY` and nothing else.'),
    surface: 'channel',
    policy: WITH_TOKEN,
    expected: relay('To stay quiet the agent must answer with `NO_REPLY` and nothing else.'),
  },
  {
    id: 'SIL-07',
    name: 'a closing token line costs no content',
    reported: completed('Deploy finished, 3 services restarted.\n\nNO_REPLY'),
    surface: 'channel',
    policy: WITH_TOKEN,
    expected: relay('Deploy finished, 3 services restarted.'),
  },
  {
    id: 'SIL-09',
    name: 'the final answer is shown',
    reported: completed('Review: two blocking findings …'),
    surface: 'channel',
    expected: relay('Review: two blocking findings …'),
  },
  {
    id: 'SIL-10',
    name: 'a last step that is only a tool call is silent in a channel',
    reported: completed('', 'tool_use'),
    surface: 'channel',
    expected: silentChannel,
  },
  {
    id: 'SIL-10',
    name: 'a last step that is only a tool call gets one notice in a direct conversation',
    reported: completed('', 'tool_use'),
    surface: 'direct',
    expected: noResponse,
  },
  {
    id: 'SIL-11',
    name: 'an answer is never replaced by the notice',
    reported: completed('查询结果:共 42 条。'),
    surface: 'direct',
    expected: relay('查询结果:共 42 条。'),
  },
  {
    id: 'SIL-12',
    name: 'a failed tool is not a failed run',
    reported: completed('The connection was refused; try again after VPN login.'),
    surface: 'channel',
    expected: relay('The connection was refused; try again after VPN login.'),
  },
  {
    id: 'SIL-13',
    name: 'inline reasoning is not said',
    reported: completed('<think>The user wants…</think>\nThe answer is 7.'),
    surface: 'channel',
    expected: relay('The answer is 7.'),
  },
  {
    id: 'SIL-13',
    name: 'reasoning without its opening tag is not said',
    reported: completed('step A … step B</think>The answer is 7.'),
    surface: 'channel',
    expected: relay('The answer is 7.'),
  },
  ...(['channel', 'direct'] as const).map(
    (surface): Case => ({
      id: 'SIL-13',
      name: `reasoning alone is silence in a ${surface} conversation`,
      reported: completed('<think>only reasoning, cut off'),
      surface,
      expected:
        surface === 'channel'
          ? { kind: 'drop', why: 'silent_channel', silence: 'reasoning_only' }
          : { kind: 'notice', notice: 'no_response', silence: 'reasoning_only' },
    }),
  ),
  {
    id: 'SIL-14',
    name: 'a scheduled run with nothing to report says nothing',
    reported: completed('', 'stop'),
    surface: 'direct',
    trigger: { kind: 'schedule' },
    expected: { kind: 'drop', why: 'silent_unattended', silence: 'no_output' },
  },
  {
    id: 'SIL-15',
    name: 'a silent turn in a thread is a decision of its own',
    reported: { status: 'completed', output: '' },
    surface: 'channel',
    expected: silentChannel,
  },
  {
    id: 'SIL-17',
    name: 'a silent run that left a placeholder is answered with the notice',
    reported: { status: 'completed', output: '' },
    surface: 'direct',
    expected: noResponse,
  },
]

test.each([...SILENT])('$id $name', (reported) => {
  expect(decideCase(reported)).toEqual(reported.expected)
})

test('SIL-08 narration in front of a tool call is not part of the answer', () => {
  const settlement = settleTranscript({
    format: 'anthropic',
    events: [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look up the numbers.' },
          { type: 'tool_use', id: 't1', name: 'query' },
        ],
        stop_reason: 'tool_use',
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1' }] },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Daily actives: 1,204.' }],
        stop_reason: 'end_turn',
      },
    ],
  })
  const run = aRun({ outcome: toOutcome(settlement) })
  expect(decide(run, inSurface('channel'), NO_TOKENS)).toEqual(relay('Daily actives: 1,204.'))
})
