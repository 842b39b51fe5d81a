import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  aRun,
  type EngineUnderTest,
  inLark,
  inSlack,
  LARK_INSTALLATION,
  SLACK_INSTALLATION,
  saying,
  startEngine,
} from '../support/engine.js'
import { LARK } from '../support/lark/seed.js'

let engine: EngineUnderTest
beforeAll(async () => {
  engine = await startEngine()
})
afterEach(async () => {
  engine.slack.faults.clear()
  engine.lark.faults.clear()
  await engine.database.pool.query(`update installations set state = 'active'`)
})
afterAll(() => engine.close())

const stateOf = async (installationId: string) =>
  (
    await engine.database.db
      .selectFrom('installations')
      .select('state')
      .where('id', '=', installationId)
      .executeTakeFirstOrThrow()
  ).state

test('a chat that refuses the plain reply as it refused the topic is given up after both', async () => {
  let replies = 0
  engine.lark.faults.next(
    ({ name }) => {
      if (name !== 'im.message.reply') return false
      replies += 1
      return true
    },
    { kind: 'code', code: 230071 },
    20,
  )
  const settled = await engine.deliver(
    aRun(inLark(LARK.topicGroup, { thread: LARK.topic, replyTo: LARK.topicQuestion }), saying('here')),
  )
  expect(settled).toMatchObject({ state: 'dead', reason: '230071' })
  expect(replies).toBe(2)
})

test('a topic that sends a part to and fro is given up after a few moves', async () => {
  let replies = 0
  // Topics are not for this chat; then the message is gone; and so on.
  engine.lark.faults.always(
    ({ name }) => {
      if (name === 'im.message.reply') replies += 1
      return name === 'im.message.reply' && replies % 2 === 1
    },
    { kind: 'code', code: 230071 },
  )
  engine.lark.faults.always('im.message.reply', { kind: 'code', code: 230011 })
  const settled = await engine.deliver(
    aRun(inLark(LARK.topicGroup, { thread: LARK.topic, replyTo: LARK.topicQuestion }), saying('here')),
  )
  expect(settled).toMatchObject({ state: 'dead' })
  expect(replies).toBeLessThanOrEqual(6)
})

test('a token that is refused where a conversation is asked about parks its installation like any other', async () => {
  const channel = engine.channel()
  engine.slack.faults.decide((call) =>
    call.method === 'conversations.info' && call.channel === channel
      ? { kind: 'error', code: 'token_expired' }
      : null,
  )
  const [id = ''] = await engine.accept(aRun({ platform: 'slack', channel }))
  await engine.quiet()
  expect(await stateOf(SLACK_INSTALLATION)).toBe('parked')
  expect(await engine.story(id)).toMatchObject({ state: 'parked' })
})

test('a token that is refused in a look-up parks its installation like any other', async () => {
  const channel = engine.channel()
  engine.slack.faults.next({ method: 'chat.postMessage', channel }, { kind: 'reset', when: 'after' })
  engine.slack.faults.decide((call) =>
    call.method === 'conversations.history' ? { kind: 'error', code: 'token_expired' } : null,
  )
  const [id = ''] = await engine.accept(aRun(inSlack(channel)))
  await engine.quiet()
  await engine.pass(10_000)
  expect(await stateOf(SLACK_INSTALLATION)).toBe('parked')
  expect(await engine.story(id)).toMatchObject({ state: 'parked' })
})

test('a fresh token that is refused again where a chat is asked about closes the gate', async () => {
  engine.lark.faults.always('im.chat.get', { kind: 'code', code: 99991663 })
  const calls = () => engine.lark.calls.filter(({ name }) => name === 'im.chat.get').length
  const groups = Array.from({ length: 8 }, () => engine.group())
  await engine.accept(...groups.map((chat) => aRun({ platform: 'lark', chat })))
  await engine.quiet()
  const before = calls()
  await engine.pass(30_000)
  expect(calls()).toBe(before)
  expect(await stateOf(LARK_INSTALLATION)).toBe('active')
})
