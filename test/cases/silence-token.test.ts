import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { replayBatch } from '../../src/store/replay.js'
import { type Pipeline, startPipeline } from '../support/pipeline.js'
import { runsOf, theCase } from './public-case.js'
import { type Place, placeOf, play, seen } from './stage.js'

const TOKEN = 'NO_REPLY'
const NO_RESPONSE = 'The agent finished and had nothing to add.'
const SIL_05 = theCase('SIL-05')

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline({ settings: { LASTWORD_SILENCE_TOKENS: TOKEN } })
})
afterEach(() => pipeline.engine.slack.faults.clear())
afterAll(() => pipeline.close())

/** Every word that was ever handed to the platform for a place, refused calls included. */
function everSaid(place: Place): string {
  return JSON.stringify(
    pipeline.engine.slack.calls.filter(({ channel }) => channel === place.id).map(({ args }) => [...args]),
  )
}

/** As if a plan had been made before the operator named the token: a plan outlives settings. */
async function plannedEarlierAs(deliveryId: string, text: string): Promise<void> {
  await pipeline.engine.database.pool.query(
    `with delivery as (
       update deliveries
          set decision = jsonb_set(decision, '{text}', to_jsonb($2::text)),
              run = jsonb_set(run, '{outcome,output}', to_jsonb($2::text))
        where id = $1 returning id)
     update parts set part = jsonb_set(jsonb_set(part, '{markdown}', to_jsonb($2::text)), '{content,text}', to_jsonb($2::text))
      where delivery_id in (select id from delivery)`,
    [deliveryId, text],
  )
}

const PATHS = [
  { name: 'a final reply', change: {}, why: 'silent_channel' },
  { name: 'a scheduled run', change: { trigger: { kind: 'schedule' } }, why: 'silent_unattended' },
  { name: 'a run of the system', change: { trigger: { kind: 'system' } }, why: 'silent_unattended' },
  {
    name: 'a run that claims a notice',
    change: { trigger: { kind: 'completion_notice', noticeId: 'n' } },
    why: 'silent_channel',
  },
] as const

describe('SIL-05 the whole output is a silence token', () => {
  test.each(PATHS)('$name says nothing', async ({ change, why }) => {
    const place = placeOf(pipeline, 'slack', 'channel')
    const [run] = runsOf(SIL_05)
    const end = await play(pipeline, place, run ?? { status: 'failed' }, SIL_05, change)
    expect([end.state, end.reason]).toEqual(['dropped', why])
    expect(await pipeline.receipt(end.deliveryId)).toMatchObject({ silence: 'silence_token' })
    expect(everSaid(place)).not.toContain(TOKEN)
  })

  test('a direct conversation gets the notice instead', async () => {
    const place = placeOf(pipeline, 'slack', 'direct')
    await play(pipeline, place, { status: 'completed', output: ` ${TOKEN}\n` }, SIL_05)
    expect(seen(pipeline, place)).toEqual([NO_RESPONSE])
  })

  test('a later attempt takes the earlier notice back instead of writing the token over it', async () => {
    const place = placeOf(pipeline, 'slack', 'channel')
    const run = { runId: 'sil-05-edit', conversation: place.conversation, locale: 'en' }
    await pipeline.deliver({ ...run, outcome: { status: 'failed' } })
    expect(seen(pipeline, place)).toHaveLength(1)
    await pipeline.deliver({ ...run, attempt: 2, outcome: { status: 'completed', output: TOKEN } })
    expect(seen(pipeline, place)).toEqual([])
    expect(everSaid(place)).not.toContain(TOKEN)
  })

  test('a cut run that had only the token shows its header alone', async () => {
    const place = placeOf(pipeline, 'slack', 'channel')
    await play(pipeline, place, { status: 'timeout', output: TOKEN }, SIL_05)
    expect(seen(pipeline, place)).toEqual(['⚠️ The agent ran out of time before it finished.'])
  })

  test('a retry of a plan from before the token was configured says nothing', async () => {
    const place = placeOf(pipeline, 'slack', 'channel')
    pipeline.engine.slack.faults.next('chat.postMessage', { kind: 'error', code: 'service_unavailable' })
    const id = await pipeline.post({
      runId: 'sil-05-retry',
      conversation: place.conversation,
      outcome: { status: 'completed', output: 'words' },
    })
    await pipeline.engine.quiet()
    await plannedEarlierAs(id, TOKEN)
    await pipeline.engine.pass(60_000)
    expect(await pipeline.engine.story(id)).toMatchObject({ state: 'dropped', reason: 'silent_channel' })
    expect(everSaid(place)).not.toContain(TOKEN)
  })

  test.each(['channel', 'direct'] as const)(
    'a replay of a dead letter from before the token was configured says nothing in a %s conversation',
    async (surface) => {
      const place = placeOf(pipeline, 'slack', surface)
      pipeline.engine.slack.faults.next('chat.postMessage', { kind: 'error', code: 'invalid_arguments' })
      const run = { runId: `sil-05-replay-${surface}`, conversation: place.conversation, locale: 'en' }
      const dead = await pipeline.deliver({ ...run, outcome: { status: 'completed', output: 'words' } })
      expect(dead.state).toBe('dead')
      await plannedEarlierAs(dead.deliveryId, TOKEN)
      const { db } = pipeline.engine.database
      const options = { maxAgeMs: 60_000, resendUnknown: true }
      await replayBatch(db, { ids: [dead.deliveryId] }, options, { afterSeq: 0, limit: 10 })
      await pipeline.engine.pass(0)
      expect((await pipeline.engine.story(dead.deliveryId)).state).toBe(
        surface === 'direct' ? 'delivered' : 'dropped',
      )
      expect(seen(pipeline, place)).toEqual(surface === 'direct' ? [NO_RESPONSE] : [])
      expect(everSaid(place)).not.toContain(TOKEN)
    },
  )

  test('a look-up that finds nothing does not send it again', async () => {
    const place = placeOf(pipeline, 'slack', 'channel')
    pipeline.engine.slack.faults.next('chat.postMessage', { kind: 'reset', when: 'before' })
    const id = await pipeline.post({
      runId: 'sil-05-unknown',
      conversation: place.conversation,
      outcome: { status: 'completed', output: 'words' },
    })
    await pipeline.engine.quiet()
    await plannedEarlierAs(id, TOKEN)
    await pipeline.engine.pass(60_000)
    expect((await pipeline.engine.story(id)).state).toBe('dropped')
    expect(everSaid(place)).not.toContain(TOKEN)
  })
})

test('SIL-07 an answer that mentions the token is relayed, and a closing token line costs no content', async () => {
  const one = theCase('SIL-07')
  const place = placeOf(pipeline, 'slack', 'channel')
  for (const run of runsOf(one)) await play(pipeline, place, run, one)
  expect(seen(pipeline, place)).toEqual([
    'To stay quiet the agent must answer with `NO_REPLY` and nothing else.',
    'Deploy finished, 3 services restarted.',
  ])
})
