import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FindWindow } from '../../../src/deliver/platform.js'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import { aFile, aMarker, aMessage, aTarget, slackOn } from '../../support/slack/platform.js'

let nowMs = Date.UTC(2026, 10, 30, 10, 0, 0)
let fake: SlackFake
let slack: ReturnType<typeof slackOn>
beforeAll(async () => {
  fake = await startSlackFake({ now: () => nowMs })
  slack = slackOn(fake, {}, { nowMs: () => nowMs })
})
afterEach(() => {
  fake.faults.clear()
  // Each test has the window for itself.
  nowMs += 3_600_000
})
afterAll(async () => {
  await slack.close()
  await fake.close()
})

const window = (): FindWindow => ({ firstAttemptAtMs: nowMs, lastAttemptAtMs: nowMs, nowMs: nowMs + 5_000 })

describe('a part whose answer was lost', () => {
  for (const place of ['thread', 'channel'] as const) {
    test(`is found in its ${place}, in one call`, async () => {
      const target = aTarget({ anchor: place === 'thread' ? fake.say(SLACK.channel) : null })
      fake.faults.next('chat.postMessage', { kind: 'reset', when: 'after' })
      expect((await slack.send(target, aMessage(), aMarker())).kind).toBe('unknown')
      fake.clearCalls()
      expect(await slack.find(target, aMarker(), window())).toEqual({
        kind: 'sent',
        messageId: fake.messages(SLACK.channel).at(-1)?.ts,
        inPlace: true,
      })
      expect(fake.calls.map(({ method }) => method)).toEqual([
        place === 'thread' ? 'conversations.replies' : 'conversations.history',
      ])
      expect(fake.calls[0]?.args.get('limit')).toBe('15')
    })
  }
  test('and that never arrived is absent', async () => {
    const target = aTarget({ anchor: fake.say(SLACK.channel) })
    fake.faults.next('chat.postMessage', { kind: 'reset', when: 'before' })
    await slack.send(target, aMessage(), aMarker())
    expect(await slack.find(target, aMarker(), window())).toEqual({ kind: 'absent' })
  })
  test('is found in a direct conversation', async () => {
    const target = aTarget({ conversationId: SLACK.direct, surface: 'direct' })
    await slack.send(target, aMessage(), aMarker())
    expect(await slack.find(target, aMarker(), window())).toMatchObject({ kind: 'sent' })
  })
  test('and is a file is found by its name', async () => {
    const target = aTarget({ anchor: fake.say(SLACK.channel) })
    fake.faults.next('files.completeUploadExternal', { kind: 'cut' })
    expect((await slack.send(target, aFile(), aMarker())).kind).toBe('unknown')
    expect(await slack.find(target, aMarker(), window())).toMatchObject({ kind: 'sent', inPlace: true })
    expect(await slack.find(target, aMarker({ partIndex: 1 }), window())).toEqual({ kind: 'absent' })
  })
})

describe('what is not ours', () => {
  for (const [name, marker] of [
    ['another delivery', aMarker({ deliveryId: 'dlv_2' })],
    ['another part', aMarker({ partIndex: 1 })],
    ['another rendering', aMarker({ rendering: 1 })],
  ] as const) {
    test(`${name} is not this part`, async () => {
      await slack.send(aTarget(), aMessage(), marker)
      expect(await slack.find(aTarget(), aMarker(), window())).toEqual({ kind: 'absent' })
    })
  }
  test('a copy of our metadata by another app is not ours', async () => {
    const other = { token: 'xoxb-other', botId: 'B0OTHER001', appId: 'A0OTHER001', botUserId: 'U0OTHER001' }
    fake.add({ tokens: [{ ...other, team: SLACK.team }] })
    fake.channel(SLACK.channel).members.add(other.botUserId)
    const impostor = slackOn(fake, other)
    await impostor.send(aTarget(), aMessage(), aMarker())
    expect(await slack.find(aTarget(), aMarker(), window())).toEqual({ kind: 'absent' })
    expect(await impostor.find(aTarget(), aMarker(), window())).toMatchObject({ kind: 'sent' })
    await impostor.close()
  })
  test('an older message outside the window is not looked at', async () => {
    await slack.send(aTarget(), aMessage(), aMarker())
    nowMs += 600_000
    expect(await slack.find(aTarget(), aMarker(), window())).toEqual({ kind: 'absent' })
  })
})

