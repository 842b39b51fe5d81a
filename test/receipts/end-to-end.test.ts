import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type ApiUnderTest, producerWith, startApi } from '../support/api.js'
import { aRun, inLark, inSlack } from '../support/engine.js'
import { allCommitted } from '../support/outgoing.js'
import { type Receiver, startReceiver } from '../support/receiver.js'

let api: ApiUnderTest
let receiver: Receiver
let secret: string

beforeAll(async () => {
  api = await startApi({ everything: producerWith(null) })
  receiver = await startReceiver()
  const added = await api.engine.app.outgoing.webhooks.add({
    url: receiver.url,
    kinds: null,
    installationIds: null,
    mayBePrivate: true,
    createdBy: null,
  })
  secret = added.secret
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})

const Sent = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.looseObject({ deliveryId: z.string() }),
})

/** The event about a delivery, with its signature verified. */
async function eventOf(deliveryId: string): Promise<z.infer<typeof Sent>> {
  await allCommitted(api.engine.database)
  for (;;) {
    await api.engine.app.outgoing.sender.runOnce()
    for (const request of receiver.received) {
      const event = Sent.parse(receiver.verify(secret, request, Date.now()))
      if (event.data.deliveryId === deliveryId) return event
    }
  }
}

test('an answer that stands in Slack is told with a link to it, and without its text', async () => {
  const channel = api.engine.channel()
  const run = aRun(inSlack(channel), { outcome: { status: 'completed', output: 'very secret words' } })
  const { deliveryId } = await api.engine.deliver(run)
  const event = await eventOf(deliveryId)
  expect(event).toMatchObject({
    type: 'delivery.delivered',
    data: {
      state: 'delivered',
      decision: 'relay',
      conversationId: channel,
      locale: 'en',
      parts: [
        {
          state: 'sent',
          messageId: expect.any(String),
          permalink: expect.stringMatching(/^https:/),
          attempts: 1,
        },
      ],
      acceptedAt: expect.any(String),
      settledAt: expect.any(String),
    },
  })
  expect(JSON.stringify(event)).not.toContain('secret')
  const links = api.engine.slack.callsOf('chat.getPermalink').length
  await api.engine.app.outgoing.receipts(null, { after: null, limit: 10 })
  expect(api.engine.slack.callsOf('chat.getPermalink')).toHaveLength(links)
})

test('an answer that stands in Lark is told without a link, since there is none', async () => {
  const { deliveryId } = await api.engine.deliver(aRun(inLark(api.engine.group())))
  expect(await eventOf(deliveryId)).toMatchObject({
    type: 'delivery.delivered',
    data: { platform: 'lark', parts: [{ messageId: expect.stringMatching(/^om_/), permalink: null }] },
  })
})

test('silence is told with its reason', async () => {
  const run = aRun(inSlack(api.engine.channel()), { outcome: { status: 'completed', output: '' } })
  const { deliveryId } = await api.engine.deliver(run)
  expect(await eventOf(deliveryId)).toMatchObject({
    type: 'delivery.dropped',
    data: { state: 'dropped', reason: 'silent_channel', decision: 'drop', parts: [] },
  })
})
