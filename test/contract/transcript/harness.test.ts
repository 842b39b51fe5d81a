import { describe, expect, test } from 'vitest'
import { settleTranscript } from '../../../src/contract/settle.js'

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

  test('an extract without turns is complete, a turn without an end is not', () => {
    expect(settleTranscript({ format: 'harness', events: [said('a')] })).toMatchObject({
      status: 'completed',
      output: 'a',
    })
    const open = [{ type: 'turn/start', data: { turn: 1 } }, said('a')]
    expect(settleTranscript({ format: 'harness', events: open })).toMatchObject({
      status: 'failed',
      partialOutput: 'a',
    })
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