describe('a busy place', () => {
  test('is read on to the part, page by page', async () => {
    const target = aTarget({ anchor: fake.say(SLACK.channel) })
    for (let n = 0; n < 20; n += 1) fake.say(SLACK.channel, 'chatter', target.anchor ?? '')
    await slack.send(target, aMessage(), aMarker())
    fake.clearCalls()
    expect(await slack.find(target, aMarker(), window())).toMatchObject({ kind: 'sent' })
    expect(fake.calls).toHaveLength(2)
  })
  test('that three pages do not cover is not called absent', async () => {
    for (let n = 0; n < 60; n += 1) fake.say(SLACK.channel, 'chatter')
    fake.clearCalls()
    expect(await slack.find(aTarget(), aMarker(), window())).toEqual({
      kind: 'bug',
      code: 'lookup_incomplete',
    })
    expect(fake.calls).toHaveLength(3)
  })
})

describe('a look-up that cannot be made', () => {
  test('for want of a scope says so', async () => {
    fake.add({ tokens: [{ token: 'xoxb-blind', team: SLACK.team, scopes: ['chat:write'] }] })
    const blind = slackOn(fake, { token: 'xoxb-blind' })
    expect(await blind.find(aTarget(), aMarker(), window())).toMatchObject({ code: 'missing_scope' })
    await blind.close()
  })
  test('because of the rate of a restricted app waits, for its own method only', async () => {
    const strict = await startSlackFake({ isRestricted: true, now: () => nowMs })
    const other = slackOn(strict, {}, { nowMs: () => nowMs })
    expect(await other.find(aTarget(), aMarker(), window())).toEqual({ kind: 'absent' })
    expect(await other.find(aTarget(), aMarker(), window())).toEqual({
      kind: 'rate_limited',
      code: 'ratelimited',
      scope: 'method',
      retryAfterMs: 60_000,
    })
    await other.close()
    await strict.close()
  })
  test('in one go by a restricted app goes on where it stopped', async () => {
    const strict = await startSlackFake({ isRestricted: true, now: () => nowMs })
    const other = slackOn(strict, {}, { nowMs: () => nowMs })
    const asked = window()
    const sent = await other.send(aTarget(), aMessage(), aMarker())
    for (let n = 0; n < 20; n += 1) strict.say(SLACK.channel)
    expect(await other.find(aTarget(), aMarker(), asked)).toMatchObject({ kind: 'rate_limited' })
    nowMs += 60_000
    expect(await other.find(aTarget(), aMarker(), asked)).toEqual(sent)
    await other.close()
    await strict.close()
  })
  test('because its answer is lost or senseless is unknown', async () => {
    fake.faults.next('conversations.history', { kind: 'reset', when: 'before' })
    expect((await slack.find(aTarget(), aMarker(), window())).kind).toBe('unknown')
    fake.faults.next('conversations.history', { kind: 'body', text: '{"ok":true}', when: 'before' })
    expect(await slack.find(aTarget(), aMarker(), window())).toEqual({
      kind: 'unknown',
      code: 'unreadable_answer',
    })
  })
  test('to its end, because Slack says there is more and not where, is not absent', async () => {
    const text = '{"ok":true,"messages":[],"has_more":true}'
    fake.faults.next('conversations.history', { kind: 'body', text, when: 'before' })
    expect(await slack.find(aTarget(), aMarker(), window())).toEqual({
      kind: 'bug',
      code: 'lookup_incomplete',
    })
  })
  test('in a thread that is gone is made in the channel, where the answer may have landed', async () => {
    const anchor = '1732960000.000100'
    expect(await slack.find(aTarget({ anchor }), aMarker(), window())).toEqual({ kind: 'absent' })
    const stray = await slack.send(aTarget(), aMessage(), aMarker())
    expect(await slack.find(aTarget({ anchor }), aMarker(), window())).toEqual({ ...stray, inPlace: false })
  })
})
