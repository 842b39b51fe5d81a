import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  aRun,
  type EngineUnderTest,
  failing,
  inLark,
  inParts,
  inSlack,
  larkTexts,
  partsIn,
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

test('ORD-01: four parts stand in order though the first call is the slowest', async () => {
  const channel = engine.channel()
  for (const delayMs of [90, 5, 40, 1])
    engine.slack.faults.next(
      { method: 'chat.postMessage', channel },
      { kind: 'slow', delayMs, commit: 'then' },
    )
  await engine.deliver(aRun(inSlack(channel), inParts(4)))
  expect(partsIn(slackTexts(engine, channel))).toEqual(['part1', 'part2', 'part3', 'part4'])
})

test('ORD-02: what a run came to stands last, and a late earlier attempt says nothing', async () => {
  const channel = engine.channel()
  const placeholder = await engine.deliver(
    aRun(inSlack(channel), { runId: 'ord-02', ...failing(), retryPending: true }),
  )
  expect(placeholder).toMatchObject({ state: 'dropped', reason: 'retry_pending' })
  await engine.deliver(aRun(inSlack(channel), { runId: 'ord-02', attempt: 3, ...saying('final') }))
  const late = await engine.deliver(aRun(inSlack(channel), { runId: 'ord-02', attempt: 2, ...failing() }))
  expect(late).toMatchObject({ state: 'dropped', reason: 'superseded' })
  expect(slackTexts(engine, channel)).toEqual(['final'])
})

test('ORD-04: a waiting head holds its own thread back, and no other', async () => {
  const channel = engine.channel()
  const [threadT, threadU] = [engine.slack.say(channel), engine.slack.say(channel)]
  const first = 'service_unavailable'
  engine.slack.faults.next(
    (call) => call.method === 'chat.postMessage' && call.args.get('thread_ts') === threadT,
    { kind: 'error', code: first },
  )
  const [j1 = '', j2 = '', j3 = ''] = await engine.accept(
    aRun(inSlack(channel, { thread: threadT }), saying('j1')),
    aRun(inSlack(channel, { thread: threadT }), saying('j2')),
    aRun(inSlack(channel, { thread: threadU }), saying('j3')),
  )
  await engine.settled(j3)
  await engine.quiet()
  expect(await engine.story(j1)).toMatchObject({ state: 'delivering', reason: first })
  expect(await engine.story(j2)).toMatchObject({ state: 'accepted' })
  await engine.pass(1_100)
  await engine.settled(j2)
  expect(engine.slack.messages(channel, threadT).map(({ text }) => text)).toEqual(['j1', 'j2'])
})

test('ORD-04: a head that fails for good lets the next one through', async () => {
  const channel = engine.channel()
  engine.slack.faults.next(
    { method: 'chat.postMessage', channel },
    { kind: 'error', code: 'invalid_arguments' },
  )
  const [j1 = '', j2 = ''] = await engine.accept(aRun(inSlack(channel)), aRun(inSlack(channel), saying('j2')))
  expect(await engine.settled(j1)).toMatchObject({ state: 'dead' })
  expect(await engine.settled(j2)).toMatchObject({ state: 'delivered' })
  expect(slackTexts(engine, channel)).toEqual(['j2'])
})

test('ORD-04: a head past its deadline expires with a receipt, and the next goes on', async () => {
  const channel = engine.channel()
  engine.slack.faults.decide((call) =>
    call.channel === channel ? { kind: 'error', code: 'service_unavailable' } : null,
  )
  const [j1 = ''] = await engine.accept(aRun(inSlack(channel)))
  await engine.quiet()
  await engine.pass(86_400_000)
  expect(await engine.story(j1)).toMatchObject({ state: 'expired' })
  expect(await engine.receipts('delivery.expired')).toMatchObject([{ deliveryId: j1, reason: 'expired' }])
  engine.slack.faults.clear()
  await engine.deliver(aRun(inSlack(channel), saying('next')))
  expect(slackTexts(engine, channel)).toEqual(['next'])
})

test('ORD-04: what stands half in the chat is finished past its deadline, but not for ever', async () => {
  const channel = engine.channel()
  let posts = 0
  engine.slack.faults.decide((call) => {
    if (call.channel !== channel || call.method !== 'chat.postMessage') return null
    posts += 1
    return posts > 1 ? { kind: 'error', code: 'service_unavailable' } : null
  })
  const [half = ''] = await engine.accept(aRun(inSlack(channel), inParts(2)))
  await engine.quiet()
  await engine.pass(90_000_000)
  expect(await engine.story(half)).toMatchObject({ state: 'delivering' })
  await engine.pass(86_400_000)
  expect(await engine.story(half)).toMatchObject({ state: 'dead', reason: 'unfinished' })
})

test('ORD-05: a long first part is not overtaken by a short second one', async () => {
  const group = engine.group()
  await engine.accept(
    aRun(inLark(group), saying('a '.repeat(3_000))),
    aRun(inLark(group), saying('second')),
    aRun(inLark(group), saying('b '.repeat(500))),
  )
  await engine.quiet()
  expect(larkTexts(engine, group).map((text) => /"content":"(a|second|b)/.exec(text)?.[1])).toEqual([
    'a',
    'second',
    'b',
  ])
})
