import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Pipeline, startPipeline } from '../support/pipeline.js'
import { CASES, runsOf, theCase } from './public-case.js'
import { type Place, placeOf, play, seen } from './stage.js'

const NO_RESPONSE = 'The agent finished and had nothing to add.'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline()
})
afterEach(() => pipeline.engine.slack.faults.clear())
afterAll(() => pipeline.close())

/** Plays the case's runs in a fresh conversation and returns what people see of each platform's. */
async function stage(id: string, surface?: 'direct' | 'channel' | 'thread'): Promise<Place> {
  const one = theCase(id)
  const place = placeOf(pipeline, one.input.platform, surface ?? one.input.surface)
  for (const run of runsOf(one)) await play(pipeline, place, run, one)
  return place
}

test('every silent case of the collection is played here or with the silence token', () => {
  const ids = [...CASES.values()].filter(({ area }) => area === 'silent').map(({ id }) => id)
  expect(ids).toEqual(
    ['04', '05', '07', '08', '09', '10', '11', '12', '13', '14', '15', '17'].map((n) => `SIL-${n}`),
  )
})

test.each(['0', '.', '-', '👍', 'false', 'null'])(
  'SIL-04 the answer %s is relayed as it is',
  async (output) => {
    const one = theCase('SIL-04')
    const place = placeOf(pipeline, 'slack', 'channel')
    const end = await play(pipeline, place, { status: 'completed', output }, one)
    expect(end.state).toBe('delivered')
    expect(seen(pipeline, place)).toEqual([output])
  },
)

test('SIL-08 narration in front of a tool call is not said, from an outcome or from a transcript', async () => {
  const one = theCase('SIL-08')
  const place = await stage('SIL-08')
  await pipeline.deliver({
    runId: 'sil-08-transcript',
    conversation: place.conversation,
    transcript: {
      format: 'anthropic',
      events: [
        {
          role: 'assistant',
          stop_reason: 'tool_use',
          content: [
            { type: 'text', text: 'Let me look up the numbers.' },
            { type: 'tool_use', id: 't1', name: 'query', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '1204' }] },
        {
          role: 'assistant',
          stop_reason: 'end_turn',
          content: [{ type: 'text', text: 'Daily actives: 1,204.' }],
        },
      ],
    },
  })
  expect(one.input.surface).toBe('thread')
  expect(seen(pipeline, place)).toEqual(['Daily actives: 1,204.', 'Daily actives: 1,204.'])
})

test('SIL-09 the final answer is posted, and only then is the run done with', async () => {
  const one = theCase('SIL-09')
  const place = placeOf(pipeline, 'slack', 'thread')
  const [run] = runsOf(one)
  const end = await play(pipeline, place, run ?? { status: 'failed' }, one)
  expect(end.state).toBe('delivered')
  expect(seen(pipeline, place)).toEqual(['Review: two blocking findings …'])
  const story = await pipeline.engine.story(end.deliveryId)
  expect(story.parts.map((part) => [part.state, part.messageId !== null])).toEqual([['sent', true]])
})

test('SIL-10 a last step that is only a tool call says nothing in a thread', async () => {
  const one = theCase('SIL-10')
  const place = placeOf(pipeline, 'slack', 'thread')
  const [run] = runsOf(one)
  const end = await play(pipeline, place, run ?? { status: 'failed' }, one)
  expect([end.state, end.reason]).toEqual(['dropped', 'silent_channel'])
  expect(seen(pipeline, place)).toEqual([])
  expect(await pipeline.receipt(end.deliveryId)).toMatchObject({ decision: 'drop', silence: 'no_output' })
})

test('SIL-10 a last step that is only a tool call gets one notice in a direct conversation', async () => {
  expect(seen(pipeline, await stage('SIL-10', 'direct'))).toEqual([NO_RESPONSE])
})

test('SIL-11 an answer is never replaced by the notice', async () => {
  expect(seen(pipeline, await stage('SIL-11'))).toEqual(['查询结果:共 42 条。'])
})

