import { createServer } from 'node:http'
import { App, LogLevel } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeServer, listenOnLoopback } from '../../src/sandbox/loopback.js'
import { type SlackSandbox, startSlack } from '../../src/sandbox/slack.js'

let slack: SlackSandbox
let client: WebClient

beforeAll(async () => {
  slack = await startSlack()
  client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } })
})
afterAll(() => slack.close())

test('the bot knows itself and its workspace', async () => {
  expect(await client.auth.test()).toMatchObject({
    team_id: slack.workspace,
    user_id: slack.botUserId,
    bot_id: 'B0SANDBOX',
  })
})

test('the channel is a channel with the bot in it, the direct conversation an im', async () => {
  const channel = await client.conversations.info({ channel: slack.channel })
  const direct = await client.conversations.info({ channel: slack.directChannel })
  expect(channel.channel).toMatchObject({ is_channel: true, is_im: false, is_member: true })
  expect(direct.channel).toMatchObject({ is_im: true, user: slack.userId })
})

test('opening the conversation with the person gives the seeded one', async () => {
  const opened = await client.conversations.open({ users: slack.userId })
  expect(opened.channel?.id).toBe(slack.directChannel)
})

test('a message in the thread is found again with its metadata', async () => {
  const metadata = { event_type: 'lastword', event_payload: { delivery_id: 'd1', part: 0 } }
  const sent = await client.chat.postMessage({
    channel: slack.channel,
    thread_ts: slack.thread,
    text: 'hello',
    metadata,
  })
  const replies = await client.conversations.replies({
    channel: slack.channel,
    ts: slack.thread,
    include_all_metadata: true,
  })
  expect(replies.messages?.map(({ ts }) => ts)).toEqual([slack.thread, sent.ts])
  expect(replies.messages?.at(-1)?.metadata).toEqual(metadata)
  expect((await slack.replies(slack.channel, slack.thread)).at(-1)).toMatchObject({ text: 'hello' })
})

test('a message can be changed, deleted and answered with a file', async () => {
  const { ts = '' } = await client.chat.postMessage({ channel: slack.directChannel, text: 'one' })
  await client.chat.update({ channel: slack.directChannel, ts, text: 'two' })
  const changed = (await slack.history(slack.directChannel)).at(-1)
  await client.chat.delete({ channel: slack.directChannel, ts })
  await client.filesUploadV2({ channel_id: slack.directChannel, filename: 'answer.md', content: '# 答案' })
  const last = (await slack.history(slack.directChannel)).at(-1)
  expect(changed).toMatchObject({ ts, text: 'two' })
  expect(last).toMatchObject({ files: [expect.objectContaining({ name: 'answer.md' })] })
})

test('a Bolt app works against it', async () => {
  const app = new App({
    token: slack.botToken,
    signingSecret: 'sandbox',
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    deferInitialization: true,
  })
  await app.init()
  expect(await app.client.chat.postMessage({ channel: slack.channel, text: 'from Bolt' })).toMatchObject({
    ok: true,
  })
})

test('a port that is taken is a plain error', async () => {
  const other = createServer()
  const port = await listenOnLoopback(other, 0)
  await expect(startSlack(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await closeServer(other)
})
