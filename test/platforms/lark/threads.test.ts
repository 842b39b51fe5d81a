import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Platform } from '../../../src/deliver/platform.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { aMarker, aTarget, aText, platformFor } from './lark-edge.js'

let fake: LarkFake
let platform: Platform

beforeEach(async () => {
  fake = await startLarkFake()
  platform = platformFor(fake)
})
afterEach(() => fake.close())

const inTopic = (anchor: string) => aTarget({ conversationId: LARK.topicGroup, anchor, inTopic: true })
const topics = () => new Set(fake.messages(LARK.topicGroup).map(({ threadId }) => threadId))
const conversation = (fields: { replyTo: string | null; thread: string | null }) =>
  ({
    platform: 'lark',
    tenant: LARK.tenant,
    place: { kind: 'conversation', id: LARK.topicGroup },
    surface: null,
    ...fields,
  }) as const

describe('THR-01: a topic id is never a reply target', () => {
  test('the message is answered, inside its topic', async () => {
    const place = platform.anchorOf(conversation({ replyTo: LARK.topicQuestion, thread: LARK.topic }))
    const target = aTarget({ conversationId: LARK.topicGroup, ...place })
    expect(await platform.send(target, aText(), aMarker())).toMatchObject({ kind: 'sent', inPlace: true })
    const call = fake.calls.at(-1)
    expect(call?.params).toEqual({ message_id: LARK.topicQuestion })
    expect(call?.body).toMatchObject({ reply_in_thread: true })
    expect(fake.messages(LARK.topicGroup).at(-1)).toMatchObject({ threadId: LARK.topic })
    expect(fake.count('im.message.create')).toBe(0)
  })

  test('a topic alone is answered through its first message', async () => {
    const place = platform.anchorOf(conversation({ replyTo: null, thread: LARK.topic }))
    const target = aTarget({ conversationId: LARK.topicGroup, ...place })
    expect(await platform.send(target, aText(), aMarker())).toMatchObject({ kind: 'sent', inPlace: true })
    expect(fake.messages(LARK.topicGroup).at(-1)).toMatchObject({
      threadId: LARK.topic,
      parentId: LARK.topicQuestion,
    })
    expect(topics()).toEqual(new Set([LARK.topic]))
  })
})

test('THR-02: without a topic id an answer still lands in the topic of its message', async () => {
  const place = platform.anchorOf(conversation({ replyTo: LARK.topicQuestion, thread: null }))
  const target = aTarget({ conversationId: LARK.topicGroup, ...place })
  expect(await platform.send(target, aText(), aMarker())).toMatchObject({ kind: 'sent', inPlace: true })
  expect(fake.messages(LARK.topicGroup).at(-1)).toMatchObject({ threadId: LARK.topic })
})

describe('THR-03: the asking message was withdrawn', () => {
  test.each([
    { code: 230011, status: 400 },
    { code: 230011, status: 200 },
    { code: 231003, status: 400 },
    { code: 230050, status: 400 },
    { code: 230110, status: 400 },
  ])('$code with HTTP $status: the conversation is offered instead', async ({ code, status }) => {
    fake.faults.next('im.message.reply', { kind: 'code', code, status })
    const target = aTarget({ anchor: LARK.question })
    expect(await platform.send(target, aText(), aMarker())).toMatchObject({
      kind: 'anchor_dead',
      fallback: 'conversation',
      code: String(code),
    })
    expect(fake.count()).toBe(1)
  })

  test('really withdrawn in a group, then sent to the chat under a key of its own', async () => {
    fake.recall(LARK.question)
    const target = aTarget({ anchor: LARK.question })
    expect(await platform.send(target, aText(), aMarker())).toMatchObject({
      kind: 'anchor_dead',
      code: '230011',
    })
    expect(await platform.send({ ...target, anchor: null }, aText(), aMarker())).toMatchObject({
      kind: 'sent',
      inPlace: true,
    })
  })

  test('a message id that does not exist is an anchor that is gone', async () => {
    const target = aTarget({ anchor: 'om_unknown' })
    expect(await platform.send(target, aText(), aMarker())).toMatchObject({
      kind: 'anchor_dead',
      fallback: 'conversation',
      code: '99992354',
    })
  })
})

