import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FindWindow, Platform } from '../../../src/deliver/platform.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { aCard, aMarker, aTarget, aText, platformFor } from './lark-edge.js'

const clock = { ms: 0 }
let fake: LarkFake
let platform: Platform

beforeEach(async () => {
  clock.ms = 1_790_000_000_000
  fake = await startLarkFake({ clock: () => clock.ms })
  platform = platformFor(fake, { now: () => clock.ms })
})
afterEach(() => fake.close())

/** Tries a part whose answer is lost, then lets the hour of its key pass. */
async function tryAndLose(target = aTarget(), commits = true): Promise<FindWindow> {
  const name = target.anchor === null ? 'im.message.create' : 'im.message.reply'
  fake.faults.next(name, commits ? { kind: 'commit_then_drop' } : { kind: 'reset' })
  const atMs = clock.ms
  expect(await platform.send(target, aCard(), aMarker())).toMatchObject({ kind: 'unknown' })
  clock.ms += 2 * 3_600_000
  return { firstAttemptAtMs: atMs, lastAttemptAtMs: atMs, nowMs: clock.ms }
}

const lastIn = (chatId: string) => fake.messages(chatId).at(-1)?.id

describe('after the hour of its key', () => {
  test.each([
    { name: 'in a chat', target: aTarget() },
    { name: 'under a message', target: aTarget({ anchor: LARK.question }) },
    {
      name: 'in a topic',
      target: aTarget({ conversationId: LARK.topicGroup, anchor: LARK.topicQuestion, inTopic: true }),
    },
    {
      name: 'in a topic known by its id',
      target: aTarget({ conversationId: LARK.topicGroup, anchor: LARK.topic, inTopic: true }),
    },
    {
      name: 'under a message of a person known by open id',
      target: aTarget({ conversationId: LARK.user, anchor: LARK.directQuestion }),
    },
  ])('a part that landed $name is found, one that did not is absent', async ({ target }) => {
    const lost = await tryAndLose(target, false)
    expect(await platform.find(target, aMarker(), lost)).toEqual({ kind: 'absent' })
    const landed = await tryAndLose(target)
    const chatId = target.conversationId === LARK.user ? LARK.direct : target.conversationId
    expect(await platform.find(target, aMarker(), landed)).toEqual({
      kind: 'sent',
      messageId: lastIn(chatId),
      inPlace: true,
    })
  })

  test('what others wrote, what we wrote before, after, or elsewhere is not it', async () => {
    await platform.send(aTarget(), aText('before'), aMarker({ deliveryId: 'before' }))
    clock.ms += 300
    const window = await tryAndLose(aTarget(), false)
    const at = clock.ms
    clock.ms = window.firstAttemptAtMs + 500
    await platform.send(
      aTarget({ anchor: LARK.question }),
      aText('elsewhere'),
      aMarker({ deliveryId: 'elsewhere' }),
    )
    clock.ms = at
    await platform.send(aTarget(), aText('after'), aMarker({ deliveryId: 'after' }))
    expect(await platform.find(aTarget(), aMarker(), window)).toEqual({ kind: 'absent' })
  })

  test('a call that was still on its way when it was cut off is found', async () => {
    const window = await tryAndLose(aTarget(), false)
    const at = clock.ms
    clock.ms = window.lastAttemptAtMs + 40_000
    await platform.send(aTarget(), aText('late'), aMarker())
    clock.ms = at
    expect(await platform.find(aTarget(), aMarker(), window)).toMatchObject({
      kind: 'sent',
      messageId: lastIn(LARK.group),
    })
  })

  test('one that was recalled since did land', async () => {
    const window = await tryAndLose()
    fake.recall(lastIn(LARK.group) ?? '')
    expect(await platform.find(aTarget(), aMarker(), window)).toMatchObject({ kind: 'sent' })
  })

  test('several of ours cannot be told apart', async () => {
    const window = await tryAndLose()
    const at = clock.ms
    clock.ms = window.firstAttemptAtMs
    await platform.send(aTarget(), aText('other'), aMarker({ deliveryId: 'other' }))
    clock.ms = at
    expect(await platform.find(aTarget(), aMarker(), window)).toEqual({
      kind: 'anchor_dead',
      fallback: 'none',
      code: 'listing_ambiguous',
    })
  })

  test('a busy chat is read page by page, up to a bound', async () => {
    const window = await tryAndLose()
    const found = lastIn(LARK.group)
    const at = clock.ms
    clock.ms = window.firstAttemptAtMs
    const answer = aTarget({ anchor: LARK.question })
    const write = async (count: number, from: number) => {
      for (let index = from; index < from + count; index += 1) {
        await platform.send(answer, aText(), aMarker({ deliveryId: `noise_${index}` }))
      }
    }
    await write(120, 0)
    clock.ms = at
    expect(await platform.find(aTarget(), aMarker(), window)).toMatchObject({
      kind: 'sent',
      messageId: found,
    })
    clock.ms = window.firstAttemptAtMs
    await write(100, 120)
    clock.ms = at
    expect(await platform.find(aTarget(), aMarker(), window)).toEqual({
      kind: 'anchor_dead',
      fallback: 'none',
      code: 'listing_too_long',
    })
  })
})

test('a person without a known chat cannot be looked up', async () => {
  const target = aTarget({ conversationId: LARK.newUser, surface: 'direct' })
  const window = await tryAndLose(target)
  expect(await platform.find(target, aMarker(), window)).toEqual({
    kind: 'anchor_dead',
    fallback: 'none',
    code: 'no_chat_to_list',
  })
})

test('a recalled asking message does not hide the answers under it', async () => {
  const target = aTarget({ anchor: LARK.question })
  const window = await tryAndLose(target)
  fake.recall(LARK.question)
  expect(await platform.find(target, aMarker(), window)).toMatchObject({ kind: 'sent' })
})

describe('a look-up that fails never says that nothing was sent', () => {
  test.each([
    { name: 'server error', fault: { kind: 'http', status: 503 }, expected: { kind: 'unknown' } },
    { name: 'cut off', fault: { kind: 'reset' }, expected: { kind: 'unknown' } },
    {
      name: 'rate',
      fault: { kind: 'rate_limit', resetSeconds: 1 },
      expected: { kind: 'rate_limited', retryAfterMs: 1000 },
    },
    {
      name: 'scope missing',
      fault: { kind: 'code', code: 99991672 },
      expected: { kind: 'installation_dead' },
    },
    { name: 'token', fault: { kind: 'code', code: 99991663 }, expected: { kind: 'token' } },
    {
      name: 'refused for good',
      fault: { kind: 'code', code: 230001 },
      expected: { kind: 'anchor_dead', fallback: 'none' },
    },
    { name: 'bot removed', fault: { kind: 'code', code: 230002 }, expected: { kind: 'conversation_dead' } },
  ] as const)('$name', async ({ fault, expected }) => {
    const window = await tryAndLose()
    fake.faults.next('im.message.list', fault)
    expect(await platform.find(aTarget(), aMarker(), window)).toMatchObject(expected)
  })

  test('no connection', async () => {
    const window = await tryAndLose()
    await platform.refreshToken(aTarget().installation)
    await fake.close()
    expect(await platform.find(aTarget(), aMarker(), window)).toMatchObject({
      kind: 'unknown',
      code: 'econnrefused',
    })
    fake = await startLarkFake()
  })
})

test('the key of a part is good for 55 minutes', () => {
  expect(platform.sameKeyWindowMs).toBe(3_300_000)
})
