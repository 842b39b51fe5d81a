import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunStatus } from '../../src/contract/outcome.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import type { Transcript, TranscriptFormat } from '../../src/contract/settle.js'
import { createSettler, settleTranscript, TRANSCRIPT_FORMATS, toOutcome } from '../../src/contract/settle.js'
import type { ExitFacts } from '../../src/contract/settlement.js'
import { outputRows } from './vectors/rows.js'

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

/** One transcript of each source that ends well, and what it says. */
const WELL: Readonly<
  Record<TranscriptFormat, { readonly events: readonly unknown[]; readonly output: unknown }>
> = {
  claude: { events: [{ type: 'result', is_error: false, result: 'said' }], output: 'said' },
  codebuddy: { events: [{ type: 'result', is_error: false, result: 'said' }], output: 'said' },
  qwen: { events: [{ type: 'result', is_error: false, result: 'said' }], output: 'said' },
  cursor: {
    events: [{ type: 'result', subtype: 'success', is_error: false, result: 'said' }],
    output: 'said',
  },
  events: { events: [{ kind: 'raw_text', text: 'said' }], output: [{ type: 'text', text: 'said' }] },
  harness: {
    events: [
      { type: 'assistant/message', data: { message: { content: [{ type: 'text', text: 'said' }] } } },
      { type: 'turn/end', data: { reason: 'completed' } },
    ],
    output: 'said',
  },
  acp: {
    events: [
      {
        jsonrpc: '2.0',
        method: 'session/update',
        params: {
          sessionId: 's1',
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'said' } },
        },
      },
      { jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn' } },
    ],
    output: 'said',
  },
  codex: {
    events: [
      { type: 'item.completed', item: { id: 'i1', type: 'agent_message', text: 'said' } },
      { type: 'turn.completed', usage: {} },
    ],
    output: 'said',
  },
  openai: {
    events: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'said' },
    ],
    output: 'said',
  },
  anthropic: {
    events: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'said' }], stop_reason: 'end_turn' },
    ],
    output: 'said',
  },
}

const EXITS: readonly {
  readonly name: string
  readonly exit: Partial<ExitFacts>
  readonly status: RunStatus
}[] = [
  { name: 'a deadline', exit: { runError: 'deadline', deadlineMs: 5000 }, status: 'timeout' },
  { name: 'a read error', exit: { readError: 'broken pipe' }, status: 'failed' },
  { name: 'an exit error', exit: { exitError: 'exit status 2' }, status: 'failed' },
  { name: 'a bad exit code', exit: { exitCode: 3 }, status: 'failed' },
]

describe.each(TRANSCRIPT_FORMATS)('%s', (format) => {
  const { events, output } = WELL[format]

  test('a good transcript is completed', () => {
    const settlement = settleTranscript({ format, text: lines(events) })
    expect(settlement).toMatchObject({ status: 'completed', output, partialOutput: null, error: null })
    expect(settleTranscript({ format, events })).toEqual(settlement)
  })

  // cursor's result is the boundary of its protocol: nothing that happens to the process later counts.
  const exits = format === 'cursor' ? [] : EXITS
  test.each([...exits])('$name discards a good answer', ({ exit, status }) => {
    const settlement = settleTranscript({ format, events, exit })
    expect(settlement.status).toBe(status)
    expect(settlement.output).toBeNull()
    expect(settlement.error).not.toBeNull()
  })

  test('any split of the text gives the same settlement', () => {
    const bytes = new TextEncoder().encode(lines([{ type: 'noise', text: 'ä😀' }, ...events]))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const settler = createSettler(format)
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        edges.slice(1).forEach((end, index) => {
          settler.push(bytes.subarray(edges[index], end))
        })
        expect(settler.end()).toEqual(settleTranscript({ format, text: bytes }))
      }),
      { numRuns: 30 },
    )
  })

  test('nothing at all is no success unless nothing says otherwise', () => {
    expect(settleTranscript({ format, text: '' }).status).toBe(format === 'events' ? 'completed' : 'failed')
  })
})

