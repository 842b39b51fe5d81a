import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { type RawCall, rawCall } from '../../support/lark/request.js'
import { LARK } from '../../support/lark/seed.js'

let fake: LarkFake
beforeEach(async () => {
  fake = await startLarkFake()
})
afterEach(() => fake.close())

const TO_GROUP = { receive_id: LARK.group, msg_type: 'text', content: '{"text":"hello"}' }
const CREATE = 'im/v1/messages?receive_id_type=chat_id'
const TO_PERSON = 'im/v1/messages?receive_id_type=open_id'
const LIST = `im/v1/messages?container_id_type=chat&container_id=${LARK.group}`

const create = (body: object, path = CREATE): RawCall => ({ path, body: { ...TO_GROUP, ...body } })
const reply = (id: string, body: object = {}): RawCall => ({
  path: `im/v1/messages/${id}/reply`,
  body: { ...TO_GROUP, ...body },
})
const get = (path: string): RawCall => ({ method: 'GET', path })
const auth = (path: string, body: object): RawCall => ({ path: `auth/v3/${path}`, body, token: null })
const credentials = { app_id: LARK.appId, app_secret: LARK.appSecret }
const storeCredentials = { app_id: LARK.storeAppId, app_secret: LARK.storeAppSecret }

interface Row {
  readonly name: string
  readonly before?: (fake: LarkFake) => void
  readonly call: RawCall
  readonly code: number
  readonly status?: number
  readonly msg?: RegExp
}

