import * as lark from '@larksuiteoapi/node-sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'

let fake: LarkFake
let client: lark.Client

const QUIET = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {}, trace: () => {} }

beforeEach(async () => {
  fake = await startLarkFake()
  client = new lark.Client({
    appId: LARK.appId,
    appSecret: LARK.appSecret,
    domain: fake.url,
    cache: new lark.DefaultCache(),
    logger: QUIET,
  })
})
afterEach(() => fake.close())

const text = (words: string) => JSON.stringify({ text: words })

test('the SDK client gets its token, posts to a group and reads the message back', async () => {
  const sent = await client.im.message.create({
    params: { receive_id_type: 'chat_id' },
    data: { receive_id: LARK.group, msg_type: 'text', content: text('hello') },
  })
  expect(sent.code).toBe(0)
  const id = sent.data?.message_id ?? ''
  const read = await client.im.message.get({ path: { message_id: id } })
  expect(read.data?.items?.[0]?.body?.content).toBe(text('hello'))
  expect(fake.count('auth.tenant_access_token.internal')).toBe(1)
})

test('the SDK client replies in a topic and the reply stays in it', async () => {
  const sent = await client.im.message.reply({
    path: { message_id: LARK.topicQuestion },
    data: { msg_type: 'text', content: text('the slow ones') },
  })
  expect(sent.data).toMatchObject({
    thread_id: LARK.topic,
    root_id: LARK.topicQuestion,
    chat_id: LARK.topicGroup,
  })
})

test('the SDK client edits a text, patches a card, reacts and recalls', async () => {
  const create = (msgType: string, content: string) =>
    client.im.message.create({
      params: { receive_id_type: 'chat_id' },
      data: { receive_id: LARK.group, msg_type: msgType, content },
    })
  const card = (words: string) =>
    JSON.stringify({ schema: '2.0', body: { elements: [{ tag: 'markdown', content: words }] } })
  const note = (await create('text', text('one'))).data?.message_id ?? ''
  const sentCard = (await create('interactive', card('one'))).data?.message_id ?? ''
  const edited = await client.im.message.update({
    path: { message_id: note },
    data: { msg_type: 'text', content: text('two') },
  })
  const patched = await client.im.message.patch({
    path: { message_id: sentCard },
    data: { content: card('two') },
  })
  const reacted = await client.im.messageReaction.create({
    path: { message_id: note },
    data: { reaction_type: { emoji_type: 'DONE' } },
  })
  const recalled = await client.im.message.delete({ path: { message_id: note } })
  expect([edited.code, patched.code, reacted.code, recalled.code]).toEqual([0, 0, 0, 0])
  expect(fake.message(sentCard).content).toBe(card('two'))
  expect(fake.message(note)).toMatchObject({ recalled: true, content: text('two') })
})

test('the SDK client uploads a file and sends it', async () => {
  const uploaded = await client.im.file.create({
    data: { file_type: 'stream', file_name: 'answer.md', file: Buffer.from('# 答案') },
  })
  const key = uploaded?.file_key ?? ''
  const sent = await client.im.message.create({
    params: { receive_id_type: 'chat_id' },
    data: { receive_id: LARK.group, msg_type: 'file', content: JSON.stringify({ file_key: key }) },
  })
  expect(sent.code).toBe(0)
  expect(Buffer.from(fake.file(key).bytes).toString()).toBe('# 答案')
  expect(fake.file(key).name).toBe('answer.md')
})

test('the SDK client of a store app uses the ticket for any tenant that installed it', async () => {
  fake.pushTicket(LARK.storeAppId, 'ticket-1')
  const cache = new lark.DefaultCache()
  const store = new lark.Client({
    appId: LARK.storeAppId,
    appSecret: LARK.storeAppSecret,
    appType: lark.AppType.ISV,
    domain: fake.url,
    cache,
    logger: QUIET,
  })
  await cache.set(lark.CAppTicket, 'ticket-1', Number.POSITIVE_INFINITY, { namespace: LARK.storeAppId })
  const sent = await store.im.message.create(
    {
      params: { receive_id_type: 'chat_id' },
      data: { receive_id: LARK.otherTenantGroup, msg_type: 'text', content: text('hello') },
    },
    lark.withTenantKey(LARK.otherTenant),
  )
  expect(sent.code).toBe(0)
})

test('the SDK client lists a chat and a topic', async () => {
  const chat = await client.im.message.list({
    params: { container_id_type: 'chat', container_id: LARK.group },
  })
  const topic = await client.im.message.list({
    params: { container_id_type: 'thread', container_id: LARK.topic },
  })
  expect(chat.data?.items?.map((item) => item.message_id)).toEqual([LARK.question])
  expect(topic.data?.items?.map((item) => item.message_id)).toEqual([LARK.topicQuestion])
})

test('the SDK client asks what a chat is', async () => {
  const about = await client.im.chat.get({ path: { chat_id: LARK.topicGroup } })
  expect(about.data).toMatchObject({ chat_mode: 'topic', chat_type: 'private', chat_status: 'normal' })
})