test('SIL-12 a failed tool is not a failed run', async () => {
  expect(seen(pipeline, await stage('SIL-12'))).toEqual([
    'The connection was refused; try again after VPN login.',
  ])
})

test('SIL-13 inline reasoning is not said, and reasoning alone is silence', async () => {
  expect(seen(pipeline, await stage('SIL-13'))).toEqual(['The answer is 7.', 'The answer is 7.'])
})

test('SIL-13 reasoning alone gets the notice in a direct conversation', async () => {
  expect(seen(pipeline, await stage('SIL-13', 'direct'))).toEqual([
    'The answer is 7.',
    'The answer is 7.',
    `ℹ️ ${NO_RESPONSE}`,
  ])
})

test('SIL-13 tags in code are kept', async () => {
  const place = placeOf(pipeline, 'slack', 'channel')
  const output = 'Write `<think>` first:\n\n```\n<think>a</think>\n```'
  await play(pipeline, place, { status: 'completed', output }, theCase('SIL-13'))
  expect(seen(pipeline, place)[0]).toContain('<think>a</think>')
})

test('SIL-14 a schedule with nothing to report says nothing, on every tick', async () => {
  const one = theCase('SIL-14')
  const place = placeOf(pipeline, 'lark', 'direct')
  const [run] = runsOf(one)
  const ends = [1, 2, 3].map(() => play(pipeline, place, run ?? { status: 'failed' }, one))
  expect((await Promise.all(ends)).map((end) => end.reason)).toEqual(Array(3).fill('silent_unattended'))
  expect(seen(pipeline, place)).toEqual([])
})

const LEFT_BEHIND = [
  { name: 'a silent turn', change: {}, fault: null, state: 'dropped' },
  { name: 'a failure', change: { outcome: { status: 'failed' } }, fault: null, state: 'delivered' },
  {
    name: 'an abort',
    change: { outcome: { status: 'aborted', abortedBy: 'requester' } },
    fault: null,
    state: 'dropped',
  },
  {
    name: 'a dead letter',
    change: { outcome: { status: 'completed', output: 'words' } },
    fault: 'invalid_arguments',
    state: 'dead',
  },
] as const

test.each(LEFT_BEHIND)('SIL-15 $name leaves no indicator behind', async ({ change, fault, state }) => {
  const { slack } = pipeline.engine
  const one = theCase('SIL-15')
  const place = placeOf(pipeline, 'slack', 'thread')
  const question = place.question ?? ''
  slack.react(place.id, question, 'eyes')
  slack.setStatus(place.id, question, 'is thinking…')
  if (fault !== null) slack.faults.next('chat.postMessage', { kind: 'error', code: fault })
  const end = await play(pipeline, place, { status: 'completed', output: '' }, one, {
    acknowledgement: { reaction: { message: question, name: 'eyes' }, status: true },
    ...change,
  })
  expect(end.state).toBe(state)
  expect(slack.messages(place.id, null)[0]?.reactions).toEqual([])
  expect(slack.status(place.id, question) ?? '').toBe('')
})

test.each(['direct', 'channel'] as const)(
  'SIL-17 a silent run takes its placeholder along in a %s conversation, and the next answer stands by itself',
  async (surface) => {
    const one = theCase('SIL-17')
    const [silent, answer] = runsOf(one)
    const place = placeOf(pipeline, 'slack', surface)
    await play(pipeline, place, { status: 'completed', output: 'running' }, one)
    const placeholder = pipeline.engine.slack.messages(place.id).at(-1)?.ts
    await play(pipeline, place, silent ?? { status: 'failed' }, one, {
      acknowledgement: { message: placeholder },
    })
    expect(seen(pipeline, place)).toEqual(surface === 'direct' ? [NO_RESPONSE] : [])
    await play(pipeline, place, answer ?? { status: 'failed' }, one)
    expect(seen(pipeline, place)).toEqual(
      surface === 'direct' ? [NO_RESPONSE, 'real answer'] : ['real answer'],
    )
  },
)