const rows: readonly Row[] = [
  { name: 'token missing', call: { ...create({}), token: null }, code: 99991661 },
  { name: 'token unknown', call: { ...create({}), token: 't-unknown' }, code: 99991663 },
  { name: 'token of a person', call: { ...create({}), token: 'u-somebody' }, code: 99991668, status: 401 },
  { name: 'token of no known form', call: { ...create({}), token: 'xoxb-1' }, code: 99991671 },
  {
    name: 'secret wrong',
    call: auth('tenant_access_token/internal', { ...credentials, app_secret: 'x' }),
    code: 10015,
    status: 200,
  },
  {
    name: 'app unknown',
    call: auth('tenant_access_token/internal', { ...credentials, app_id: 'cli_x' }),
    code: 10014,
    status: 200,
  },
  { name: 'app id missing', call: auth('tenant_access_token/internal', {}), code: 10003, status: 200 },
  {
    name: 'store app asking like an internal one',
    call: auth('tenant_access_token/internal', storeCredentials),
    code: 10003,
    status: 200,
  },
  {
    name: 'app ticket never pushed',
    call: auth('app_access_token', { ...storeCredentials, app_ticket: 'x' }),
    code: 10013,
    status: 200,
  },
  {
    name: 'app ticket wrong',
    before: (lark) => lark.pushTicket(LARK.storeAppId, 'right'),
    call: auth('app_access_token', { ...storeCredentials, app_ticket: 'wrong' }),
    code: 10012,
    status: 200,
  },
  {
    name: 'app access token unknown',
    call: auth('tenant_access_token', { app_access_token: 'a-x', tenant_key: LARK.tenant }),
    code: 99991664,
    status: 200,
  },
  { name: 'path unknown', call: get('im/v9/messages'), code: 404, status: 404 },
  { name: 'receiver kind missing', call: create({}, 'im/v1/messages'), code: 99992402 },
  { name: 'receiver missing', call: create({ receive_id: '' }), code: 99992402 },
  {
    name: 'chat id of another form',
    call: create({ receive_id: LARK.user }),
    code: 230001,
    msg: /invalid receive_id/,
  },
  { name: 'chat unknown', call: create({ receive_id: `oc_${'9'.repeat(32)}` }), code: 230034 },
  { name: 'chat of another tenant', call: create({ receive_id: LARK.otherTenantGroup }), code: 230034 },
  { name: 'bot not in the chat', call: create({ receive_id: LARK.foreignGroup }), code: 230002 },
  { name: 'bot removed', before: (lark) => lark.removeBot(LARK.group), call: create({}), code: 230002 },
  {
    name: 'bot ability off',
    before: (lark) => {
      lark.app(LARK.appId).botEnabled = false
    },
    call: create({}),
    code: 230006,
  },
  {
    name: 'bots may not speak',
    before: (lark) => {
      lark.chat(LARK.group).muted = true
    },
    call: create({}),
    code: 230035,
  },
  { name: 'chat dissolved', before: (lark) => lark.dissolve(LARK.group), call: create({}), code: 232009 },
  { name: 'person id of another form', call: create({ receive_id: LARK.group }, TO_PERSON), code: 99992351 },
  { name: 'person unknown', call: create({ receive_id: `ou_${'9'.repeat(32)}` }, TO_PERSON), code: 99992351 },
  {
    name: 'person outside availability',
    call: create({ receive_id: LARK.unavailableUser }, TO_PERSON),
    code: 230013,
  },
  { name: 'person resigned', call: create({ receive_id: LARK.resignedUser }, TO_PERSON), code: 230029 },
  {
    name: 'person of another tenant',
    call: create({ receive_id: LARK.otherTenantUser }, TO_PERSON),
    code: 230038,
  },
  {
    name: 'person stopped the bot, by chat id',
    before: (lark) => {
      lark.user(LARK.user).stoppedBot = true
    },
    call: create({ receive_id: LARK.direct }),
    code: 230053,
  },
  { name: 'message type missing', call: create({ msg_type: undefined }), code: 99992402 },
  { name: 'message type unknown', call: create({ msg_type: 'markdown' }), code: 230001, msg: /msg_type/ },
  { name: 'content an object', call: create({ content: { text: 'hi' } }), code: 99992402 },
  { name: 'content no JSON', call: create({ content: 'hi' }), code: 230001 },
  { name: 'text missing', call: create({ content: '{}' }), code: 230001 },
  { name: 'text blank', call: create({ content: '{"text":" "}' }), code: 230001 },
  {
    name: 'text too long',
    call: create({ content: JSON.stringify({ text: 'x'.repeat(151 * 1024) }) }),
    code: 230025,
  },
  {
    name: 'post too long',
    call: create({ msg_type: 'post', content: post([[{ tag: 'md', text: '长'.repeat(10_300) }]]) }),
    code: 230025,
  },
  { name: 'post without a language', call: create({ msg_type: 'post', content: '{}' }), code: 230001 },
  {
    name: 'post with an unknown language',
    call: create({ msg_type: 'post', content: '{"en":{"content":[[]]}}' }),
    code: 230001,
  },
  {
    name: 'post with an unknown node',
    call: create({ msg_type: 'post', content: post([[{ tag: 'table' }]]) }),
    code: 230001,
  },
  {
    name: 'post node without its field',
    call: create({ msg_type: 'post', content: post([[{ tag: 'a', text: 'x' }]]) }),
    code: 230001,
  },
  {
    name: 'post md beside text',
    call: create({
      msg_type: 'post',
      content: post([
        [
          { tag: 'md', text: 'x' },
          { tag: 'text', text: 'y' },
        ],
      ]),
    }),
    code: 230001,
  },
  {
    name: 'post style unknown',
    call: create({ msg_type: 'post', content: post([[{ tag: 'text', text: 'x', style: ['code'] }]]) }),
    code: 230001,
  },
  {
    name: 'file key unknown',
    call: create({ msg_type: 'file', content: '{"file_key":"file_v3_x"}' }),
    code: 230001,
  },
  { name: 'uuid too long', call: create({ uuid: 'x'.repeat(51) }), code: 99992402 },
  {
    name: 'type this chat does not take',
    before: (lark) =>
      lark.addChat({
        id: `oc_${'8'.repeat(32)}`,
        name: 'Connected',
        mode: 'group',
        refusesTypes: ['interactive'],
      }),
    call: create({
      receive_id: `oc_${'8'.repeat(32)}`,
      msg_type: 'interactive',
      content: '{"schema":"2.0","body":{"elements":[]}}',
    }),
    code: 230054,
  },
  { name: 'reply to an id of another form', call: reply(LARK.topic), code: 99992354 },
  { name: 'reply to an unknown message', call: reply(`om_${'9'.repeat(32)}`), code: 99992354 },
  {
    name: 'reply to a recalled message',
    before: (lark) => lark.recall(LARK.question),
    call: reply(LARK.question),
    code: 230011,
  },
  {
    name: 'reply in a dissolved chat',
    before: (lark) => lark.dissolve(LARK.group),
    call: reply(LARK.question),
    code: 232009,
  },
  {
    name: 'reply after the bot left',
    before: (lark) => lark.removeBot(LARK.group),
    call: reply(LARK.question),
    code: 230002,
  },
  {
    name: 'reply in a topic that is gone',
    before: (lark) => lark.dropTopic(LARK.topic),
    call: reply(LARK.topicQuestion),
    code: 230019,
  },
  {
    name: 'reply_in_thread a string',
    call: reply(LARK.question, { reply_in_thread: 'true' }),
    code: 99992402,
  },
  {
    name: 'topic reply where there are none',
    before: (lark) => {
      lark.addChat({ id: `oc_${'7'.repeat(32)}`, name: 'Plain', mode: 'group', threadReplies: false })
      lark.world.messages.set(`om_${'7'.repeat(32)}`, {
        ...lark.message(LARK.question),
        id: `om_${'7'.repeat(32)}`,
        chatId: `oc_${'7'.repeat(32)}`,
      })
    },
    call: reply(`om_${'7'.repeat(32)}`, { reply_in_thread: true }),
    code: 230071,
  },
  {
    name: 'edit of another’s message',
    call: { method: 'PUT', path: `im/v1/messages/${LARK.question}`, body: TO_GROUP },
    code: 230071,
  },
  {
    name: 'card patch of a text',
    call: { method: 'PATCH', path: `im/v1/messages/${LARK.question}`, body: { content: '{}' } },
    code: 230001,
  },
  {
    name: 'recall of another’s message',
    call: { method: 'DELETE', path: `im/v1/messages/${LARK.question}` },
    code: 230026,
  },
  { name: 'list without a container', call: get('im/v1/messages'), code: 99992402 },
  {
    name: 'list with times in milliseconds',
    call: get(`${LIST}&start_time=1796040000000`),
    code: 230001,
    msg: /seconds/,
  },
  { name: 'list with too large a page', call: get(`${LIST}&page_size=51`), code: 99992402 },
  {
    name: 'list of a chat the bot is not in',
    call: get(`im/v1/messages?container_id_type=chat&container_id=${LARK.foreignGroup}`),
    code: 230002,
  },
  {
    name: 'list of an unknown topic',
    call: get('im/v1/messages?container_id_type=thread&container_id=omt_x'),
    code: 230001,
  },
  { name: 'path with a broken escape', call: get('im/v1/chats/%E0%A4%A'), code: 232006 },
  { name: 'chat asked about unknown', call: get('im/v1/chats/oc_unknown'), code: 232006 },
  {
    name: 'chat asked about dissolved',
    before: (lark) => lark.dissolve(LARK.group),
    call: get(`im/v1/chats/${LARK.group}`),
    code: 232009,
  },
  { name: 'chat asked about from outside', call: get(`im/v1/chats/${LARK.foreignGroup}`), code: 232011 },
  {
    name: 'direct chat opened out of availability',
    call: { path: 'chat/v4/p2p/id', body: { open_id: LARK.unavailableUser } },
    code: 230013,
  },
  { name: 'person asked about unknown', call: get('contact/v3/users/ou_unknown'), code: 99992351 },
  {
    name: 'person asked about out of range',
    call: get(`contact/v3/users/${LARK.unavailableUser}`),
    code: 41050,
    status: 403,
  },
  {
    name: 'reaction unknown',
    call: {
      path: `im/v1/messages/${LARK.question}/reactions`,
      body: { reaction_type: { emoji_type: '👍' } },
    },
    code: 231001,
  },
  {
    name: 'reaction to remove unknown',
    call: { method: 'DELETE', path: `im/v1/messages/${LARK.question}/reactions/none` },
    code: 231003,
  },
  { name: 'upload without a form', call: { path: 'im/v1/files', body: {} }, code: 234001 },
  {
    name: 'monthly quota used up',
    before: (lark) => {
      lark.tenant(LARK.tenant).monthlyCalls = 0
    },
    call: create({}),
    code: 99991403,
    status: 429,
  },
]

