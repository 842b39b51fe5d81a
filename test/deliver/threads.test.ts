import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aRun,
  type EngineUnderTest,
  inLark,
  inParts,
  inSlack,
  saying,
  slackTexts,
  startEngine,
} from '../support/engine.js'
import { LARK } from '../support/lark/seed.js'
import { SLACK } from '../support/slack/fake.js'

let engine: EngineUnderTest
beforeAll(async () => {
  engine = await startEngine()
})
afterEach(() => {
  engine.slack.faults.clear()
  engine.lark.faults.clear()
})
afterAll(() => engine.close())

const ours = (chat: string) => engine.lark.messages(chat).filter(({ sender }) => sender.kind === 'app')
const topicsIn = (chat: string) =>
  new Set(engine.lark.messages(chat).flatMap(({ threadId }) => threadId ?? [])).size
const hex = (prefix: string, digit: string) => `${prefix}_${digit.repeat(32)}`

/** A message of a person in a chat, perhaps in a topic. */
function ask(chat: string, id: string, thread: string | null): string {
  const world = engine.lark.world
  const message = {
    ...engine.lark.message(LARK.question),
    id,
    chatId: chat,
    threadId: thread,
    position: world.messages.size + 1,
  }
  world.messages.set(id, message)
  world.byChat.set(chat, [...(world.byChat.get(chat) ?? []), message])
  return id
}

describe('Lark', () => {
  test('THR-01: a topic is answered under its message, never by its own id and never beside it', async () => {
    const settled = await engine.deliver(
      aRun(inLark(LARK.topicGroup, { thread: LARK.topic, replyTo: LARK.topicQuestion })),
    )
    expect(settled).toMatchObject({ state: 'delivered' })
    expect(engine.lark.calls.filter(({ name }) => name === 'im.message.reply').at(-1)).toMatchObject({
      params: { message_id: LARK.topicQuestion },
      body: { reply_in_thread: true },
    })
    expect(ours(LARK.topicGroup).at(-1)?.threadId).toBe(LARK.topic)
  })

  test('THR-02: a reply known only by its message lands in the topic of that message', async () => {
    const topics = topicsIn(LARK.topicGroup)
    await engine.deliver(aRun(inLark(LARK.topicGroup, { replyTo: LARK.topicQuestion })))
    expect(ours(LARK.topicGroup).at(-1)?.threadId).toBe(LARK.topic)
    expect(topicsIn(LARK.topicGroup)).toBe(topics)
  })

  test('THR-03: a withdrawn question in a group is answered in the group', async () => {
    const group = engine.group()
    const question = ask(group, hex('om', '6'), null)
    engine.lark.recall(question)
    const settled = await engine.deliver(aRun(inLark(group, { replyTo: question }), saying('here')))
    expect(settled).toMatchObject({ state: 'delivered' })
    expect(ours(group)).toHaveLength(1)
    expect(ours(group)[0]?.parentId ?? null).toBeNull()
  })

  test('THR-04: a withdrawn question in a topic group opens no topic of its own', async () => {
    const question = ask(LARK.topicGroup, hex('om', '7'), hex('omt', '7'))
    engine.lark.recall(question)
    const topics = topicsIn(LARK.topicGroup)
    const settled = await engine.deliver(aRun(inLark(LARK.topicGroup, { replyTo: question })))
    expect(topicsIn(LARK.topicGroup)).toBe(topics)
    // Nobody of the topic is left to answer: the operator sees it, nobody else does.
    expect(settled).toMatchObject({ state: 'dead', reason: 'topic_empty' })
  })

  test('THR-04: another message of the topic is answered instead', async () => {
    const topic = hex('omt', '8')
    const question = ask(LARK.topicGroup, hex('om', '8'), topic)
    ask(LARK.topicGroup, hex('om', '9'), topic)
    engine.lark.recall(question)
    const settled = await engine.deliver(aRun(inLark(LARK.topicGroup, { replyTo: question })))
    expect(settled).toMatchObject({ state: 'delivered' })
    expect(ours(LARK.topicGroup).at(-1)?.threadId).toBe(topic)
  })

  test('THR-05: a silent run in a topic of a direct chat says so in the topic', async () => {
    const topic = hex('omt', '5')
    const question = ask(LARK.direct, hex('om', '5'), topic)
    await engine.deliver(
      aRun(inLark(LARK.direct, { kind: 'direct', thread: topic, replyTo: question }), saying('')),
    )
    expect(ours(LARK.direct).at(-1)?.threadId).toBe(topic)
    expect(ours(LARK.direct)).toHaveLength(1)
  })

  test('THR-06: a reply outside topics opens none', async () => {
    const group = engine.group()
    const question = ask(group, hex('om', 'a'), null)
    await engine.deliver(aRun(inLark(group, { replyTo: question })))
    expect(engine.lark.calls.filter(({ name }) => name === 'im.message.reply').at(-1)?.body).toMatchObject({
      reply_in_thread: false,
    })
    expect(topicsIn(group)).toBe(0)
  })
})

