import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Platform } from '../../../src/deliver/platform.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { aMarker, aTarget, aText, credentialsAt, INSTALLATION, platformFor } from './lark-edge.js'

let fake: LarkFake
let platform: Platform

beforeEach(async () => {
  fake = await startLarkFake()
  platform = platformFor(fake)
})
afterEach(() => fake.close())

const describeChat = (id: string) => platform.describe(INSTALLATION, LARK.tenant, id)

describe('what Lark says a chat is', () => {
  test.each([
    { id: LARK.group, facts: { surface: 'channel', isTopicGroup: false, name: 'Operations' } },
    { id: LARK.direct, facts: { surface: 'direct', isTopicGroup: false, name: null } },
    { id: LARK.topicGroup, facts: { surface: 'channel', isTopicGroup: true, name: 'Questions' } },
  ])('$facts', async ({ id, facts }) => {
    expect(await describeChat(id)).toEqual({
      kind: 'facts',
      conversationId: id,
      isMember: null,
      isArchived: false,
      locale: null,
      ...facts,
    })
  })

  test.each([
    { mode: 'p2p', type: 'private', form: 'chat', expected: { surface: 'direct' } },
    { mode: 'group', type: 'p2p', form: 'chat', expected: { surface: 'direct' } },
    { mode: 'group', type: 'private', form: 'thread', expected: { surface: 'channel', isTopicGroup: true } },
    {
      mode: undefined,
      type: undefined,
      form: undefined,
      expected: { surface: 'channel', isTopicGroup: false },
    },
  ])('chat_mode $mode, chat_type $type, messages as $form', async ({ mode, type, form, expected }) => {
    const data = { chat_mode: mode, chat_type: type, group_message_type: form }
    fake.faults.next('im.chat.get', { kind: 'http', status: 200, body: JSON.stringify({ code: 0, data }) })
    expect(await describeChat(LARK.group)).toMatchObject(expected)
  })

  test('a dissolved chat, a foreign one and an unknown one are dead', async () => {
    const body = JSON.stringify({ code: 0, data: { chat_mode: 'group', chat_status: 'dissolved' } })
    fake.faults.next('im.chat.get', { kind: 'http', status: 200, body })
    expect(await describeChat(LARK.group)).toMatchObject({ kind: 'facts', isArchived: true })
    fake.dissolve(LARK.group)
    expect(await describeChat(LARK.group)).toMatchObject({ kind: 'conversation_dead', code: '232009' })
    expect(await describeChat(LARK.foreignGroup)).toMatchObject({ kind: 'conversation_dead', code: '232011' })
    expect(await describeChat('oc_unknown')).toMatchObject({ kind: 'conversation_dead', code: '232006' })
  })

  test('a chat that the app may not ask about is taken for a group', async () => {
    fake.faults.next('im.chat.get', { kind: 'code', code: 99991672 })
    expect(await describeChat(LARK.group)).toMatchObject({
      kind: 'facts',
      conversationId: LARK.group,
      surface: 'channel',
      name: null,
    })
  })
  test('a person is a direct conversation, without a call', async () => {
    expect(await describeChat(LARK.user)).toMatchObject({ surface: 'direct', conversationId: LARK.user })
    expect(await platform.openDirect(INSTALLATION, LARK.tenant, 'on_union')).toMatchObject({ kind: 'bug' })
    expect(await describeChat('C061EG9SL')).toMatchObject({ kind: 'bug' })
    expect(fake.calls).toEqual([])
  })
})

test('an open id of another app reaches nobody', async () => {
  fake.faults.next('im.message.create', { kind: 'code', code: 99992361, msg: 'open_id cross app' })
  expect(await platform.send(aTarget({ conversationId: LARK.user }), aText(), aMarker())).toMatchObject({
    kind: 'conversation_dead',
    code: '99992361',
  })
})

describe('clearing what the producer left', () => {
  const clear = (reaction: { message: string; name: string } | null) =>
    platform.clearAcknowledgement(aTarget(), { reaction, status: true })

  const react = async (app = LARK.appId, secret = LARK.appSecret) => {
    const { appId, appSecret } = credentialsAt(fake.url, { appId: app, appSecret: secret })
    const post = async (path: string, body: object, token = '') => {
      const response = await fetch(`${fake.url}/open-apis/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      })
      return response.json()
    }
    const grant = await post('auth/v3/tenant_access_token/internal', { app_id: appId, app_secret: appSecret })
    const token = String(Reflect.get(Object(grant), 'tenant_access_token'))
    const reaction = { reaction_type: { emoji_type: 'OnIt' } }
    await post(`im/v1/messages/${LARK.question}/reactions`, reaction, token)
  }

  test('takes our reaction of that name away, and nobody else’s', async () => {
    const { reactions } = fake.message(LARK.question)
    reactions.set('theirs', { emoji: 'OnIt', appId: LARK.storeAppId })
    await react()
    expect(reactions.size).toBe(2)
    expect(await clear({ message: LARK.question, name: 'OnIt' })).toBeNull()
    expect([...reactions.keys()]).toEqual(['theirs'])
  })

  test('nothing there is nothing to do', async () => {
    await react()
    expect(await clear({ message: LARK.question, name: 'DONE' })).toBeNull()
    expect(await clear({ message: 'om_unknown', name: 'OnIt' })).toBeNull()
    expect(await clear(null)).toBeNull()
    expect(fake.message(LARK.question).reactions.size).toBe(1)
  })

  test('a failure is told', async () => {
    fake.faults.next('im.messageReaction.list', { kind: 'code', code: 99991672 })
    expect(await clear({ message: LARK.question, name: 'OnIt' })).toMatchObject({ kind: 'installation_dead' })
  })
})

test('Lark knows no language of a person and no link to a message, and is not asked', async () => {
  expect(await platform.personLocale(INSTALLATION, LARK.tenant, LARK.user)).toBeNull()
  expect(await platform.permalink(aTarget(), LARK.question)).toBeNull()
  expect(fake.calls).toEqual([])
})
