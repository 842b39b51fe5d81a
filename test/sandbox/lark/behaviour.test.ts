import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { rawCall } from '../../support/lark/request.js'
import { LARK } from '../../support/lark/seed.js'

const START_MS = Date.UTC(2026, 10, 30, 10)
let nowMs = START_MS
let fake: LarkFake
beforeEach(async () => {
  nowMs = START_MS
  fake = await startLarkFake({ clock: () => nowMs })
})
afterEach(() => fake.close())

const body = (words: string, more: object = {}) => ({
  receive_id: LARK.group,
  msg_type: 'text',
  content: JSON.stringify({ text: words }),
  ...more,
})
const create = (words: string, more: object = {}) =>
  rawCall(fake, { path: 'im/v1/messages?receive_id_type=chat_id', body: body(words, more) })
const reply = (id: string, words: string, more: object = {}) =>
  rawCall(fake, { path: `im/v1/messages/${id}/reply`, body: body(words, more) })
const count = () => fake.messages(LARK.group).length

describe('uuid', () => {
  test('the same uuid within the hour gives the first message again, whatever the content', async () => {
    const first = await create('one', { uuid: 'u1' })
    nowMs += 3_599_000
    const again = await create('two', { uuid: 'u1' })
    expect(again.data.message_id).toBe(first.data.message_id)
    expect(count()).toBe(2)
  })

  test('after the hour the key is dead', async () => {
    const first = await create('one', { uuid: 'u1' })
    nowMs += 3_600_000
    const again = await create('one', { uuid: 'u1' })
    expect(again.data.message_id).not.toBe(first.data.message_id)
  })

  test('create and reply do not share a uuid', async () => {
    await create('one', { uuid: 'u1' })
    await reply(LARK.question, 'one', { uuid: 'u1' })
    expect(count()).toBe(3)
  })

  test('a twin that arrives while the first is being stored gets 230049', async () => {
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    fake.faults.next('im.message.create', { kind: 'hold', until })
    const first = create('one', { uuid: 'u1' })
    await expect.poll(() => fake.world.sending.size).toBe(1)
    const twin = await create('one', { uuid: 'u1' })
    release()
    expect([twin.code, (await first).code]).toEqual([230049, 0])
    expect(count()).toBe(2)
  })

  test('a refused send does not use the uuid up', async () => {
    await create('', { uuid: 'u1' })
    expect((await create('one', { uuid: 'u1' })).code).toBe(0)
  })
})

describe('topics', () => {
  test('a create in a topic group opens a topic of its own', async () => {
    const sent = await create('new', { receive_id: LARK.topicGroup })
    expect(sent.data.thread_id).toMatch(/^omt_/)
    expect(sent.data.thread_id).not.toBe(LARK.topic)
  })

  test('a group whose messages are topics opens topics too, although its mode is group', async () => {
    const id = `oc_${'6'.repeat(32)}`
    fake.addChat({ id, name: 'Topics', mode: 'group', messageForm: 'thread' })
    expect((await create('new', { receive_id: id })).data.thread_id).toMatch(/^omt_/)
  })

  test('a plain reply in a group stays out of a topic, one asked for opens it', async () => {
    const plain = await reply(LARK.question, 'plain')
    const inTopic = await reply(LARK.question, 'topic', { reply_in_thread: true })
    expect(plain.data.thread_id).toBeUndefined()
    expect(fake.message(LARK.question).threadId).toBe(inTopic.data.thread_id)
  })

  test('a direct chat has topics as well, and later replies stay in them', async () => {
    const opened = await reply(LARK.directQuestion, 'one', { reply_in_thread: true })
    const next = await reply(String(opened.data.message_id), 'two')
    expect(next.data).toMatchObject({ thread_id: opened.data.thread_id, root_id: LARK.directQuestion })
  })
})

test('a message to a person opens the direct chat once', async () => {
  const send = () =>
    rawCall(fake, {
      path: 'im/v1/messages?receive_id_type=open_id',
      body: body('hi', { receive_id: LARK.newUser }),
    })
  const first = await send()
  const second = await send()
  const opened = await rawCall(fake, { path: 'chat/v4/p2p/id', body: { open_id: LARK.newUser } })
  expect(second.data.chat_id).toBe(first.data.chat_id)
  expect(opened.data.chat_id).toBe(first.data.chat_id)
})

