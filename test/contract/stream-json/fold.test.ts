import { describe, expect, test } from 'vitest'
import { foldStreamJson } from '../../../src/contract/stream-json/index.js'
import { anExit, assistant, CLEAN_EXIT, INIT, success, TOOL_USE, text, transcript } from './support.js'

const THREE = ['claude', 'codebuddy', 'qwen'] as const

function stoppedBy(stopReason: string | null): unknown {
  return { type: 'assistant', message: { content: [text('a')], stop_reason: stopReason } }
}

describe('lenient reading', () => {
  const subAgent = { parent_tool_use_id: 'tu-parent' }
  const rows = [
    { name: "a sub-agent's text", event: { ...assistant(text('sub')), ...subAgent }, strict: 'sub' },
    { name: "a sub-agent's tool use", event: { ...assistant(TOOL_USE), ...subAgent }, strict: null },
    {
      name: "a sub-agent's unreadable turn",
      event: { type: 'assistant', message: 7, ...subAgent },
      strict: null,
    },
    {
      name: 'redacted thinking',
      event: assistant({ type: 'redacted_thinking', data: 'opaque' }),
      strict: null,
    },
  ] as const
  for (const { name, event, strict } of rows) {
    for (const provider of THREE) {
      test(`${provider}: ${name} leaves the main agent's answer alone`, () => {
        const said = transcript(INIT, assistant(text('main')), event, success(''))
        expect(foldStreamJson(provider, said, CLEAN_EXIT, { strict: false }).output).toBe('main')
        expect(foldStreamJson(provider, said, CLEAN_EXIT).output).toBe(strict)
      })
    }
  }

  for (const provider of THREE) {
    test(`${provider}: an error subtype is an error without its flag`, () => {
      const end = { type: 'result', subtype: 'error_max_turns', is_error: false, session_id: 'sess-a' }
      const said = transcript(INIT, assistant(text('cut')), end)
      expect(foldStreamJson(provider, said, CLEAN_EXIT)).toMatchObject({ status: 'completed', output: 'cut' })
      const lenient = foldStreamJson(provider, said, CLEAN_EXIT, { strict: false })
      expect(lenient).toMatchObject({ status: 'failed', output: null, partialOutput: [text('cut')] })
    })
  }

  test('an error subtype without text is named in the error', () => {
    const said = transcript(INIT, { type: 'result', subtype: 'error_max_turns', session_id: 'sess-a' })
    const { error } = foldStreamJson('claude', said, CLEAN_EXIT, { strict: false })
    expect(error).toBe('claude returned an error result: error_max_turns')
  })
})

describe('stop reason', () => {
  const rows = [
    {
      name: "the terminal event's",
      events: [stoppedBy('max_tokens'), { ...success('a'), stop_reason: 'end_turn' }],
      reason: 'end_turn',
    },
    {
      name: "the last message's when the terminal event has none",
      events: [stoppedBy('end_turn'), stoppedBy('max_tokens'), success('a')],
      reason: 'max_tokens',
    },
    {
      name: 'none when the last message has none',
      events: [stoppedBy('tool_use'), stoppedBy(null), success('a')],
      reason: null,
    },
    { name: 'kept without a terminal event', events: [stoppedBy('refusal')], reason: 'refusal' },
    {
      name: "not a sub-agent's",
      events: [stoppedBy('end_turn'), { ...assistant(text('b')), parent_tool_use_id: 't' }],
      reason: 'end_turn',
    },
  ] as const
  for (const { name, events, reason } of rows) {
    for (const provider of THREE) {
      test(`${provider}: ${name}`, () => {
        expect(foldStreamJson(provider, transcript(...events), CLEAN_EXIT).stopReason).toBe(reason)
      })
    }
  }
})

describe('standard error', () => {
  const exitOne = { exitError: 'exit status 1' }
  const rows = [
    { name: 'blank adds nothing', stderr: ' \n', tail: '' },
    { name: 'is trimmed', stderr: '\n boom \n', tail: '; qwen stderr: boom' },
    {
      name: 'is cut to its last 2048 bytes',
      stderr: `${'a'.repeat(3000)}${'b'.repeat(2048)}`,
      tail: `; qwen stderr: ${'b'.repeat(2048)}`,
    },
    {
      name: 'loses a character the cut splits',
      stderr: `完${'b'.repeat(2046)}`,
      tail: `; qwen stderr: ${'b'.repeat(2046)}`,
    },
    {
      name: 'keeps wide characters that fit',
      stderr: '完'.repeat(682),
      tail: `; qwen stderr: ${'完'.repeat(682)}`,
    },
    { name: 'loses broken characters', stderr: 'a\ufffdb', tail: '; qwen stderr: ab' },
  ] as const
  for (const { name, stderr, tail } of rows) {
    test(name, () => {
      expect(foldStreamJson('qwen', '', anExit({ ...exitOne, stderr })).error).toBe(
        `qwen exited with error: exit status 1${tail}`,
      )
    })
  }

  test('is appended to the error of a timeout and of an error result, too', () => {
    const late = anExit({ runError: 'deadline', deadlineMs: 90_000, stderr: 'slow' })
    expect(foldStreamJson('codebuddy', '', late).error).toBe(
      'codebuddy timed out after 1m30s; codebuddy stderr: slow',
    )
    const said = transcript({ ...success('bad'), is_error: true })
    expect(foldStreamJson('claude', said, anExit({ stderr: 'why' })).error).toBe('bad; claude stderr: why')
  })

  test('never shows in a completed run', () => {
    const settlement = foldStreamJson('claude', transcript(success('a')), anExit({ stderr: 'warning' }))
    expect(settlement).toMatchObject({ status: 'completed', error: null })
  })
})

