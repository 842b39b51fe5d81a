import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createWords } from '../../src/locales.js'
import { type ApiUnderTest, producerWith, startApi } from '../support/api.js'
import {
  aRun,
  failing,
  inLark,
  inSlack,
  LARK_INSTALLATION,
  SLACK_INSTALLATION,
  saying,
} from '../support/engine.js'
import { ENCRYPT_KEY, encrypted, signed, VERIFICATION_TOKEN } from '../support/lark/events.js'
import { LARK } from '../support/lark/seed.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { SLACK } from '../support/slack/fake.js'
import { SIGNING_SECRET, signatureOf } from '../support/slack/installs.js'

const words = createWords()
let api: ApiUnderTest
let replies: Receiver

beforeAll(async () => {
  replies = await startReceiver()
  api = await startApi(
    { everything: producerWith(null) },
    {
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      LARK_ENCRYPT_KEY: ENCRYPT_KEY,
      LARK_VERIFICATION_TOKEN: VERIFICATION_TOKEN,
    },
    { slackReplyOrigins: [new URL(replies.url).origin] },
  )
})
afterAll(async () => {
  await api.close()
  await replies.close()
})
beforeEach(() => replies.clear())

const asked = { buttons: ['continue', 'retry', 'feedback'], trigger: { kind: 'user', requester: SLACK.user } }
const nowSeconds = () => Math.floor(Date.now() / 1_000)

interface SlackPressing {
  readonly action: string
  readonly value: string
  readonly channel: string
  readonly message: string
  readonly person?: string
  readonly team?: string
}

function slackBody({
  action,
  value,
  channel,
  message,
  person = SLACK.user,
  team = SLACK.team,
}: SlackPressing): string {
  const payload = {
    type: 'block_actions',
    user: { id: person, team_id: team },
    team: { id: team },
    container: { type: 'message', message_ts: message, channel_id: channel },
    channel: { id: channel },
    response_url: replies.url,
    actions: [{ type: 'button', action_id: action, block_id: 'b', value }],
  }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}

