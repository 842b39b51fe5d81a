import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createPacer, RATES } from '../../src/deliver/pacer.js'
import {
  aRun,
  type EngineUnderTest,
  inLark,
  inSlack,
  LARK_INSTALLATION,
  larkTexts,
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

const callsTo = (channel: string) =>
  engine.slack.calls.filter((call) => call.method === 'chat.postMessage' && call.channel === channel)

describe('RAT-03: the wait is the one the platform names', () => {
  test('30 s, then 12 s, then it is sent once', async () => {
    const channel = engine.channel()
    const post = { method: 'chat.postMessage', channel }
    engine.slack.faults.next(post, { kind: 'rate_limit', retryAfter: '30' })
    engine.slack.faults.next(post, { kind: 'rate_limit', retryAfter: '12' })
    const [id = ''] = await engine.accept(aRun(inSlack(channel), saying('hi')))
    await engine.quiet()
    await engine.pass(29_000)
    expect(callsTo(channel)).toHaveLength(1)
    await engine.pass(1_300)
    expect(callsTo(channel)).toHaveLength(2)
    await engine.pass(11_000)
    expect(callsTo(channel)).toHaveLength(2)
    await engine.pass(1_300)
    expect(await engine.story(id)).toMatchObject({ state: 'delivered' })
    expect(slackTexts(engine, channel)).toEqual(['hi'])
    // Waiting for a rate limit costs no attempt that counts towards giving up: the journal has all three.
    expect((await engine.story(id)).attempts.map(({ outcome, waitMs }) => [outcome, waitMs])).toEqual([
      ['rate_limited', 30_000],
      ['rate_limited', 12_000],
      ['sent', null],
    ])
  })

  /** Header, and the shortest and longest time until the next call. */
  const odd = [
    { header: null, atLeastMs: 1_900, atMostMs: 2_300 },
    { header: '0', atLeastMs: 900, atMostMs: 1_300 },
    { header: 'soon', atLeastMs: 1_900, atMostMs: 2_300 },
  ] as const
  for (const { header, atLeastMs, atMostMs } of odd)
    test(`Retry-After ${header ?? 'missing'}`, async () => {
      const channel = engine.channel()
      engine.slack.faults.next(
        { method: 'chat.postMessage', channel },
        { kind: 'rate_limit', retryAfter: header },
      )
      await engine.accept(aRun(inSlack(channel)))
      await engine.quiet()
      await engine.pass(atLeastMs - 500)
      expect(callsTo(channel)).toHaveLength(1)
      await engine.pass(atMostMs - atLeastMs + 500)
      expect(callsTo(channel)).toHaveLength(2)
    })

  test('Retry-After as an HTTP date', async () => {
    const channel = engine.channel()
    const inTwentySeconds = new Date(engine.clock.now() + 20_000).toUTCString()
    engine.slack.faults.next(
      { method: 'chat.postMessage', channel },
      { kind: 'rate_limit', retryAfter: inTwentySeconds },
    )
    await engine.accept(aRun(inSlack(channel)))
    await engine.quiet()
    await engine.pass(17_000)
    expect(callsTo(channel)).toHaveLength(1)
    await engine.pass(4_000)
    expect(slackTexts(engine, channel)).toHaveLength(1)
  })
})

test('RAT-04: 200 runs for a hot channel do not delay another channel', async () => {
  const hot = engine.channel()
  const other = engine.channel()
  engine.slack.faults.decide((call) =>
    call.channel === hot && call.method === 'chat.postMessage'
      ? { kind: 'rate_limit', retryAfter: '30' }
      : null,
  )
  const run = (n: number) => aRun(inSlack(hot, { thread: `17329600${String(n).padStart(2, '0')}.000100` }))
  await engine.accept(...Array.from({ length: 200 }, (_, n) => run(n % 50)))
  const settled = await engine.deliver(aRun(inSlack(other)))
  expect(settled).toMatchObject({ state: 'delivered' })
  expect(settled.settledAtMs - settled.acceptedAtMs).toBeLessThan(2_000)
  // One gate for the channel: a few calls in flight met it, the rest never went out.
  expect(callsTo(hot).length).toBeLessThan(64)
  await engine.quiet()
  expect(callsTo(hot).length).toBeLessThan(64)
})

test('RAT-05: twelve messages to one channel keep to one a second', () => {
  let nowMs = 0
  const pacer = createPacer(() => nowMs)
  const sentAtMs: number[] = []
  while (sentAtMs.length < 12) {
    const waitMs = pacer.reserve('slack', 'i', 'C1', 'lane')
    if (waitMs === 0) sentAtMs.push(nowMs)
    nowMs += waitMs
  }
  expect(sentAtMs.at(-1)).toBeGreaterThanOrEqual(10_500)
  expect(sentAtMs.at(-1)).toBeLessThan(13_000)
  for (let n = RATES.slack.conversation.burst; n < 12; n += 1)
    expect((sentAtMs[n] ?? 0) - (sentAtMs[n - 1] ?? 0)).toBeGreaterThanOrEqual(1_000)
})

test('RAT-06: after a workspace-wide pause one probe goes first, then a ramp', async () => {
  const paused = await startEngine()
  const channels = Array.from({ length: 50 }, () => paused.channel())
  // The whole workspace is paused; afterwards each call takes 30 ms, and a sixth at the same time is refused.
  const callMs = 30
  let isPaused = true
  let refused = 0
  let startedAtMs: number[] = []
  paused.slack.faults.decide((call) => {
    if (call.method !== 'conversations.info' && call.method !== 'chat.postMessage') return null
    if (isPaused) return { kind: 'rate_limit', retryAfter: '10' }
    const nowMs = performance.now()
    startedAtMs = [...startedAtMs.filter((atMs) => atMs > nowMs - callMs), nowMs]
    if (startedAtMs.length <= 5) return { kind: 'slow', delayMs: callMs, commit: 'now' }
    refused += 1
    return { kind: 'rate_limit', retryAfter: '1' }
  })
  // The surface is not named, so that the first call is one that the whole workspace shares.
  await paused.accept(...channels.map((channel) => aRun(inSlack(channel, { kind: undefined }))))
  await paused.quiet()
  const whilePaused = paused.slack.calls.length
  await paused.pass(8_000)
  expect(paused.slack.calls.length).toBe(whilePaused)
  isPaused = false
  for (let n = 0; n < 12; n += 1) await paused.pass(1_000)
  expect(channels.map((channel) => slackTexts(paused, channel).length)).toEqual(channels.map(() => 1))
  expect(refused).toBeLessThan(5)
  await paused.close()
})

test('RAT-07: a used-up quota parks, tells the operator once, and sends once when it is back', async () => {
  const group = engine.group()
  const chats = [group, engine.group(), engine.group()]
  engine.lark.tenant('2ed263bf32cf1651').monthlyCalls = 0
  const ids = await engine.accept(...chats.map((chat) => aRun(inLark(chat))))
  await engine.quiet()
  const [first = ''] = ids
  expect(await engine.story(first)).toMatchObject({ state: 'parked', reason: '99991403' })
  expect(await engine.receipts('installation.quota_exhausted')).toEqual([
    { installationId: LARK_INSTALLATION, code: '99991403', remedy: 'quota' },
  ])
  const calls = engine.lark.count()
  await engine.pass(1_800_000)
  expect(engine.lark.count()).toBe(calls)
  engine.lark.tenant('2ed263bf32cf1651').monthlyCalls = null
  await engine.pass(1_800_000)
  await engine.pass(5_000)
  expect(chats.map((chat) => larkTexts(engine, chat).length)).toEqual([1, 1, 1])
  // An idle day makes no call at all, and so no token either.
  engine.lark.clearLog()
  await engine.pass(86_400_000)
  expect(engine.lark.calls).toEqual([])
})

test('RAT-08: the final edit of a card is tried until it is taken', async () => {
  const group = engine.group()
  const first = await engine.deliver(
    aRun(inLark(group), { runId: 'rat-08', outcome: { status: 'failed', errorCode: 'rate_limited' } }),
  )
  expect(first).toMatchObject({ state: 'delivered' })
  engine.lark.faults.next('im.message.patch', { kind: 'code', code: 230020 }, 3)
  const [id = ''] = await engine.accept(
    aRun(inLark(group), { runId: 'rat-08', attempt: 2, ...saying('full text') }),
  )
  for (let n = 0; n < 4; n += 1) await engine.pass(2_300)
  expect(await engine.story(id)).toMatchObject({ state: 'delivered' })
  expect(larkTexts(engine, group)).toHaveLength(1)
  expect(larkTexts(engine, group)[0]).toContain('full text')
})

test('RAT-10: 502, then 503, then the card stands once', async () => {
  const group = engine.group()
  const create = (call: { name: string; body: object }) =>
    call.name === 'im.message.create' && JSON.stringify(call.body).includes(group)
  engine.lark.faults.next(create, { kind: 'http', status: 502 })
  engine.lark.faults.next(create, { kind: 'commit_then_http', status: 503 })
  const [id = ''] = await engine.accept(aRun(inLark(group)))
  for (let n = 0; n < 4; n += 1) await engine.pass(4_000)
  expect(await engine.story(id)).toMatchObject({ state: 'delivered' })
  expect(larkTexts(engine, group)).toHaveLength(1)
})

test('a gate that one worker closes holds the other back', async () => {
  const channel = engine.channel()
  const second = await engine.another({ roles: new Set(['intake']) })
  engine.slack.faults.next({ method: 'chat.postMessage', channel }, { kind: 'rate_limit', retryAfter: '60' })
  await engine.accept(aRun(inSlack(channel)))
  await engine.quiet()
  await second.engine.gates.refresh()
  const place = {
    installation: { id: 'slack:T0TEAM0001', platform: 'slack', tenant: 'T0TEAM0001' } as const,
    conversationId: channel,
  }
  expect(second.engine.gates.waitMs(place, 'send')).toBeGreaterThan(50_000)
  expect(second.engine.gates.waitMs({ ...place, conversationId: 'C0OTHER' }, 'send')).toBe(0)
})
