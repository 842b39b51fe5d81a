import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLease } from '../../../src/deliver/lease.js'
import { createSlackClients } from '../../../src/platforms/slack/client.js'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import {
  aMarker,
  aMessage,
  aTarget,
  CREDENTIALS,
  INSTALLATION,
  slackOn,
} from '../../support/slack/platform.js'

let fake: SlackFake
beforeAll(async () => {
  const team = 'T0TEAM0002'
  fake = await startSlackFake({
    seed: {
      tokens: [{ token: 'xoxb-fake-2', team, botUserId: 'U0BOT00002', botId: 'B0BOT00002' }],
      channels: [{ id: 'C0SECOND01', team, kind: 'public', members: ['U0BOT00002'] }],
    },
  })
})
afterAll(() => fake.close())

test('each workspace is called with its own token, however they alternate', async () => {
  const tokens: Readonly<Record<string, string>> = { one: SLACK.token, two: 'xoxb-fake-2' }
  const slack = slackOn(
    fake,
    {},
    { credentials: async (id) => ({ ...CREDENTIALS, token: tokens[id] ?? '' }) },
  )
  fake.clearCalls()
  for (const id of ['one', 'two', 'one', 'two']) {
    const conversationId = id === 'one' ? SLACK.channel : 'C0SECOND01'
    const target = aTarget({ installation: { ...INSTALLATION, id }, conversationId })
    expect(await slack.send(target, aMessage(), aMarker())).toMatchObject({ kind: 'sent' })
  }
  expect(fake.calls.map(({ token }) => token)).toEqual([
    SLACK.token,
    'xoxb-fake-2',
    SLACK.token,
    'xoxb-fake-2',
  ])
  await slack.close()
})

test('a client is kept, and the one unused for longest is dropped beyond the cap', async () => {
  const clients = createSlackClients({ apiUrl: fake.apiUrl, maxClients: 2 })
  const a = clients.get('a')
  const b = clients.get('b')
  expect(clients.get('a')).toBe(a)
  clients.get('c')
  expect(clients.size).toBe(2)
  expect(clients.get('a')).toBe(a)
  expect(clients.get('b')).not.toBe(b)
  await clients.close()
})

test('a client holds no token, retries nothing and cannot be sent to another host', async () => {
  const clients = createSlackClients({ apiUrl: fake.apiUrl })
  const client = clients.get('a')
  expect(client.token).toBeUndefined()
  await expect(client.apiCall('auth.test')).rejects.toMatchObject({ data: { error: 'not_authed' } })
  await expect(client.apiCall('http://127.0.0.1:1/steal', { token: 'x' })).rejects.toBeInstanceOf(Error)
  expect(fake.calls.at(-1)?.method).toContain('http://127.0.0.1:1/steal')
  await clients.close()
})

test('neither words nor tokens reach the console, whatever goes wrong', async () => {
  const written: unknown[] = []
  const spies = (['debug', 'info', 'log', 'warn', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...args: unknown[]) => void written.push(args)),
  )
  const slack = slackOn(fake)
  for (const fault of [
    null,
    { kind: 'reset', when: 'before' },
    { kind: 'rate_limit', retryAfter: '1' },
  ] as const) {
    if (fault) fake.faults.next('chat.postMessage', fault)
    await slack.send(aTarget(), aMessage(''), aMarker())
  }
  for (const spy of spies) spy.mockRestore()
  await slack.close()
  expect(written).toEqual([])
})

test('a process that may be taken for dead cuts the call under way and makes no other, until it is heard again', async () => {
  let nowMs = 0
  const lease = createLease(() => nowMs)
  const slack = slackOn(fake, {}, { lease })
  const silence = () => {
    nowMs += 20_000
    lease.check()
  }
  lease.renew(nowMs)
  fake.faults.next('chat.postMessage', { kind: 'hang', when: 'before' })
  const calls = fake.callsOf('chat.postMessage').length
  const underWay = slack.send(aTarget(), aMessage(), aMarker())
  await vi.waitFor(() => expect(fake.callsOf('chat.postMessage').length).toBe(calls + 1), { interval: 5 })
  silence()
  expect(await underWay).toMatchObject({ kind: 'unknown', code: 'cut_off' })
  expect(await slack.send(aTarget(), aMessage(), aMarker())).toMatchObject({
    kind: 'not_sent',
    code: 'lease_lapsed',
  })
  expect(fake.callsOf('chat.postMessage').length).toBe(calls + 1)
  lease.renew(nowMs)
  expect(await slack.send(aTarget(), aMessage(), aMarker())).toMatchObject({ kind: 'sent' })
  await slack.close()
})
