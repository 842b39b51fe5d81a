import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldStreamJson } from '../../../src/contract/stream-json/index.js'
import { provider, strict } from './arbitraries.js'
import { anExit, assistant, CLEAN_EXIT, success, TOOL_USE, text, transcript } from './support.js'

/** A word that stands for everything that must not be reported: short, and a valid identifier by itself. */
const CANARY = 'canary'

const TYPES = [
  'assistant',
  'user',
  'system',
  'result',
  'error',
  'text',
  'tool_call',
  'stream_event',
  'log',
  'novel',
]

const leaf = fc.constantFrom<unknown>(
  CANARY,
  `https://host/${CANARY}?key=${CANARY}`,
  `TOKEN=${CANARY}`,
  null,
  true,
  3,
)
const secretValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('text', 'content', 'input', 'url', 'env', 'message', CANARY), tie('value')),
  ),
})).value

const FIELDS = [
  'subtype',
  'session_id',
  'model',
  'result',
  'error',
  'detail',
  'output',
  'message',
  'part',
  'event',
]

/** Events with canaries in every field but the type, which is an identifier or visibly none. */
const secretEvent = fc
  .tuple(
    fc.constantFrom(
      ...TYPES,
      `https://host/${CANARY}`,
      `KEY=${CANARY}`,
      `${CANARY} ${CANARY}`,
      CANARY.repeat(11),
    ),
    fc.dictionary(fc.constantFrom(...FIELDS, CANARY, 'terminal_reason', 'stop_reason'), secretValue),
    fc.constantFrom({}, { is_error: true }, { is_error: false }),
    fc.array(
      fc.constantFrom(text(CANARY), { ...TOOL_USE, input: { url: CANARY } }, { type: CANARY, id: CANARY }),
    ),
  )
  .map(([type, fields, flags, content]) =>
    JSON.stringify(
      type === 'assistant' ? { ...assistant(...content), ...flags } : { ...fields, ...flags, type },
    ),
  )

describe('observation', () => {
  test('nothing a transcript or a process says can reach it', () => {
    fc.assert(
      fc.property(
        provider,
        strict,
        fc.array(fc.oneof({ weight: 6, arbitrary: secretEvent }, fc.constant(`${CANARY} not json`)), {
          maxLength: 12,
        }),
        (name, isStrict, lines) => {
          const exit = anExit({
            exitError: `${CANARY} died`,
            stderr: `TOKEN=${CANARY}`,
            writeError: CANARY,
            resume: CANARY,
          })
          const { observation } = foldStreamJson(name, lines.join('\n'), exit, { strict: isStrict })
          expect(JSON.stringify(observation)).not.toContain(CANARY)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('counts and sizes are of the events and of UTF-8', () => {
    const lines = transcript(
      assistant(text('完成')),
      assistant(TOOL_USE),
      { type: 'novel' },
      assistant(text('naïve')),
    )
    const { observation } = foldStreamJson('claude', `${lines}oops\n${transcript(success('完'))}`, CLEAN_EXIT)
    expect(observation).toEqual({
      eventCount: 5,
      invalidEventCount: 1,
      assistantEventCount: 3,
      toolUseCount: 1,
      unreadableAssistantCount: 0,
      unhandledEventTypeCount: 1,
      unhandledEventTypes: ['novel=1'],
      unhandledSubtypeCount: 0,
      resultBytes: 3,
      lastAssistantBytes: 6,
      lastEventType: 'result',
      exitCode: null,
    })
  })

  test('type names are told apart up to sixteen, and only if they are identifiers', () => {
    const types = Array.from({ length: 20 }, (_, index) => `novel-${String(index).padStart(2, '0')}`)
    const events = [...types, 'novel-00', 'has space', 'a/b', 'x'.repeat(65)].map((type) => ({ type }))
    const { observation } = foldStreamJson('cursor', transcript(...events), CLEAN_EXIT)
    expect(observation.unhandledEventTypeCount).toBe(24)
    expect(observation.unhandledEventTypes).toEqual([
      '(overflow)=7',
      'novel-00=2',
      ...types.slice(1, 16).map((name) => `${name}=1`),
    ])
    expect(observation.lastEventType).toBe('invalid')
  })

  const exits = [
    { name: 'given', facts: { exitCode: 7 }, exitCode: 7 },
    { name: 'read from the exit error', facts: { exitError: 'exit status 3' }, exitCode: 3 },
    { name: 'unknown after a signal', facts: { exitError: 'signal: killed' }, exitCode: null },
    { name: 'unknown when nobody says', facts: {}, exitCode: null },
  ] as const
  for (const { name, facts, exitCode } of exits) {
    test(`the exit code is ${name}`, () => {
      expect(foldStreamJson('qwen', '', anExit(facts)).observation.exitCode).toBe(exitCode)
    })
  }

  test('an event without a type is told from no event at all', () => {
    expect(foldStreamJson('claude', 'null\n', CLEAN_EXIT).observation.lastEventType).toBe('unknown')
    expect(foldStreamJson('claude', '', CLEAN_EXIT).observation.lastEventType).toBeNull()
  })
})
