import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunStatus } from '../../src/contract/outcome.js'
import { RUN_STATUSES } from '../../src/contract/outcome.js'
import type { Transcript, TranscriptFormat } from '../../src/contract/settle.js'
import { createSettler, settleTranscript, TRANSCRIPT_FORMATS, toOutcome } from '../../src/contract/settle.js'
import type { ExitFacts } from '../../src/contract/settlement.js'

const lines = (events: readonly unknown[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')

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