async function post(
  body: string,
  atSeconds = nowSeconds(),
  signature = signatureOf(body, atSeconds, SIGNING_SECRET),
) {
  return fetch(`${api.url}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(atSeconds),
      'x-slack-signature': signature,
    },
    body,
  })
}

async function onSlack(change: object) {
  const channel = api.engine.channel()
  const { deliveryId } = await api.engine.deliver(aRun(inSlack(channel), { ...asked, ...change }))
  const message = api.engine.slack.messages(channel).find(({ botId }) => botId !== null)
  if (message === undefined) throw new TypeError('nothing was posted')
  return { deliveryId, channel, message: message.ts, shown: () => JSON.stringify(blocksOf(channel)) }
}

function blocksOf(channel: string) {
  return api.engine.slack
    .messages(channel)
    .filter(({ botId }) => botId !== null)
    .map(({ blocks }) => blocks)
}

const presses = (deliveryId: string) =>
  api.engine.receipts('button.pressed').then((all) => all.filter((one) => one.deliveryId === deliveryId))

/** What the pressing person was told, and nobody else. */
async function heard(number = 1): Promise<string> {
  await vi.waitFor(() => expect(replies.received).toHaveLength(number), { interval: 5 })
  const reply = JSON.parse(replies.received.at(-1)?.body ?? '{}')
  expect(reply).toMatchObject({ response_type: 'ephemeral', replace_original: false })
  return String(reply.text)
}

describe('buttons on Slack', () => {
  test('retry under a failure: told to the producer, and the message says so', async () => {
    const { deliveryId, channel, message, shown } = await onSlack(failing())
    expect(shown()).toContain('"action_id":"retry"')
    expect(shown()).not.toContain('"action_id":"continue"')
    const response = await post(slackBody({ action: 'retry', value: deliveryId, channel, message }))
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(await presses(deliveryId)).toEqual([
      expect.objectContaining({
        runId: expect.stringMatching(/^run_/),
        deliveryId,
        button: 'retry',
        person: SLACK.user,
        platform: 'slack',
        installationId: SLACK_INSTALLATION,
        conversationId: channel,
      }),
    ])
    await vi.waitFor(() => expect(shown()).toContain(words.say('en', 'button.done.retry')), { interval: 5 })
    expect(shown()).not.toContain('action_id')
    expect(replies.received).toEqual([])
  })

  test('continue under a cut answer keeps the answer', async () => {
    const cut = { outcome: { status: 'truncated', partialOutput: 'So far I found this.' } }
    const { deliveryId, channel, message, shown } = await onSlack(cut)
    await post(slackBody({ action: 'continue', value: deliveryId, channel, message }))
    await vi.waitFor(() => expect(shown()).toContain(words.say('en', 'button.done.continue')), {
      interval: 5,
    })
    expect(shown()).toContain('So far I found this.')
  })

  test('the same press again is one event', async () => {
    const { deliveryId, channel, message } = await onSlack(failing())
    const body = slackBody({ action: 'retry', value: deliveryId, channel, message })
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await presses(deliveryId)).toHaveLength(1)
  })

  test("feedback in a channel is everybody's, and thanked for in the reader's language", async () => {
    const { deliveryId, channel, message, shown } = await onSlack(saying('The answer.'))
    api.engine.slack.add({ users: [{ id: 'U0GERMAN1', team: SLACK.team, locale: 'de-DE' }] })
    await post(slackBody({ action: 'good', value: deliveryId, channel, message, person: 'U0GERMAN1' }))
    expect(await heard()).toBe(words.say('de', 'button.done.good'))
    await post(slackBody({ action: 'bad', value: deliveryId, channel, message }))
    expect(await heard(2)).toBe(words.say('zh-Hans', 'button.done.bad'))
    expect((await presses(deliveryId)).map(({ button, person }) => [button, person])).toEqual([
      ['good', 'U0GERMAN1'],
      ['bad', SLACK.user],
    ])
    expect(shown()).toContain('"action_id":"good"')
  })

  test.each([
    ['somebody else', { person: 'U0OTHER99' }, 'en', 'button.not_yours'],
    ['another message', { message: '1.000001' }, 'zh-Hans', 'button.expired'],
    ['a delivery that is not there', { value: 'dlv_none' }, 'en', 'button.expired'],
    ['another workspace', { team: 'T0ELSEWHERE' }, 'en', 'button.expired'],
    ['a button that was not offered', { action: 'continue' }, 'zh-Hans', 'button.expired'],
  ] as const)(
    'a press from %s is answered and counts for nothing more',
    async (_name, change, language, key) => {
      const { deliveryId, channel, message } = await onSlack({ ...failing(), buttons: ['retry'] })
      const pressing = { action: 'retry', value: deliveryId, channel, message, ...change }
      expect((await post(slackBody(pressing))).status).toBe(200)
      expect(await heard()).toBe(words.say(language, key))
      expect(await presses(deliveryId)).toEqual([])
    },
  )

  test('a forged or an old request is refused before it is read', async () => {
    const { deliveryId, channel, message } = await onSlack(failing())
    const body = slackBody({ action: 'retry', value: deliveryId, channel, message })
    const old = nowSeconds() - 600
    const refused = [
      await post(body, nowSeconds(), signatureOf(body, nowSeconds(), 'another secret')),
      await post(`${body}&x=1`, nowSeconds(), signatureOf(body, nowSeconds(), SIGNING_SECRET)),
      await post(body, old),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(await presses(deliveryId)).toEqual([])
  })

  test('an edit that Slack refuses for a moment is made later', async () => {
    const { deliveryId, channel, message, shown } = await onSlack(failing())
    api.engine.slack.faults.next('chat.update', { kind: 'error', code: 'service_unavailable' })
    await post(slackBody({ action: 'retry', value: deliveryId, channel, message }))
    await vi.waitFor(() => expect(api.engine.slack.callsOf('chat.update').length).toBeGreaterThan(0), {
      interval: 5,
    })
    await vi.waitFor(
      async () => {
        // Each time: when the refusal is written down, and so when it is due again, is not ours to know.
        await api.engine.clock.pass(30_000)
        await api.engine.app.buttons.runOnce()
        expect(shown()).toContain(words.say('en', 'button.done.retry'))
      },
      { interval: 20 },
    )
  })

  test('an answer to another host than Slack is not sent', async () => {
    const { deliveryId, channel, message } = await onSlack({ ...failing(), buttons: ['retry'] })
    const body = slackBody({ action: 'retry', value: deliveryId, channel, message, person: 'U0OTHER99' })
    const elsewhere = body.replaceAll(encodeURIComponent('127.0.0.1'), 'localhost')
    expect((await post(elsewhere)).status).toBe(200)
    await api.engine.app.buttons.stop()
    expect(replies.received).toEqual([])
  })
})

const Toast = z.object({
  toast: z.object({ type: z.string(), content: z.string(), i18n: z.record(z.string(), z.string()) }),
})

describe('buttons on Lark', () => {
  async function onLark(change: object) {
    const chat = api.engine.group()
    const run = { ...asked, trigger: { kind: 'user', requester: LARK.user }, ...change }
    const { deliveryId } = await api.engine.deliver(aRun(inLark(chat), run))
    const [message] = api.engine.lark.messages(chat)
    if (message === undefined) throw new TypeError('nothing was posted')
    return {
      deliveryId,
      chat,
      message: message.id,
      shown: () => JSON.stringify(api.engine.lark.messages(chat)),
    }
  }

  function larkBody(
    action: string,
    value: string,
    chat: string,
    message: string,
    person = LARK.user,
  ): string {
    return encrypted(
      JSON.stringify({
        schema: '2.0',
        header: {
          event_id: `ev_${Math.random().toString(36).slice(2)}`,
          event_type: 'card.action.trigger',
          create_time: String(Date.now() * 1_000),
          token: VERIFICATION_TOKEN,
          app_id: LARK.appId,
          tenant_key: LARK.tenant,
        },
        event: {
          operator: { tenant_key: LARK.tenant, open_id: person },
          token: 'c-update',
          action: { value: { action, value }, tag: 'button' },
          context: { open_message_id: message, open_chat_id: chat },
        },
      }),
    )
  }

  async function send(body: string, headers = signed(body)) {
    const response = await fetch(`${api.url}/lark/events/${LARK.appId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return { status: response.status, body: await response.json() }
  }

  test('a press is told once, answered in every language, and shown', async () => {
    const { deliveryId, chat, message, shown } = await onLark(failing())
    for (let n = 0; n < 2; n += 1) {
      const answer = await send(larkBody('retry', deliveryId, chat, message))
      const { toast } = Toast.parse(answer.body)
      expect(toast).toMatchObject({ type: 'success', content: words.say('en', 'button.done.retry') })
      expect(toast.i18n.zh_cn).toBe(words.say('zh-Hans', 'button.done.retry'))
    }
    expect(await presses(deliveryId)).toEqual([
      expect.objectContaining({
        button: 'retry',
        person: LARK.user,
        platform: 'lark',
        installationId: LARK_INSTALLATION,
      }),
    ])
    await api.engine.clock.pass(2_000)
    await vi.waitFor(
      async () => {
        await api.engine.app.buttons.runOnce()
        expect(shown()).toContain(words.say('en', 'button.done.retry'))
      },
      { interval: 20 },
    )
    expect(shown()).not.toMatch(/"tag\\*":\\*"button/)
  })

  test("another person's press and one of another chat are told so", async () => {
    const { deliveryId, chat, message } = await onLark(failing())
    const theirs = await send(larkBody('retry', deliveryId, chat, message, 'ou_other'))
    expect(Toast.parse(theirs.body).toast.content).toBe(words.say('en', 'button.not_yours'))
    const elsewhere = await send(larkBody('retry', deliveryId, 'oc_elsewhere', message))
    expect(Toast.parse(elsewhere.body).toast.content).toBe(words.say('en', 'button.expired'))
    expect(await presses(deliveryId)).toEqual([])
  })

  test('an app whose tenant the settings do not name knows its own buttons', async () => {
    const named = api
    api = await startApi(
      {},
      { LARK_ENCRYPT_KEY: ENCRYPT_KEY, LARK_VERIFICATION_TOKEN: VERIFICATION_TOKEN, LARK_TENANT_KEY: '' },
    )
    try {
      const { deliveryId, chat, message } = await onLark(failing())
      const answer = await send(larkBody('retry', deliveryId, chat, message))
      expect(Toast.parse(answer.body).toast.content).toBe(words.say('en', 'button.done.retry'))
      expect(await presses(deliveryId)).toHaveLength(1)
    } finally {
      await api.close()
      api = named
    }
  })

  test('a forged callback is refused', async () => {
    const { deliveryId, chat, message } = await onLark(failing())
    const body = larkBody('retry', deliveryId, chat, message)
    expect((await send(body, signed(body, { key: 'another key' }))).status).toBe(401)
    const used = signed(body)
    await send(body, used)
    expect((await send(body, used)).status).toBe(409)
    expect(await presses(deliveryId)).toHaveLength(1)
  })
})
