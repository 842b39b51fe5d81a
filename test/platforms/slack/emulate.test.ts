import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'emulate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createSlackPlatform, type SlackPlatform } from '../../../src/platforms/slack/index.js'
import { aFile, aMarker, aMessage, aTarget, INSTALLATION } from '../../support/slack/platform.js'
import { listen } from '../../support/slack/wire.js'

// A Slack nobody here wrote. Ids are the emulator's own for the first things it is seeded with.
const CHANNEL = 'C000000001'

const UserList = z.object({ members: z.array(z.object({ id: z.string(), name: z.string() })) })

let emulator: Emulator
let slack: SlackPlatform
const calledAtMs = Date.now()
const now = () => ({ firstAttemptAtMs: calledAtMs, lastAttemptAtMs: Date.now(), nowMs: Date.now() })

beforeAll(async () => {
  emulator = await createEmulator({
    service: 'slack',
    port: await freePort(),
    seed: { slack: { users: [{ name: 'ann', real_name: 'Ann' }] } },
  })
  slack = createSlackPlatform({
    apiUrl: `${emulator.url}/api/`,
    credentials: async () => ({
      token: 'xoxb-any',
      isOrgWide: false,
      appId: null,
      botId: null,
      botUserId: null,
    }),
  })
})
afterAll(async () => {
  await slack.close()
  await emulator.close()
})

describe('against emulate', () => {
  test('a message and its thread are sent, found, edited, linked and removed', async () => {
    const parent = await slack.send(aTarget({ conversationId: CHANNEL }), aMessage('question'), aMarker())
    expect(parent).toMatchObject({ kind: 'sent', inPlace: true })
    const anchor = parent.kind === 'sent' ? parent.messageId : ''
    const target = aTarget({ conversationId: CHANNEL, anchor })
    const marker = aMarker({ partIndex: 1 })

    expect(await slack.find(target, marker, now())).toEqual({ kind: 'absent' })
    const sent = await slack.send(target, aMessage('answer'), marker)
    expect(sent).toMatchObject({ kind: 'sent', inPlace: true })
    expect(await slack.find(target, marker, now())).toEqual(sent)
    const id = sent.kind === 'sent' ? sent.messageId : ''
    expect(await slack.edit(target, id, aMessage('better'), marker)).toEqual({ kind: 'edited' })
    expect(await slack.find(target, marker, now())).toEqual(sent)
    expect(await slack.permalink(target, id)).toContain(CHANNEL)
    expect(await slack.remove(target, id)).toEqual({ kind: 'edited' })
    expect(await slack.remove(target, id)).toEqual({ kind: 'edited' })
    expect(await slack.find(target, marker, now())).toEqual({ kind: 'absent' })
  })
  test('a file is shared and found', async () => {
    const target = aTarget({ conversationId: CHANNEL })
    const sent = await slack.send(target, aFile(), aMarker({ deliveryId: 'dlv_file' }))
    expect(sent).toMatchObject({ kind: 'sent', messageId: expect.stringMatching(/^\d+\.\d+$/) })
    expect(await slack.find(target, aMarker({ deliveryId: 'dlv_file' }), now())).toEqual(sent)
  })
  test('conversations are described and opened', async () => {
    expect(await slack.describe(INSTALLATION, 'T000000001', CHANNEL)).toMatchObject({
      surface: 'channel',
      name: 'general',
    })
    const direct = await slack.openDirect(INSTALLATION, 'T000000001', await someone())
    expect(direct).toMatchObject({ kind: 'facts', surface: 'direct' })
    const conversationId = direct.kind === 'facts' ? direct.conversationId : ''
    expect(await slack.describe(INSTALLATION, 'T000000001', conversationId)).toMatchObject({
      surface: 'direct',
    })
  })
  test('what it lacks is an absence and no crash', async () => {
    expect(await slack.personLocale(INSTALLATION, 'T000000001', await someone())).toBeNull()
    const missing = await slack.send(aTarget({ conversationId: 'C0NOWHERE1' }), aMessage(), aMarker())
    expect(missing).toMatchObject({ kind: 'conversation_dead', code: 'channel_not_found' })
  })
})

/** The seeded person; the emulator makes up the id. */
async function someone(): Promise<string> {
  const response = await fetch(`${emulator.url}/api/users.list`, {
    method: 'POST',
    headers: { authorization: 'Bearer x' },
  })
  const { members } = UserList.parse(await response.json())
  return members.find(({ name }) => name === 'ann')?.id ?? ''
}

/** emulate takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server, 0)
  await new Promise((resolve) => server.close(resolve))
  return port
}
