import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Platform } from '../../../src/deliver/platform.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { aCard, aFile, aMarker, aTarget, aText, INSTALLATION, platformFor, textsOf } from './lark-edge.js'

let fake: LarkFake
let platform: Platform

beforeEach(async () => {
  fake = await startLarkFake()
  platform = platformFor(fake)
})
afterEach(() => fake.close())

describe('where a part lands', () => {
  test('without an anchor it is created in the chat', async () => {
    const result = await platform.send(aTarget(), aText('hi'), aMarker())
    const [message] = fake.messages(LARK.group).slice(-1)
    expect(result).toEqual({ kind: 'sent', messageId: message?.id, inPlace: true })
    expect(message).toMatchObject({ type: 'text', content: '{"text":"hi"}', parentId: null, threadId: null })
  })

  test('with an anchor it answers that message, and opens no topic in a group (THR-06)', async () => {
    const target = aTarget({ anchor: LARK.question })
    expect(await platform.send(target, aCard(), aMarker())).toMatchObject({ kind: 'sent', inPlace: true })
    const [call] = fake.calls.filter(({ name }) => name === 'im.message.reply')
    expect(call?.body).toMatchObject({ reply_in_thread: false, msg_type: 'interactive' })
    expect(fake.messages(LARK.group).at(-1)).toMatchObject({ parentId: LARK.question, threadId: null })
  })

  test('to a person it goes by open id and opens the direct chat', async () => {
    const person = await platform.openDirect(INSTALLATION, LARK.tenant, LARK.newUser)
    expect(person).toMatchObject({ kind: 'facts', conversationId: LARK.newUser, surface: 'direct' })
    const target = aTarget({ conversationId: LARK.newUser, surface: 'direct' })
    expect(await platform.send(target, aText(), aMarker())).toMatchObject({ kind: 'sent', inPlace: true })
    const [call] = fake.calls.filter(({ name }) => name === 'im.message.create')
    expect(call?.query).toEqual({ receive_id_type: 'open_id' })
    expect(call?.body).toMatchObject({ receive_id: LARK.newUser })
    expect(fake.count()).toBe(1)
  })

  test('a create that opened a topic says that it is not in place', async () => {
    const target = aTarget({ conversationId: LARK.topicGroup })
    expect(await platform.send(target, aText(), aMarker())).toMatchObject({ kind: 'sent', inPlace: false })
  })

  test.each([
    { name: 'bot not in the chat', conversationId: LARK.foreignGroup, code: '230002' },
    { name: 'no such chat', conversationId: 'oc_unknown', code: '230034' },
    { name: 'person outside the availability range', conversationId: LARK.unavailableUser, code: '230013' },
    { name: 'person who left', conversationId: LARK.resignedUser, code: '230029' },
  ])('$name: the conversation is dead ($code)', async ({ conversationId, code }) => {
    expect(await platform.send(aTarget({ conversationId }), aText(), aMarker())).toMatchObject({
      kind: 'conversation_dead',
      code,
    })
  })

  test.each([
    { name: 'a topic id as chat', fields: { conversationId: LARK.topic } },
    { name: 'a path in the chat id', fields: { conversationId: 'oc_1/../../x' } },
    { name: 'a chat id as anchor', fields: { anchor: LARK.group } },
    { name: 'a path in the anchor', fields: { anchor: 'om_1/../om_2' } },
  ])('$name never leaves this host', async ({ fields }) => {
    expect(await platform.send(aTarget(fields), aText(), aMarker())).toMatchObject({ kind: 'bug' })
    expect(fake.calls).toEqual([])
  })
})

