import { describe, expect, test } from 'vitest'
import { settleTranscript } from '../../../src/contract/settle.js'

describe('acp', () => {
  const update = (sessionUpdate: string, content: unknown) => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's1', update: { sessionUpdate, content } },
  })
  const said = (text: string) => update('agent_message_chunk', { type: 'text', text })
  const stop = (stopReason: string) => ({ jsonrpc: '2.0', id: 1, result: { stopReason } })

  test('only text of message chunks counts', () => {
    const events = [
      update('agent_thought_chunk', { type: 'text', text: 'hm' }),
      said('part '),
      update('agent_message_chunk', { type: 'image', data: 'x' }),
      update('tool_call', undefined),
      said('reply'),
      stop('end_turn'),
    ]
    expect(settleTranscript({ format: 'acp', events })).toMatchObject({
      status: 'completed',
      output: 'part reply',
      sessionId: 's1',
      observation: { toolUseCount: 1, assistantEventCount: 3 },
    })
  })

  test.each([
    ['max_tokens', 'truncated'],
    ['max_turn_requests', 'truncated'],
    ['refusal', 'refused'],
    ['cancelled', 'aborted'],
    ['vendor-new', 'failed'],
  ] as const)('%s is %s', (reason, status) => {
    expect(settleTranscript({ format: 'acp', events: [said('half'), stop(reason)] })).toMatchObject({
      status,
      stopReason: reason,
      output: null,
      partialOutput: 'half',
    })
  })

  test('an error response fails the run', () => {
    const events = [said('half'), { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'boom' } }]
    expect(settleTranscript({ format: 'acp', events })).toMatchObject({ status: 'failed', error: 'boom' })
  })

  test('history replayed before the prompt is not the answer', () => {
    const events = [
      said('old'),
      { jsonrpc: '2.0', id: 1, method: 'session/prompt', params: {} },
      stop('end_turn'),
    ]
    expect(settleTranscript({ format: 'acp', events })).toMatchObject({ status: 'completed', output: null })
  })

  test('a cancel beats a good end', () => {
    const transcript = { format: 'acp', events: [said('half'), stop('end_turn')] } as const
    expect(settleTranscript({ ...transcript, exit: { runError: 'canceled' } })).toMatchObject({
      status: 'aborted',
      partialOutput: 'half',
    })
  })
})