describe('THR-04: no new topic because a message is gone', () => {
  test('another message of the topic carries the answer', async () => {
    const earlier = await platform.send(
      inTopic(LARK.topicQuestion),
      aText('first'),
      aMarker({ deliveryId: 'dlv_0' }),
    )
    const asking = earlier.kind === 'sent' ? earlier.messageId : ''
    fake.recall(asking)
    expect(await platform.send(inTopic(asking), aText(), aMarker())).toMatchObject({
      kind: 'sent',
      inPlace: true,
    })
    expect(fake.messages(LARK.topicGroup).at(-1)).toMatchObject({
      threadId: LARK.topic,
      parentId: LARK.topicQuestion,
    })
    expect(topics()).toEqual(new Set([LARK.topic]))
  })

  test('the oldest message that stands carries it when the first one is gone as well', async () => {
    const standing = await platform.send(
      inTopic(LARK.topicQuestion),
      aText('first'),
      aMarker({ deliveryId: 'dlv_0' }),
    )
    fake.recall(LARK.topicQuestion)
    for (const anchor of [LARK.topicQuestion, LARK.topic]) {
      const marker = aMarker({ deliveryId: anchor })
      expect(await platform.send(inTopic(anchor), aText(), marker)).toMatchObject({
        kind: 'sent',
        inPlace: true,
      })
      expect(fake.messages(LARK.topicGroup).at(-1)).toMatchObject({
        threadId: LARK.topic,
        parentId: standing.kind === 'sent' ? standing.messageId : 'not sent',
      })
    }
  })

  test('one that is withdrawn just then leaves the answer without a place, not in the chat', async () => {
    await platform.send(inTopic(LARK.topicQuestion), aText('first'), aMarker({ deliveryId: 'dlv_0' }))
    fake.faults.next('im.message.reply', { kind: 'code', code: 230011 }, 2)
    expect(await platform.send(inTopic(LARK.topicQuestion), aText(), aMarker())).toMatchObject({
      kind: 'anchor_dead',
      fallback: 'none',
    })
    expect(fake.faults.pending()).toBe(0)
  })

  test('with nothing left in the topic the answer has no place, and nothing is created', async () => {
    fake.recall(LARK.topicQuestion)
    for (const anchor of [LARK.topicQuestion, LARK.topic]) {
      expect(await platform.send(inTopic(anchor), aText(), aMarker())).toMatchObject({
        kind: 'anchor_dead',
        fallback: 'none',
      })
    }
    expect(fake.count('im.message.create')).toBe(0)
    expect(topics()).toEqual(new Set([LARK.topic]))
  })

  test('a topic that is gone is the end too', async () => {
    fake.dropTopic(LARK.topic)
    expect(await platform.send(inTopic(LARK.topicQuestion), aText(), aMarker())).toMatchObject({
      kind: 'anchor_dead',
      fallback: 'none',
      code: '230019',
    })
  })

  test('while the topic cannot be read, nothing is decided', async () => {
    fake.recall(LARK.topicQuestion)
    fake.faults.next('im.message.get', { kind: 'http', status: 502 })
    expect(await platform.send(inTopic(LARK.topicQuestion), aText(), aMarker())).toMatchObject({
      kind: 'not_sent',
    })
    fake.faults.next('im.message.get', { kind: 'rate_limit', resetSeconds: 2 })
    expect(await platform.send(inTopic(LARK.topicQuestion), aText(), aMarker())).toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 2000,
    })
  })
})

test('THR-05: a topic inside a direct chat is answered in the topic', async () => {
  const opened = aTarget({
    conversationId: LARK.direct,
    anchor: LARK.directQuestion,
    inTopic: true,
    surface: 'direct',
  })
  expect(await platform.send(opened, aText(), aMarker())).toMatchObject({ kind: 'sent', inPlace: true })
  const answer = fake.messages(LARK.direct).at(-1)
  expect(answer?.threadId).toMatch(/^omt_/)
  expect(answer?.threadId).toBe(fake.message(LARK.directQuestion).threadId)
})

test.each([230071, 230072])(
  '%i: a chat without topics is answered plainly, under another key',
  async (code) => {
    fake.faults.next('im.message.reply', { kind: 'code', code })
    const target = aTarget({ anchor: LARK.question, inTopic: true })
    expect(await platform.send(target, aText(), aMarker())).toMatchObject({
      kind: 'anchor_dead',
      fallback: 'plain_reply',
    })
    expect(await platform.send({ ...target, inTopic: false }, aText(), aMarker())).toMatchObject({
      kind: 'sent',
      inPlace: true,
    })
  },
)

test('a refusal about an anchor where there is none means that the conversation is dead', async () => {
  fake.faults.next('im.message.create', { kind: 'code', code: 230050 })
  expect(await platform.send(aTarget(), aText(), aMarker())).toMatchObject({
    kind: 'conversation_dead',
    code: '230050',
  })
})

test.each([
  { name: 'outside any topic', data: { parent_id: LARK.topicQuestion }, inPlace: false },
  { name: 'under another message', data: { parent_id: 'om_other', thread_id: LARK.topic }, inPlace: false },
  { name: 'in another chat', data: { chat_id: LARK.group, thread_id: LARK.topic }, inPlace: false },
  {
    name: 'under its message',
    data: { parent_id: LARK.topicQuestion, thread_id: LARK.topic },
    inPlace: true,
  },
  { name: 'in a topic, and no more is said', data: { thread_id: LARK.topic, parent_id: '' }, inPlace: true },
])('an answer for a topic that landed $name: in place $inPlace', async ({ data, inPlace }) => {
  const body = JSON.stringify({ code: 0, data: { message_id: 'om_1', ...data } })
  fake.faults.next('im.message.reply', { kind: 'http', status: 200, body })
  expect(await platform.send(inTopic(LARK.topicQuestion), aText(), aMarker())).toEqual({
    kind: 'sent',
    messageId: 'om_1',
    inPlace,
  })
})

test('a success that names no message is asked for again, not believed', async () => {
  for (const data of [undefined, {}, { message_id: '' }, { message_id: 7 }]) {
    fake.faults.next('im.message.create', {
      kind: 'http',
      status: 200,
      body: JSON.stringify({ code: 0, data }),
    })
    expect(await platform.send(aTarget(), aText(), aMarker())).toEqual({
      kind: 'unknown',
      code: 'no_message_id',
    })
  }
})
