import { describe, expect, test } from 'vitest'
import { settleTranscript } from '../../../src/contract/settle.js'

describe('message lists', () => {
  const openai = (...events: readonly unknown[]) => settleTranscript({ format: 'openai', events })
  const anthropic = (...events: readonly unknown[]) => settleTranscript({ format: 'anthropic', events })

  test('openai: the last message wins over narration before a tool', () => {
    const settlement = openai(
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'Let me look.', tool_calls: [{ id: 'c1', type: 'function' }] },
      { role: 'tool', tool_call_id: 'c1', content: 'tool said' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'An' },
          { type: 'text', text: 'swer' },
        ],
      },
    )
    expect(settlement).toMatchObject({
      status: 'completed',
      output: 'Answer',
      observation: { toolUseCount: 1 },
    })
  })

  test('openai: a list that ends by asking for a tool did not end', () => {
    expect(openai({ role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] }).status).toBe('failed')
  })

  test('openai: an earlier answer is not the answer to the last question', () => {
    const settlement = openai(
      { role: 'user', content: 'q1' },
      { role: 'assistant', content: 'a1' },
      { role: 'user', content: 'q2' },
      { role: 'assistant', content: '' },
    )
    expect(settlement).toMatchObject({ status: 'completed', output: null })
  })

  test.each([
    ['length', 'truncated'],
    ['content_filter', 'refused'],
    ['vendor', 'failed'],
  ] as const)('openai: a completion that finished with %s is %s', (reason, status) => {
    const completion = {
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'half' }, finish_reason: reason }],
    }
    expect(openai(completion)).toMatchObject({
      status,
      output: null,
      partialOutput: 'half',
      stopReason: reason,
    })
  })

  test('openai: streamed chunks are joined', () => {
    const chunk = (content: string, reason: string | null) =>
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ delta: { content }, finish_reason: reason }] })}\n\n`
    const text = `${chunk('an', null)}${chunk('swer', 'stop')}data: [DONE]\n`
    expect(settleTranscript({ format: 'openai', text })).toMatchObject({
      status: 'completed',
      output: 'answer',
    })
  })

  test('openai: a refusal beside the content is a refusal', () => {
    expect(openai({ role: 'assistant', content: null, refusal: 'I cannot.' }).status).toBe('refused')
  })

  test('openai: a response object', () => {
    const output = [
      { type: 'reasoning', summary: [] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'said' }] },
    ]
    expect(openai({ object: 'response', status: 'completed', output })).toMatchObject({
      status: 'completed',
      output: 'said',
    })
    const cut = {
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output,
    }
    expect(openai(cut)).toMatchObject({ status: 'truncated', partialOutput: 'said' })
  })

  test('anthropic: whole messages with their blocks, tool results are no question', () => {
    const settlement = anthropic(
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 't1' },
        ],
        stop_reason: 'tool_use',
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'said' },
        ],
        stop_reason: 'end_turn',
      },
    )
    expect(settlement).toMatchObject({
      status: 'completed',
      output: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'said' },
      ],
    })
  })

  test.each([
    ['max_tokens', 'truncated'],
    ['model_context_window_exceeded', 'truncated'],
    ['refusal', 'refused'],
    ['pause_turn', 'failed'],
    ['tool_use', 'failed'],
  ] as const)('anthropic: %s is %s', (reason, status) => {
    const message = { role: 'assistant', content: [{ type: 'text', text: 'half' }], stop_reason: reason }
    expect(anthropic(message)).toMatchObject({ status, output: null, partialOutput: 'half' })
  })

  test('anthropic: a message stream', () => {
    const text = [
      'event: message_start',
      'data: {"type":"message_start","message":{"role":"assistant","content":[]}}',
      'event: content_block_delta',
      'data: {"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}',
      'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"said"}}',
      'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}',
    ].join('\n')
    expect(settleTranscript({ format: 'anthropic', text })).toMatchObject({
      status: 'completed',
      output: 'said',
    })
  })

  test('anthropic: an error event fails the run', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    expect(anthropic(error)).toMatchObject({
      status: 'failed',
      stopReason: 'overloaded_error',
      error: 'Overloaded',
    })
  })
})
