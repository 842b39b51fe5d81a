import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createGates, MAX_GATES } from '../../src/deliver/gates.js'
import { createPacer, MAX_BUCKETS } from '../../src/deliver/pacer.js'
import {
  aRun,
  type EngineUnderTest,
  inLark,
  inSlack,
  larkTexts,
  PRODUCER,
  SLACK_INSTALLATION,
  saying,
  slackTexts,
  startEngine,
} from '../support/engine.js'

let engine: EngineUnderTest
beforeAll(async () => {
  engine = await startEngine()
})
afterEach(() => {
  engine.slack.faults.clear()
  engine.lark.faults.clear()
})
afterAll(() => engine.close())

describe('OPS-04, OPS-05, OPS-06: what is kept in memory has a cap, and the oldest goes first', () => {
  test('pacer: 200 000 conversations', () => {
    let nowMs = 0
    const pacer = createPacer(() => nowMs)
    for (let n = 0; n < 200_000; n += 1) {
      nowMs += 1_000
      pacer.reserve('slack', `i${n % 7}`, `C${n}`, `lane${n}`)
    }
    expect(pacer.size()).toBeLessThanOrEqual(2 * MAX_BUCKETS)
  })

  test('pacer: a burst forgets the oldest, never the one in use', () => {
    const pacer = createPacer(() => 0)
    for (let n = 0; n < MAX_BUCKETS + 5_000; n += 1) {
      // The active channel is asked for all the time; it has used up its burst and must stay paced.
      pacer.reserve('slack', `i${n}`, 'active', `active${n}`)
      pacer.reserve('slack', 'one', `C${n}`, `lane${n}`)
    }
    const again = createPacer(() => 0)
    for (let n = 0; n < 5; n += 1) again.reserve('slack', 'i', 'active', `lane${n}`)
    expect(again.reserve('slack', 'i', 'active', 'next')).toBeGreaterThan(3_000)
    expect(pacer.size()).toBeLessThanOrEqual(2 * MAX_BUCKETS)
  })

  test('gates: a flood of refusals', async () => {
    const gates = createGates({ closeGate: async () => true, gates: async () => [] }, () => 0)
    const installationId = 'slack:T1'
    for (let n = 0; n < MAX_GATES + 5_000; n += 1)
      await gates.close({
        scope: `${installationId}|C${n}`,
        installationId,
        notBeforeMs: 60_000,
        code: '429',
      })
    expect(gates.size()).toBe(MAX_GATES)
    const installation = { id: installationId, platform: 'slack', tenant: 'T1' } as const
    expect(gates.waitMs({ installation, conversationId: `C${MAX_GATES + 4_999}` }, 'send')).toBe(60_000)
    expect(gates.waitMs({ installation, conversationId: 'C0' }, 'send')).toBe(0)
  })
})

test('OPS-09: twenty minutes of 5xx dead-letter nothing, and everything stands once afterwards', async () => {
  const places = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? engine.channel() : engine.group()))
  const isSlack = (place: string) => place.startsWith('C')
  engine.slack.faults.decide((call) =>
    call.method === 'chat.postMessage' || call.method === 'conversations.history'
      ? { kind: 'http', status: 503, when: 'before' }
      : null,
  )
  engine.lark.faults.always('im.message.create', { kind: 'http', status: 503 })
  const ids = await engine.accept(
    ...places.map((place) => aRun(isSlack(place) ? inSlack(place) : inLark(place))),
  )
  await engine.quiet()
  for (let minute = 0; minute < 20; minute += 1) await engine.pass(60_000)
  const states = await Promise.all(ids.map(async (id) => (await engine.story(id)).state))
  expect(new Set(states)).toEqual(new Set(['delivering']))
  engine.slack.faults.clear()
  engine.lark.faults.clear()
  // No stampede: the lanes come back over a minute.
  for (let n = 0; n < 4; n += 1) await engine.pass(61_000)
  expect(
    places.map((place) => (isSlack(place) ? slackTexts(engine, place) : larkTexts(engine, place)).length),
  ).toEqual(places.map(() => 1))
})