describe('exit facts', () => {
  const durations = [
    [0, '0s'],
    [500, '500ms'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [1_200_000, '20m0s'],
    [7_230_000, '2h0m30s'],
  ] as const
  for (const [deadlineMs, words] of durations) {
    test(`a deadline of ${deadlineMs} ms reads ${words}`, () => {
      const exit = anExit({ runError: 'deadline', deadlineMs })
      expect(foldStreamJson('cursor', '', exit).error).toBe(`cursor-agent timed out after ${words}`)
    })
  }

  test('an exit code alone is an exit error, unless it is zero', () => {
    const said = transcript(INIT, success('a'))
    expect(foldStreamJson('claude', said, anExit({ exitCode: 2 })).error).toBe(
      'claude exited with error: exit status 2',
    )
    expect(foldStreamJson('claude', said, anExit({ exitCode: 0 })).status).toBe('completed')
  })

  test('qwen has no write error: its prompt is an argument', () => {
    const exit = anExit({ writeError: 'broken pipe' })
    expect(foldStreamJson('qwen', transcript({ ...success('a'), session_id: '' }), exit).status).toBe(
      'completed',
    )
    expect(foldStreamJson('codebuddy', transcript({ ...success('a'), session_id: '' }), exit).status).toBe(
      'failed',
    )
  })
})

describe('resume rejection', () => {
  const failure = {
    type: 'result',
    is_error: true,
    session_id: 'sess-a',
    result: 'Session is BOUND to a different account',
  }
  const rows = [
    { name: 'refused in words, any case', exit: { resume: 'sess-a' }, rejected: true },
    {
      name: 'in another session',
      event: { ...failure, result: 'x', session_id: 'sess-b' },
      exit: { resume: 'sess-a' },
      rejected: true,
    },
    { name: 'no resume was asked for', exit: {}, rejected: false },
    {
      name: 'a quota error is none',
      event: { ...failure, result: '429 quota exceeded' },
      exit: { resume: 'sess-a' },
      rejected: false,
    },
    {
      name: 'a timeout is none',
      event: INIT,
      exit: { resume: 'sess-b', runError: 'deadline' },
      rejected: false,
    },
  ] as const
  for (const { name, exit, rejected, ...row } of rows) {
    for (const provider of THREE) {
      test(`${provider}: ${name}`, () => {
        const said = transcript('event' in row ? row.event : failure)
        const settlement = foldStreamJson(provider, said, anExit(exit))
        expect(settlement.resumeRejected).toBe(rejected)
        if (rejected) expect(settlement.sessionId).toBeNull()
        else expect(settlement.sessionId).toBe('sess-a')
      })
    }
  }

  test('only claude is believed on standard error beyond its tail', () => {
    const exit = anExit({
      exitError: 'exit status 1',
      resume: 'sess-a',
      stderr: `No saved session found${' x'.repeat(2000)}`,
    })
    expect(foldStreamJson('claude', '', exit).resumeRejected).toBe(true)
    expect(foldStreamJson('codebuddy', '', exit).resumeRejected).toBe(false)
  })
})

describe('cursor', () => {
  test('nothing after the result belongs to the run', () => {
    const said = transcript(INIT, success('done'), assistant(text('late')), {
      ...success('bad'),
      is_error: true,
    })
    const exit = anExit({ runError: 'deadline', readError: 'closed', exitError: 'signal: killed' })
    const settlement = foldStreamJson('cursor', said, exit)
    expect(settlement).toMatchObject({ status: 'completed', output: 'done', error: null })
    expect(settlement.observation.eventCount).toBe(2)
  })

  test('without a result the error says how far the stream came', () => {
    const said = `${transcript(INIT, assistant(text('a')))}oops\n`
    const exit = anExit({ exitError: 'exit status 9', stderr: 'api_key=abc123 in /home/someone/x' })
    expect(foldStreamJson('cursor', said, exit).error).toBe(
      'cursor-agent exited with error: exit status 9 (result_seen=false, exit_code=9, scanner_error=false, event_count=2, ' +
        'invalid_event_count=1, last_event_type=assistant); what the agent did before it ended may already have taken ' +
        'effect; cursor stderr: api_key=[REDACTED] in ~/x',
    )
  })

  const precedence = [
    {
      exit: { runError: 'deadline', readError: 'r', writeError: 'w' },
      error: 'cursor-agent timed out after 0s',
    },
    { exit: { runError: 'canceled', readError: 'r' }, error: 'execution cancelled' },
    { exit: { readError: 'r', writeError: 'w' }, error: 'cursor-agent stdout read error: r' },
    { exit: { writeError: 'w', exitError: 'e' }, error: 'not signed in' },
  ] as const
  for (const { exit, error } of precedence) {
    test(`${Object.keys(exit).join(' and ')} with a protocol error: ${error}`, () => {
      const said = transcript({ type: 'error', error: 'not signed in' })
      expect(foldStreamJson('cursor', said, anExit(exit)).error?.startsWith(error)).toBe(true)
    })
  }

  test('a write error counts even in a known session', () => {
    const settlement = foldStreamJson(
      'cursor',
      transcript(INIT),
      anExit({ writeError: 'broken pipe', exitError: 'e' }),
    )
    expect(settlement.error).toContain('cursor-agent prompt write failed: broken pipe')
  })

  test('an error result without details says so', () => {
    const said = transcript({ type: 'result', subtype: 'error' })
    expect(foldStreamJson('cursor', said, CLEAN_EXIT).error).toBe(
      'cursor-agent returned an error result without details',
    )
  })
})

test('half a surrogate pair becomes a replacement character', () => {
  const said = '{"type":"result","result":"a\\ud800b \\ud83d\\ude00"}\n'
  expect(foldStreamJson('qwen', said, CLEAN_EXIT).output).toBe('a\ufffdb 😀')
})