describe('the idempotency key', () => {
  test('is stable for a part, fits 50 characters and differs by part, rendering, delivery and form', () => {
    const keyOf = (marker: Parameters<typeof aMarker>[0], target = aTarget()) => {
      const { payload } = platform.toRequest(target, aText(), aMarker(marker))
      const { data } = payload
      return typeof data === 'object' && data !== null && 'uuid' in data ? data.uuid : null
    }
    const reply = aTarget({ anchor: LARK.question })
    const keys = [
      keyOf({}),
      keyOf({ partIndex: 1 }),
      keyOf({ rendering: 1 }),
      keyOf({ deliveryId: 'dlv_2' }),
      keyOf({}, reply),
      keyOf({}, { ...reply, inTopic: true }),
    ]
    expect(keyOf({})).toBe(keys[0])
    expect(new Set(keys).size).toBe(keys.length)
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test('a part sent again after a lost answer is the same message (DUP-01)', async () => {
    for (const target of [aTarget(), aTarget({ anchor: LARK.question })]) {
      const before = textsOf(fake, LARK.group).length
      const name = target.anchor === null ? 'im.message.create' : 'im.message.reply'
      fake.faults.next(name, { kind: 'commit_then_drop' })
      expect(await platform.send(target, aText(), aMarker())).toMatchObject({ kind: 'unknown' })
      const again = await platform.send(target, aText(), aMarker())
      expect(again).toMatchObject({ kind: 'sent', messageId: fake.messages(LARK.group).at(-1)?.id })
      expect(textsOf(fake, LARK.group)).toHaveLength(before + 1)
    }
  })

  test('twenty sends of one part at once are one message; the others are told to ask again', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => platform.send(aTarget(), aText(), aMarker())),
    )
    expect(textsOf(fake, LARK.group)).toHaveLength(1)
    expect(results.filter(({ kind }) => kind !== 'sent' && kind !== 'in_flight')).toEqual([])
  })

  test('a twin of a call that is still running is in flight, and then the same message', async () => {
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    const stored = new Promise<void>((resolve) => {
      fake.faults.next(
        (call) => {
          resolve()
          return call.name === 'im.message.create'
        },
        { kind: 'hold', until },
      )
    })
    const first = platform.send(aTarget(), aText(), aMarker())
    await stored
    expect(await platform.send(aTarget(), aText(), aMarker())).toMatchObject({
      kind: 'in_flight',
      code: '230049',
    })
    release()
    const sent = await first
    expect(sent).toMatchObject({ kind: 'sent' })
    expect(await platform.send(aTarget(), aText(), aMarker())).toEqual(sent)
  })
})

describe('files', () => {
  test('are uploaded under their name and then shown', async () => {
    const result = await platform.send(
      aTarget({ anchor: LARK.question }),
      aFile('# 报告\n', '报告.md'),
      aMarker(),
    )
    expect(result).toMatchObject({ kind: 'sent', inPlace: true })
    const message = fake.messages(LARK.group).at(-1)
    expect(message?.type).toBe('file')
    const file = fake.file(JSON.parse(message?.content ?? '{}').file_key)
    expect(file.name).toBe('报告.md')
    expect(Buffer.from(file.bytes).toString()).toBe('# 报告\n')
    const field = fake.calls.find(({ name }) => name === 'im.file.create')?.form?.get('file')
    expect(field).toMatchObject({ name: '报告.md' })
  })

  test('an upload that failed sent nothing, whatever happened to it', async () => {
    for (const kind of ['commit_then_drop', 'reset'] as const) {
      fake.faults.next('im.file.create', { kind })
      expect(await platform.send(aTarget(), aFile(), aMarker())).toMatchObject({ kind: 'not_sent' })
    }
    fake.faults.next('im.file.create', { kind: 'code', code: 99991672 })
    expect(await platform.send(aTarget(), aFile(), aMarker())).toMatchObject({
      kind: 'installation_dead',
      remedy: 'admin',
      code: '99991672',
    })
    expect(fake.count('im.message.create')).toBe(0)
  })

  test('an empty or too large one is refused before the upload', async () => {
    expect(await platform.send(aTarget(), aFile(''), aMarker())).toMatchObject({
      kind: 'content',
      code: 'empty_file',
    })
    const large = aFile('x'.repeat(30_000_001))
    expect(await platform.send(aTarget(), large, aMarker())).toMatchObject({
      kind: 'content',
      code: 'file_too_large',
    })
    expect(fake.calls).toEqual([])
  })
})

describe('the printed request is the request', () => {
  test.each([
    { name: 'create', target: aTarget() },
    { name: 'create for a person', target: aTarget({ conversationId: LARK.user }) },
    { name: 'reply', target: aTarget({ anchor: LARK.question }) },
    { name: 'reply in a topic', target: aTarget({ anchor: LARK.question, inTopic: true }) },
  ])('$name', async ({ target }) => {
    const { method, payload } = platform.toRequest(target, aCard(), aMarker())
    await platform.send(target, aCard(), aMarker())
    const call = fake.calls.at(-1)
    expect(call?.name).toBe(method)
    const seen = method.endsWith('reply') ? { path: call?.params } : { params: call?.query }
    expect({ ...seen, data: call?.body }).toEqual(payload)
  })

  test('of a file names the file; of a topic names the topic, never as a message', () => {
    const { payload } = platform.toRequest(aTarget({ anchor: LARK.topic, inTopic: true }), aFile(), aMarker())
    expect(payload).toMatchObject({
      upload: { file_type: 'stream', file_name: 'report.md' },
      path: { oldest_message_of: LARK.topic },
      data: { msg_type: 'file', content: null },
    })
  })

  test('a part of another platform is a bug, not a call', async () => {
    const slack = { kind: 'message', rung: 'rich', content: { blocks: [] }, markdown: 'x' } as const
    expect(await platform.send(aTarget(), slack, aMarker())).toEqual({ kind: 'bug', code: 'content_shape' })
    expect(fake.calls).toEqual([])
  })
})
