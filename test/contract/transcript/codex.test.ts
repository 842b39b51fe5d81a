import { describe, expect, test } from 'vitest'
import { settleTranscript } from '../../../src/contract/settle.js'

describe('codex', () => {
  const message = (text: string, phase?: string) => ({
    method: 'item/completed',
    params: { item: { type: 'agentMessage', text, phase } },
  })
  const turn = (turnFields: object) => ({ method: 'turn/completed', params: { turn: turnFields } })

  test.each([
    {
      name: 'the app server',
      events: [
        message('hm', 'commentary'),
        message('u'),
        message('f', 'final_answer'),
        turn({ status: 'completed' }),
      ],
      output: 'f',
    },
    {
      name: 'a session log',
      events: [
        { type: 'event_msg', payload: { type: 'task_started' } },
        { type: 'event_msg', payload: { type: 'agent_message', message: 'u' } },
        {
          type: 'response_item',
          payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'u' }] },
        },
        { type: 'event_msg', payload: { type: 'task_complete' } },
      ],
      output: 'u',
    },
  ])('$name', ({ events, output }) => {
    expect(settleTranscript({ format: 'codex', events })).toMatchObject({ status: 'completed', output })
  })

  test('a full context window truncates', () => {
    const events = [
      message('half'),
      turn({ status: 'failed', error: { message: 'x', codexErrorInfo: 'contextWindowExceeded' } }),
    ]
    expect(settleTranscript({ format: 'codex', events })).toMatchObject({
      status: 'truncated',
      partialOutput: 'half',
    })
  })

  test('a completed turn without an answer is a failure', () => {
    expect(settleTranscript({ format: 'codex', events: [turn({ status: 'completed' })] })).toMatchObject({
      status: 'failed',
      error: 'codex completed without an answer',
    })
  })

  test('an earlier turn of the thread is not the answer', () => {
    const events = [
      message('old'),
      turn({ status: 'completed' }),
      { method: 'turn/started', params: {} },
      message('new'),
    ]
    expect(settleTranscript({ format: 'codex', events })).toMatchObject({
      status: 'failed',
      partialOutput: 'new',
    })
  })
})