describe('Slack', () => {
  test('THR-07: an answer hangs under the parent and is not broadcast', async () => {
    const channel = engine.channel()
    const parent = engine.slack.say(channel)
    engine.slack.say(channel, 'a reply', parent)
    await engine.deliver(aRun(inSlack(channel, { thread: parent })))
    const post = engine.slack.callsOf('chat.postMessage').at(-1)
    expect(post?.args.get('thread_ts')).toBe(parent)
    expect(post?.args.has('reply_broadcast')).toBe(false)
  })

  test('THR-09: both parts of a direct answer stand in one place', async () => {
    const place = { kind: 'direct' }
    await engine.deliver(aRun(inSlack(SLACK.direct, place), inParts(2)))
    expect(engine.slack.messages(SLACK.direct, null).filter(({ botId }) => botId !== null)).toHaveLength(2)
    const thread = engine.slack.say(SLACK.direct)
    await engine.deliver(aRun(inSlack(SLACK.direct, { ...place, thread }), inParts(2)))
    expect(engine.slack.messages(SLACK.direct, thread)).toHaveLength(2)
  })

  for (const code of [
    'is_archived',
    'not_in_channel',
    'channel_not_found',
    'restricted_action',
    'user_not_found',
    'cannot_dm_bot',
  ])
    test(`THR-11: ${code} ends it at the first call, listed for the operator`, async () => {
      const [channel, other] = [engine.channel(), engine.channel()]
      engine.slack.faults.next({ method: 'chat.postMessage', channel }, { kind: 'error', code })
      const settled = await engine.deliver(aRun(inSlack(channel)))
      expect(settled).toMatchObject({ state: 'dead', reason: code })
      const story = await engine.story(settled.deliveryId)
      expect(story.attempts).toHaveLength(1)
      expect(story).toMatchObject({ reason: code, installationId: 'slack:T0TEAM0001', runId: settled.runId })
      expect(story.conversationKey).toContain(channel)
      expect(await engine.deliver(aRun(inSlack(other)))).toMatchObject({ state: 'delivered' })
    })

  test('THR-12: a dead channel is called once in the cool-down, then tried again', async () => {
    const channel = engine.channel()
    engine.slack.channel(channel).isArchived = true
    const calls = () => engine.slack.calls.filter((call) => call.channel === channel).length
    for (let tick = 0; tick < 10; tick += 1) {
      expect(await engine.deliver(aRun(inSlack(channel)))).toMatchObject({
        state: 'dead',
        reason: 'is_archived',
      })
      await engine.pass(600_000)
    }
    expect(calls()).toBe(1)
    engine.slack.channel(channel).isArchived = false
    await engine.pass(86_400_000)
    expect(await engine.deliver(aRun(inSlack(channel), saying('back')))).toMatchObject({ state: 'delivered' })
    expect(slackTexts(engine, channel)).toEqual(['back'])
  })

  test('THR-12: a person who cannot be written to is asked for once', async () => {
    const run = () => aRun({ platform: 'slack', user: 'U0NOBODY01' })
    for (let tick = 0; tick < 3; tick += 1)
      expect(await engine.deliver(run())).toMatchObject({ state: 'dead', reason: 'user_not_found' })
    expect(engine.slack.callsOf('conversations.open')).toHaveLength(1)
  })

  test('THR-12: a channel the platform says is back is written to at once', async () => {
    const channel = engine.channel()
    engine.slack.channel(channel).isArchived = true
    await engine.deliver(aRun(inSlack(channel)))
    engine.slack.channel(channel).isArchived = false
    await engine.app.engine.ledger.reviveConversation('slack:T0TEAM0001', channel)
    expect(await engine.deliver(aRun(inSlack(channel)))).toMatchObject({ state: 'delivered' })
  })

  test('THR-17: a stale direct channel is opened anew by its person', async () => {
    const run = () =>
      aRun(inSlack('D0OLD00001', { kind: 'direct' }), { trigger: { kind: 'user', requester: SLACK.user } })
    const before = engine.slack.messages(SLACK.direct).length
    const settled = await engine.deliver(run())
    expect(settled).toMatchObject({ state: 'delivered' })
    expect(engine.slack.messages(SLACK.direct)).toHaveLength(before + 1)
    expect((await engine.story(settled.deliveryId)).attempts.map(({ code }) => code)).toEqual([
      'channel_not_found',
      null,
    ])
    // The next one knows.
    const opens = engine.slack.callsOf('conversations.open').length
    const again = await engine.deliver(run())
    expect((await engine.story(again.deliveryId)).attempts.map(({ code }) => code)).toEqual([null])
    expect(engine.slack.callsOf('conversations.open')).toHaveLength(opens)
  })

  test('THR-17: without a person it is the end', async () => {
    const settled = await engine.deliver(aRun(inSlack('D0OLD00002', { kind: 'direct' })))
    expect(settled).toMatchObject({ state: 'dead', reason: 'channel_not_found' })
  })
})