test('a text takes 20 edits and no more', async () => {
  const id = String((await create('v0')).data.message_id)
  const edit = (words: string) =>
    rawCall(fake, { method: 'PUT', path: `im/v1/messages/${id}`, body: body(words) })
  const codes: number[] = []
  for (let version = 1; version <= 21; version += 1) codes.push((await edit(`v${version}`)).code)
  expect(codes.slice(0, 20).every((code) => code === 0)).toBe(true)
  expect(codes[20]).toBe(230072)
})

test('a card can be changed for 14 days', async () => {
  const content = JSON.stringify({ schema: '2.0', body: { elements: [{ tag: 'markdown', content: 'x' }] } })
  const sent = await create('', { msg_type: 'interactive', content })
  const patch = () =>
    rawCall(fake, { method: 'PATCH', path: `im/v1/messages/${sent.data.message_id}`, body: { content } })
  nowMs += 14 * 86_400_000
  const inTime = await patch()
  nowMs += 1
  expect([inTime.code, (await patch()).code]).toEqual([0, 230031])
})

test('a plain read does not show a 2.0 card; the right parameter does', async () => {
  const content = JSON.stringify({
    schema: '2.0',
    body: { elements: [{ tag: 'markdown', content: 'delivery d1' }] },
  })
  const sent = await create('', { msg_type: 'interactive', content })
  const read = (query: string) =>
    rawCall(fake, { method: 'GET', path: `im/v1/messages/${sent.data.message_id}${query}` })
  expect(JSON.stringify((await read('')).data)).not.toContain('delivery d1')
  expect(JSON.stringify((await read('?card_msg_content_type=user_card_content')).data)).toContain(
    'delivery d1',
  )
})

test('a list is cut by seconds, sorted and paged', async () => {
  for (const second of [10, 20, 30]) {
    nowMs = START_MS + second * 1000
    await create(`at ${second}`)
  }
  const startSeconds = START_MS / 1000 + 20
  const list = (more: string) =>
    rawCall(fake, {
      method: 'GET',
      path: `im/v1/messages?container_id_type=chat&container_id=${LARK.group}&start_time=${startSeconds}&page_size=1${more}`,
    })
  const first = await list('&sort_type=ByCreateTimeDesc')
  const second = await list(`&sort_type=ByCreateTimeDesc&page_token=${first.data.page_token}`)
  expect(JSON.stringify(first.data.items)).toContain('at 30')
  expect(first.data.has_more).toBe(true)
  expect(JSON.stringify(second.data.items)).toContain('at 20')
  expect(second.data.has_more).toBe(false)
})

test('tokens: the same one while more than half an hour is left, then a new one', async () => {
  const ask = () =>
    rawCall(fake, {
      path: 'auth/v3/tenant_access_token/internal',
      body: { app_id: LARK.appId, app_secret: LARK.appSecret },
      token: null,
    })
  await ask()
  nowMs += 5_400_000 - 1
  await ask()
  expect(fake.world.tokens.size).toBe(1)
  nowMs += 1
  await ask()
  expect(fake.world.tokens.size).toBe(2)
})

test('five sends a second in one chat, and fifty calls a second for the app', async () => {
  const paced = await startLarkFake({
    clock: () => nowMs,
    pace: { perAppPerSecond: 50, perChatPerSecond: 5 },
  })
  const send = () => rawCall(paced, { path: 'im/v1/messages?receive_id_type=chat_id', body: body('x') })
  const answers = []
  for (let call = 0; call < 51; call += 1) answers.push(await send())
  nowMs += 1000
  const later = await send()
  await paced.close()
  expect(answers.map(({ code }) => code)).toEqual([
    ...Array.from({ length: 5 }, () => 0),
    ...Array.from({ length: 45 }, () => 230020),
    99991400,
  ])
  expect(answers[50]?.headers.get('x-ogw-ratelimit-reset')).toBe('1')
  expect(answers[50]?.status).toBe(429)
  expect(later.code).toBe(0)
})

test('an app without the scope is refused with its name', async () => {
  const limited = await startLarkFake({
    apps: [{ appId: LARK.appId, appSecret: LARK.appSecret, name: 'Limited', scopes: ['im:chat:readonly'] }],
  })
  const refused = await rawCall(limited, { path: 'im/v1/messages?receive_id_type=chat_id', body: body('x') })
  await limited.close()
  expect(refused.code).toBe(99991672)
  expect(refused.msg).toContain('im:message:send_as_bot')
})