function post(content: readonly (readonly object[])[]): string {
  return JSON.stringify({ zh_cn: { content } })
}

for (const { name, before, call, code, status = 400, msg = /./ } of rows) {
  test(`refused: ${name} (${code})`, async () => {
    before?.(fake)
    const answer = await rawCall(fake, call)
    expect({ code: answer.code, status: answer.status }).toEqual({ code, status })
    expect(answer.msg).toMatch(msg)
  })
}

test('a refusal leaves nothing behind', async () => {
  await rawCall(fake, create({ content: 'hi' }))
  expect(fake.messages(LARK.group).map(({ id }) => id)).toEqual([LARK.question])
})

test('after the tokens are expired the next call needs a new one', async () => {
  const first = await rawCall(fake, create({}))
  const token = [...fake.tokenUses().keys()][0] ?? ''
  fake.expireTokens()
  const second = await rawCall(fake, { ...create({}), token })
  const third = await rawCall(fake, create({}))
  expect([first.code, second.code, third.code]).toEqual([0, 99991663, 0])
})

test('an app that was uninstalled is refused with its old token', async () => {
  await rawCall(fake, create({}))
  const token = [...fake.tokenUses().keys()][0] ?? ''
  fake.uninstall(LARK.appId, LARK.tenant)
  expect((await rawCall(fake, { ...create({}), token })).code).toBe(99991673)
})