describe('OPS-10: a poisoned delivery', () => {
  for (const [name, run, code] of [
    ['that is not a run', '"{not json"', 'poison_unreadable'],
    [
      'without a target',
      '{"runId": "r", "outcome": {}, "conversation": {"platform": "slack"}}',
      'poison_unreadable',
    ],
    [
      'of a version nobody knows',
      '{"runId": "r", "outcome": {"status": "completed", "output": "x"}, "trigger": null, "mentions": null, "conversation": {"platform": "slack", "place": {"kind": "conversation", "id": "C0GENERAL1"}, "thread": null, "surface": "channel"}}',
      'poison_fault',
    ],
  ] as const)
    test(`${name} is given up at once, kept, and blocks nobody`, async () => {
      const channel = engine.channel()
      engine.slack.faults.next(
        { method: 'chat.postMessage', channel },
        { kind: 'error', code: 'service_unavailable' },
      )
      const [id = '', next = ''] = await engine.accept(
        aRun(inSlack(channel)),
        aRun(inSlack(channel), saying('next')),
      )
      await engine.quiet()
      await engine.database.pool.query(
        `update deliveries set run = $2::jsonb, state = 'accepted', decision = null where id = $1`,
        [id, run],
      )
      await engine.database.pool.query('delete from parts where delivery_id = $1', [id])
      await engine.pass(1_100)
      expect(await engine.story(id)).toMatchObject({ state: 'dead', reason: code })
      expect(await engine.settled(next)).toMatchObject({ state: 'delivered' })
      expect(slackTexts(engine, channel)).toEqual(['next'])
      const { rows } = await engine.database.pool.query('select run from deliveries where id = $1', [id])
      expect(rows[0]?.run).toEqual(JSON.parse(run))
      expect((await engine.receipts('delivery.dead')).filter((each) => each.deliveryId === id)).toHaveLength(
        1,
      )
    })
})

test('OPS-12: a NUL character is stored and shown as nothing', async () => {
  const channel = engine.channel()
  await engine.deliver(
    aRun(inSlack(channel), { outcome: { status: 'completed', output: 'a\u0000b', error: 'e\u0000' } }),
  )
  expect(slackTexts(engine, channel)).toEqual(['ab'])
})

describe('OPS-13: no part ends within a character', () => {
  const limit = 11_000
  for (const [name, tail] of [
    ['an emoji', '😀tail'],
    ['a family', '👨‍👩‍👧‍👦tail'],
    ['a flag', '🇩🇪tail'],
    ['combining marks', 'e\u0301\u0302tail'],
    ['half a pair', '\ud83dtail'],
  ] as const)
    test(name, async () => {
      const channel = engine.channel()
      for (let pad = 0; pad < 3; pad += 1)
        await engine.deliver(aRun(inSlack(channel), saying(`${'x'.repeat(limit - pad)}${tail.repeat(300)}`)))
      const texts = engine.slack.messages(channel).map(({ blocks }) => JSON.stringify(blocks))
      expect(texts.length).toBeGreaterThanOrEqual(3)
      for (const text of texts) {
        expect(text).not.toMatch(/\\ud[89a-f]/)
        expect(encodeURIComponent(text)).not.toBe('')
      }
    })
})

test('OPS-15: a backlog comes in order, and a fresh conversation does not wait for it', async () => {
  const crowd = await startEngine({ settings: { LASTWORD_CONCURRENCY: '8' } })
  const channels = Array.from({ length: 40 }, () => crowd.channel())
  // Written while nothing delivers: as after hours of downtime.
  await crowd.database.pool.query(`update installations set state = 'parked'`)
  await crowd.clock.pass(3_000)
  const backlog = channels.flatMap((channel) =>
    ['1', '2', '3'].map((text) => aRun(inSlack(channel), saying(text))),
  )
  for (const run of backlog) await crowd.app.accept(run, PRODUCER)
  await crowd.clock.pass(6 * 3_600_000)
  await crowd.database.pool.query(`update installations set state = 'active'`)
  await crowd.clock.pass(3_000)
  const fresh = crowd.group()
  const settled = await crowd.deliver(aRun(inLark(fresh)))
  expect(settled).toMatchObject({ state: 'delivered' })
  await crowd.quiet()
  expect(channels.map((channel) => slackTexts(crowd, channel))).toEqual(channels.map(() => ['1', '2', '3']))
  await crowd.close()
})

describe('lifecycle of the work on a delivery', () => {
  test('a start and an end, paired, and a listener that throws is left out', async () => {
    const channel = engine.channel()
    const seen: string[] = []
    const stop = [
      engine.app.lifecycle.subscribe(() => {
        throw new Error('a listener of somebody else')
      }, SLACK_INSTALLATION),
      engine.app.lifecycle.subscribe((event) => {
        seen.push(event.edge === 'end' ? `${event.id} ${event.stopReason}` : `${event.id} start`)
      }, SLACK_INSTALLATION),
    ]
    engine.slack.faults.next({ method: 'chat.postMessage', channel }, { kind: 'rate_limit', retryAfter: '5' })
    await engine.accept(aRun(inSlack(channel), { runId: 'cycle' }))
    await engine.quiet()
    await engine.pass(5_300)
    expect(seen).toEqual(['cycle start', 'cycle waiting', 'cycle start', 'cycle delivered'])
    for (const each of stop) each()
  })
})
