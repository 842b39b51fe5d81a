import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { createProgram } from '../../src/commands/program.js'
import { TRANSCRIPT_FORMATS } from '../../src/contract/index.js'

const folder = mkdtempSync(join(tmpdir(), 'lastword-settle-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

let count = 0
function fileOf(text: string): string {
  count += 1
  const path = join(folder, `${count}.jsonl`)
  writeFileSync(path, text)
  return path
}

const lines = (...events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')

/** What `lastword settle` prints, parsed. */
async function settle(text: string, ...flags: readonly string[]): Promise<Record<string, unknown>> {
  let printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed += String(chunk)
    return true
  })
  await createProgram({ LASTWORD_LOG_LEVEL: 'silent' }).parseAsync([
    'node',
    'lastword',
    'settle',
    fileOf(text),
    ...flags,
  ])
  return JSON.parse(printed)
}

const FIELDS = [
  'status',
  'output',
  'partialOutput',
  'error',
  'stopReason',
  'sessionId',
  'resumeRejected',
  'observation',
]
const COUNTS = [
  'eventCount',
  'invalidEventCount',
  'assistantEventCount',
  'toolUseCount',
  'unreadableAssistantCount',
  'unhandledEventTypeCount',
  'unhandledEventTypes',
  'unhandledSubtypeCount',
  'resultBytes',
  'lastAssistantBytes',
  'lastEventType',
  'exitCode',
]

const stream = lines(
  { type: 'system', subtype: 'init', session_id: 's-1' },
  { type: 'assistant', message: { content: [{ type: 'text', text: 'Done.' }] } },
  { type: 'result', subtype: 'success', is_error: false, session_id: 's-1', result: 'Done.' },
)
const block = [{ type: 'text', text: 'Done.' }]

/** One transcript that ends well in every format. */
const GOOD: Readonly<Record<(typeof TRANSCRIPT_FORMATS)[number], string>> = {
  claude: stream,
  codebuddy: stream,
  qwen: stream,
  cursor: stream,
  events: lines({ kind: 'assistant_message', content: block }),
  harness: lines(
    { type: 'assistant/message', data: { message: { content: block } } },
    { type: 'turn/end', data: { turn: 1, reason: 'completed' } },
  ),
  acp: lines(
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } },
    { jsonrpc: '2.0', id: 1, result: { stopReason: 'end_turn' } },
  ),
  codex: lines(
    { type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } },
    { type: 'turn.completed' },
  ),
  openai: lines({ role: 'assistant', content: 'Done.', finish_reason: 'stop' }),
  anthropic: lines({ role: 'assistant', content: block, stop_reason: 'end_turn' }),
}

describe('lastword settle', () => {
  test.each(TRANSCRIPT_FORMATS)('%s: prints one object with every field, empty as null', async (format) => {
    const printed = await settle(GOOD[format], '--format', format)
    expect(Object.keys(printed)).toEqual(FIELDS)
    expect(Object.keys(Object(printed.observation))).toEqual(expect.arrayContaining(COUNTS))
    expect(printed).toMatchObject({
      status: 'completed',
      partialOutput: null,
      error: null,
      resumeRejected: false,
    })
    expect(printed.output).toEqual(format === 'events' ? block : 'Done.')
  })

  test.each(TRANSCRIPT_FORMATS)('%s: nothing at all is null, never empty text', async (format) => {
    const printed = await settle('', '--format', format)
    expect(printed).toMatchObject({ output: null, partialOutput: null, stopReason: null, sessionId: null })
  })

  const cut = lines({ type: 'assistant', message: { content: block } })
  const flagged: readonly [flags: readonly string[], text: string, expected: Record<string, unknown>][] = [
    [['--deadline-ms', '1500'], cut, { status: 'timeout', output: null, partialOutput: block }],
    [['--cancelled'], cut, { status: 'aborted', partialOutput: block }],
    [['--cancelled', '--deadline-ms', '1500'], cut, { status: 'aborted' }],
    [['--read-error', 'pipe broke'], cut, { status: 'failed', error: expect.stringContaining('pipe broke') }],
    [['--write-error', 'EPIPE'], '', { status: 'failed', error: expect.stringContaining('EPIPE') }],
    [
      ['--exit-error', 'exit status 3'],
      cut,
      { status: 'failed', error: expect.stringContaining('exit status 3') },
    ],
    [['--exit-error', 'x', '--stderr', 'boom'], cut, { error: expect.stringContaining('boom') }],
    [['--exit-code', '7'], stream, { observation: expect.objectContaining({ exitCode: 7 }) }],
    [['--resume', 's-0'], stream, { status: 'completed' }],
    [['--json'], stream, { status: 'completed', sessionId: 's-1' }],
  ]
  test.each(flagged)('%j', async (flags, text, expected) => {
    expect(await settle(text, '--format', 'claude', ...flags)).toMatchObject(expected)
  })

  test('a stop reason of a tool call that old tools leave over is no failure', async () => {
    const text = lines(
      { type: 'assistant', message: { content: block, stop_reason: 'tool_use' } },
      { type: 'result', subtype: 'success', is_error: false, result: 'Done.', stop_reason: 'tool_use' },
    )
    expect(await settle(text, '--format', 'claude')).toMatchObject({ status: 'completed', output: 'Done.' })
  })

  const misused = [
    ['no format', []],
    ['an unknown format', ['--format', 'gpt']],
    ['a deadline that is no number', ['--format', 'claude', '--deadline-ms', 'soon']],
    ['a file that is not there', ['--format', 'claude', join(folder, 'nothing')]],
  ] as const
  test.each(misused)('%s is refused', async (_name, flags) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const program = createProgram({})
    await expect(program.parseAsync(['node', 'lastword', 'settle', ...flags])).rejects.toThrow()
  })

  test('as a process: a transcript comes in on standard input, and counts alone go to standard error', async () => {
    const secret = 'https://host/canary?key=canary'
    const text = lines(
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: 't', name: 'canary', input: { secret } }] },
      },
      { type: 'result', subtype: 'success', is_error: false, result: 'canary' },
    )
    const path = fileOf(text)
    const main = join(import.meta.dirname, '../../src/main.ts')
    const args = ['--import', 'tsx', main, 'settle', '--format', 'claude', '--stderr', 'TOKEN=canary', path]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, LASTWORD_LOG_LEVEL: 'debug', CANARY: 'canary' },
    })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', output: 'canary' })
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(stderr)).toMatchObject({ level: 20, format: 'claude', eventCount: 2, toolUseCount: 1 })
    expect(stderr).not.toContain('canary')
  })
})
