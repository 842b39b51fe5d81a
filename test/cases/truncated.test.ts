import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pipeline, startPipeline } from '../support/pipeline.js'
import { CASES, runsOf, theCase } from './public-case.js'
import { placeOf, play, seen } from './stage.js'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline()
})
afterAll(() => pipeline.close())

/** What people see of a case's runs, each in a conversation of its own. */
async function stage(id: string): Promise<readonly (readonly string[])[]> {
  const one = theCase(id)
  const views: (readonly string[])[] = []
  for (const run of runsOf(one)) {
    const place = placeOf(pipeline, one.input.platform, one.input.surface)
    await play(pipeline, place, run, one)
    views.push(seen(pipeline, place))
  }
  return views
}

test('every truncated case of the collection is played here', () => {
  const ids = [...CASES.values()].filter(({ area }) => area === 'truncated').map(({ id }) => id)
  expect(ids).toEqual(['01', '02', '03', '05', '06', '09', '10', '11', '12'].map((n) => `TRU-${n}`))
})

test('TRU-01 every way to end without an answer is told once, by its kind', async () => {
  expect(await stage('TRU-01')).toEqual([
    ['⚠️ The agent ran out of time before it finished.'],
    ['The agent was stopped before it finished.'],
    ['⚠️ Something went wrong before the agent finished.'],
  ])
})

test('TRU-02 what was found before the deadline stands under the header, verbatim', async () => {
  const [[view = ''] = []] = await stage('TRU-02')
  expect(view.split('\n')[0]).toBe('⚠️ The agent ran out of time before it finished.')
  expect(view).toContain('Finding 1: unchecked index.')
  expect(view).toContain('Finding 2: leaked handle.')
})

const CUT_MARKUP = [
  ['an open fence', 'Here it is:\n```python\ndef f(x):\n    return x +', 'def f(x):\n    return x +'],
  ['an open tilde fence', 'Here it is:\n~~~\nlast line', 'last line'],
  ['an open backtick', 'Call `do_it now', 'do_it now'],
  ['half a table row', '| a | b |\n| --- | --- |\n| 1 | 2', '1'],
  ['half a link', 'See [the docs](http', 'the docs'],
] as const

test.each(CUT_MARKUP)(
  'TRU-03 text cut inside %s is shown under a header of its own',
  async (_name, output, kept) => {
    const one = theCase('TRU-03')
    const place = placeOf(pipeline, 'slack', 'channel')
    await play(pipeline, place, { status: 'truncated', stopReason: 'max_tokens', output }, one)
    const views = seen(pipeline, place)
    expect(views).toHaveLength(1)
    expect(views[0]?.split('\n')[0]).toBe('✂️ The answer was cut off because it reached the length limit.')
    expect(views[0]).toContain(kept)
  },
)

test('TRU-05 a stack trace is classified and never shown', async () => {
  const [views = []] = await stage('TRU-05')
  expect(views).toHaveLength(1)
  expect(views[0]).toContain('当前对话太长')
  expect(views.join()).not.toContain('candle_core')
})

test('TRU-06 a busy provider is named with the time to wait', async () => {
  const [views = []] = await stage('TRU-06')
  expect(views).toEqual([
    '⚠️ The AI service is very busy right now. Please try again in a little while.\nYou can try again in 2 minutes.',
  ])
})

test('TRU-06 the time to wait is read from the error text when that is all there is', async () => {
  const one = theCase('TRU-06')
  const place = placeOf(pipeline, 'slack', 'direct')
  const error = {
    code: 'rate_limit_exceeded',
    message: 'Limit reached for org-SECRET. Please try again in 6m0s.',
  }
  await play(pipeline, place, { status: 'failed', output: '', error }, one)
  expect(seen(pipeline, place)[0]).toContain('You can try again in 6 minutes.')
  expect(seen(pipeline, place).join()).not.toContain('SECRET')
})

const CUT_REASONS = [
  ['max_tokens', '✂️ The answer was cut off because it reached the length limit.'],
  ['length', '✂️ The answer was cut off because it reached the length limit.'],
  [
    'model_context_window_exceeded',
    '✂️ This conversation has become too long to continue. Please start a new one.',
  ],
  ['content_filter', 'The agent declined this request.'],
  ['refusal', 'The agent declined this request.'],
] as const

test.each(CUT_REASONS)(
  'TRU-09 an answer that ended with %s does not read as finished',
  async (stopReason, header) => {
    const one = theCase('TRU-09')
    const [run] = runsOf(one)
    const place = placeOf(pipeline, 'slack', 'channel')
    await play(pipeline, place, { ...run, status: 'completed', stopReason }, one)
    const views = seen(pipeline, place)
    expect(views).toHaveLength(1)
    expect(views[0]?.split('\n')).toEqual([header, 'The three causes are: first, the cache; second, the'])
  },
)

test('TRU-10 the limit that cut the answer is the one that is named', async () => {
  const headers = (await stage('TRU-10')).map(([view = '']) => view.split('\n')[0])
  expect(headers).toEqual([
    '✂️ This conversation has become too long to continue. Please start a new one.',
    '✂️ The answer was cut off because it reached the length limit.',
  ])
})

test('TRU-11 a run cut before its first word is not silent', async () => {
  expect(await stage('TRU-11')).toEqual([['✂️ The answer was cut off because it reached the length limit.']])
})

test('TRU-12 the same failure is one notice with a count, marked so that other bots can ignore it', async () => {
  const one = theCase('TRU-12')
  const [run] = runsOf(one)
  const place = placeOf(pipeline, 'slack', 'channel')
  const ends = []
  for (let n = 0; n < 4; n += 1) ends.push(await play(pipeline, place, run ?? { status: 'failed' }, one))
  expect(ends.map((end) => end.reason)).toEqual([null, ...Array(3).fill('repeated_failure')])
  expect(seen(pipeline, place)).toEqual([
    '⚠️ Something went wrong before the agent finished.\nThis has happened 4 times.',
  ])
  const [message] = pipeline.engine.slack.messages(place.id).filter(({ botId }) => botId !== null)
  expect(message?.metadata).toMatchObject({ event_payload: { notice: true } })
})

test('TRU-12 after the window the failure is told again', async () => {
  const one = theCase('TRU-12')
  const [run] = runsOf(one)
  const place = placeOf(pipeline, 'slack', 'channel')
  await play(pipeline, place, run ?? { status: 'failed' }, one)
  await pipeline.engine.pass(3_600_001)
  await play(pipeline, place, run ?? { status: 'failed' }, one)
  expect(seen(pipeline, place)).toHaveLength(2)
})