describe('harness', () => {
  const said = (text: string) => ({
    type: 'assistant/message',
    data: { message: { content: [{ type: 'text', text }] } },
  })
  const end = (reason: string) => ({ type: 'turn/end', data: { turn: 1, reason } })
  const chunk = (type: string, text: string) => ({ type: 'assistant/chunk', data: { chunk: { type, text } } })

  test.each([
    {
      name: 'separate chunks',
      events: [chunk('text-delta', 'a'), chunk('reasoning-delta', 'b'), chunk('text-delta', 'c')],
      output: 'ac',
    },
    {
      name: 'embedded streams',
      events: [
        {
          type: 'assistant/attempt',
          data: { stream: [{ type: 'text-chunks', time0: 1, index: 0, dt: [2], texts: ['a', 'c'] }] },
        },
      ],
      output: 'ac',
    },
    {
      name: 'a full message over chunks',
      events: [chunk('text-delta', 'a'), said('whole')],
      output: 'whole',
    },
    {
      name: 'tool results say nothing',
      events: [{ type: 'tool/result', data: { message: { content: [] } } }],
      output: null,
    },
  ])('$name', ({ events, output }) => {
    expect(settleTranscript({ format: 'harness', events: [...events, end('completed')] })).toMatchObject({
      status: 'completed',
      output,
    })
  })

  test.each([
    ['max-tokens', 'truncated'],
    ['aborted', 'aborted'],
    ['blocked', 'refused'],
    ['error', 'failed'],
    ['vendor-new', 'failed'],
  ] as const)('a turn that ended with %s is %s and keeps its text as partial', (reason, status) => {
    expect(settleTranscript({ format: 'harness', events: [said('half'), end(reason)] })).toMatchObject({
      status,
      output: null,
      partialOutput: 'half',
    })
  })

  test('a seeded child reports its own events only', () => {
    const events = [said('parent'), end('completed'), said('child'), end('completed')]
    expect(settleTranscript({ format: 'harness', events }, { seedLength: 2 }).output).toBe('child')
    expect(settleTranscript({ format: 'harness', events }, { seedLength: 3 }).output).toBeNull()
  })

  test('a recorded completion beats a late cancel', () => {
    const transcript = { format: 'harness', events: [said('done'), end('completed')] } as const
    expect(settleTranscript({ ...transcript, exit: { runError: 'canceled' } }).status).toBe('completed')
  })

  test('a turn that was opened again has not ended', () => {
    const events = [said('first'), end('completed'), { type: 'turn/start', data: { turn: 2 } }]
    expect(settleTranscript({ format: 'harness', events }).status).toBe('failed')
  })

  test('SDK notifications of other sessions are not the child', () => {
    const notify = (sessionId: string, event: unknown) => ({
      method: 'session.event',
      params: { sessionId, event },
    })
    const events = [notify('a', said('own')), notify('b', said('other')), notify('a', end('completed'))]
    expect(settleTranscript({ format: 'harness', events }).output).toBe('own')
  })
})

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

describe('toOutcome', () => {
  test('a completed transcript that was cut is a truncated outcome', () => {
    const settlement = settleTranscript({
      format: 'claude',
      events: [
        {
          type: 'assistant',
          message: {
            role: 'assistant',
            stop_reason: 'max_tokens',
            content: [{ type: 'text', text: 'half' }],
          },
        },
        { type: 'result', is_error: false, result: 'half' },
      ],
    })
    expect(toOutcome(settlement)).toMatchObject({ status: 'truncated', output: null, partialOutput: 'half' })
  })

  test('the standard error of the process ends up in no other field than the error', () => {
    const transcript: Transcript = { format: 'acp', text: '', exit: { exitCode: 1, stderr: 'secret path' } }
    const { error, ...rest } = toOutcome(settleTranscript(transcript))
    expect(error).toContain('secret path')
    expect(JSON.stringify(rest)).not.toContain('secret')
  })
})

const anyTranscriptLine = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom(
    ...TRANSCRIPT_FORMATS.flatMap((format) => WELL[format].events.map((event) => JSON.stringify(event))),
  ),
)

test('no transcript throws, and none gives output for a run that is not completed', () => {
  const exit = fc.record({
    runError: fc.constantFrom(null, 'deadline' as const, 'canceled' as const),
    exitCode: fc.constantFrom(null, 0, 1),
    writeError: fc.constantFrom(null, 'broken'),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...TRANSCRIPT_FORMATS),
      fc.array(anyTranscriptLine),
      exit,
      (format, written, facts) => {
        const settlement = settleTranscript({ format, text: written.join('\n'), exit: facts })
        expect(RUN_STATUSES).toContain(settlement.status)
        if (settlement.status === 'completed') expect(settlement.partialOutput).toBeNull()
        else expect(settlement.output).toBeNull()
        expect(settlement.output).not.toBe('')
      },
    ),
    { numRuns: 300 },
  )
})
