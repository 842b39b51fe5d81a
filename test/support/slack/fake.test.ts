import { WebClient } from '@slack/web-api'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SLACK, type SlackFake, startSlackFake } from './fake.js'
import { aMarker, aMessage, aTarget, slackOn } from './platform.js'

const Answer = z.record(z.string(), z.unknown())

let nowMs = Date.UTC(2026, 10, 30, 10, 0, 0)
let fake: SlackFake
beforeAll(async () => {
  fake = await startSlackFake({ now: () => nowMs })
})
afterEach(() => fake.faults.clear())
afterAll(() => fake.close())

const call = async (
  method: string,
  args: Record<string, unknown> = {},
  on = fake,
): Promise<Record<string, unknown>> => {
  const body = new URLSearchParams(
    Object.entries(args).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  const headers = { authorization: `Bearer ${SLACK.token}` }
  const response = await fetch(`${on.apiUrl}${method}`, { method: 'POST', headers, body })
  return { status: response.status, ...Answer.parse(await response.json()) }
}
const post = (args: Record<string, unknown>) => call('chat.postMessage', { channel: SLACK.channel, ...args })
const x = (count: number) => 'x'.repeat(count)
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
const markdown = (text: string) => ({ type: 'markdown', text })
const cell = { type: 'raw_text', text: 'c' }
const table = (rows: number, cells: number) => ({
  type: 'table',
  rows: Array(rows).fill(Array(cells).fill(cell)),
})
const PIPES = '| a | b |\n| --- | --- |\n| 1 | 2 |'

describe('limits of a message', () => {
  const accepted = [
    { name: '50 blocks', blocks: Array(50).fill({ type: 'divider' }) },
    { name: 'a section of 3,000', blocks: [section(x(3_000))] },
    { name: 'a header of 150', blocks: [{ type: 'header', text: { type: 'plain_text', text: x(150) } }] },
    { name: '12,000 of markdown', blocks: [markdown(x(6_000)), markdown(x(6_000))] },
    { name: 'a table of 100 rows', blocks: [table(100, 20)] },
    { name: 'one table in markdown', blocks: [markdown(PIPES)] },
    { name: 'a second table shown as code', blocks: [markdown(`${PIPES}\n\n\`\`\`\n${PIPES}\n\`\`\``)] },
  ]
  for (const { name, blocks } of accepted) {
    test(`${name} are accepted`, async () =>
      expect(await post({ text: 't', blocks })).toMatchObject({ ok: true }))
  }
  const refused = [
    { name: '51 blocks', blocks: Array(51).fill({ type: 'divider' }), error: 'msg_blocks_too_many' },
    { name: 'a section of 3,001', blocks: [section(x(3_001))], error: 'invalid_blocks' },
    { name: 'an empty section', blocks: [section('')], error: 'invalid_blocks' },
    {
      name: 'a header of 151',
      blocks: [{ type: 'header', text: { type: 'plain_text', text: x(151) } }],
      error: 'invalid_blocks',
    },
    {
      name: 'a header in mrkdwn',
      blocks: [{ type: 'header', text: { type: 'mrkdwn', text: 'h' } }],
      error: 'invalid_blocks',
    },
    { name: 'an unknown block', blocks: [{ type: 'hologram' }], error: 'invalid_blocks' },
    {
      name: '12,001 of markdown over two blocks',
      blocks: [markdown(x(6_000)), markdown(x(6_001))],
      error: 'msg_blocks_too_long',
    },
    {
      name: '13,001 of all text',
      blocks: [markdown(x(10_001)), section(x(3_000))],
      error: 'msg_blocks_too_long',
    },
    { name: '101 rows', blocks: [table(101, 1)], error: 'invalid_blocks' },
    { name: '21 cells', blocks: [table(1, 21)], error: 'invalid_blocks' },
    { name: 'two tables', blocks: [table(1, 1), table(1, 1)], error: 'invalid_attachments' },
    {
      name: 'a table block and one in markdown',
      blocks: [table(1, 1), markdown(PIPES)],
      error: 'invalid_attachments',
    },
    { name: 'blocks that are no list', blocks: { type: 'divider' }, error: 'invalid_blocks_format' },
  ]
  for (const { name, blocks, error } of refused) {
    test(`${name}: ${error}`, async () =>
      expect(await post({ text: 't', blocks })).toMatchObject({ ok: false, error }))
  }
  test('no words at all: no_text', async () => expect(await post({})).toMatchObject({ error: 'no_text' }))
  test('an argument Slack does not know is a mistake', async () => {
    expect(await post({ text: 't', client_msg_id: 'x' })).toMatchObject({ error: 'invalid_arguments' })
    expect(await call('chat.postMesage')).toMatchObject({ error: 'unknown_method' })
  })
  test('text beyond 40,000 is cut with a warning', async () => {
    expect(await post({ text: x(40_001) })).toMatchObject({ ok: true, warning: 'message_truncated' })
    expect(fake.messages(SLACK.channel).at(-1)?.text).toHaveLength(40_000)
  })
})

describe('metadata', () => {
  const rows = [
    { metadata: { event_type: 'a' }, error: 'invalid_metadata_format' },
    { metadata: 'not json', error: 'invalid_metadata_format' },
    {
      metadata: { event_type: 'a', event_payload: { deep: { er: { x: 1 } } } },
      error: 'invalid_metadata_schema',
    },
    { metadata: { event_type: 'a', event_payload: { nothing: null } }, error: 'invalid_metadata_schema' },
    { metadata: { event_type: 'a', event_payload: { big: x(20_000) } }, error: 'metadata_too_large' },
  ]
  for (const { metadata, error } of rows) {
    test(`${JSON.stringify(metadata).slice(0, 60)}: ${error}`, async () =>
      expect(await post({ text: 't', metadata })).toMatchObject({ error }))
  }
  test('is only given to those who ask', async () => {
    const metadata = {
      event_type: 'a',
      event_payload: { id: 'x', n: 1, ok: true, flat: { a: 1 }, list: [{ a: 1 }] },
    }
    await post({ text: 't', metadata })
    const read = (more: object) =>
      call('conversations.history', { channel: SLACK.channel, limit: '1', ...more })
    expect(await read({ include_all_metadata: 'true' })).toMatchObject({ messages: [{ metadata }] })
    expect(JSON.stringify(await read({}))).not.toContain('event_payload')
  })
})

describe('reading', () => {
  test('history is newest first and without replies; replies are oldest first under their parent', async () => {
    const parent = fake.say(SLACK.private, 'one')
    const reply = fake.say(SLACK.private, 'two', parent)
    const next = fake.say(SLACK.private, 'three')
    const ts = (answer: Record<string, unknown>) => JSON.stringify(answer.messages).match(/"ts":"[^"]+"/g)
    const quoted = (...all: string[]) => all.map((each) => `"ts":"${each}"`)
    expect(ts(await call('conversations.history', { channel: SLACK.private }))).toEqual(quoted(next, parent))
    expect(ts(await call('conversations.replies', { channel: SLACK.private, ts: parent }))).toEqual(
      quoted(parent, reply),
    )
    const window = { oldest: parent, latest: next }
    expect(ts(await call('conversations.history', { channel: SLACK.private, ...window }))).toBeNull()
    expect(
      ts(await call('conversations.history', { channel: SLACK.private, inclusive: 'true', ...window })),
    ).toEqual(quoted(next, parent))
  })
  test('a restricted app gets fifteen messages and one call a minute', async () => {
    const strict = await startSlackFake({ isRestricted: true, now: () => nowMs })
    for (let n = 0; n < 20; n += 1) strict.say(SLACK.channel)
    const read = () => call('conversations.history', { channel: SLACK.channel, limit: '100' }, strict)
    expect(await read()).toMatchObject({ has_more: true, messages: { length: 15 } })
    expect(await read()).toMatchObject({ status: 429 })
    nowMs += 60_000
    expect(await read()).toMatchObject({ ok: true })
    await strict.close()
  })
  test('scopes are named when they are missing', async () => {
    fake.token(SLACK.token).scopes.delete('groups:history')
    expect(await call('conversations.history', { channel: SLACK.private })).toMatchObject({
      error: 'missing_scope',
      needed: 'groups:history',
      provided: expect.stringContaining('chat:write'),
    })
    fake.token(SLACK.token).scopes.add('groups:history')
  })
  test('auth.test carries ids and scopes', async () => {
    const client = new WebClient(SLACK.token, { slackApiUrl: fake.apiUrl, retryConfig: { retries: 0 } })
    expect(await client.auth.test()).toMatchObject({
      team_id: SLACK.team,
      bot_id: SLACK.bot,
      user_id: SLACK.botUser,
      response_metadata: { scopes: expect.arrayContaining(['chat:write', 'im:history']) },
    })
  })
})

test('one message a second a channel, after a burst', async () => {
  const paced = await startSlackFake({ postRate: { perSecond: 1, burst: 2 }, now: () => nowMs })
  const say = (channel: string) => call('chat.postMessage', { channel, text: 't' }, paced)
  const statuses = []
  for (const channel of [SLACK.channel, SLACK.channel, SLACK.channel, SLACK.private]) {
    statuses.push((await say(channel)).status)
  }
  expect(statuses).toEqual([200, 200, 429, 200])
  nowMs += 1_000
  expect((await say(SLACK.channel)).status).toBe(200)
  await paced.close()
})

describe('faults', () => {
  test('happen once, in order, to the calls they name', async () => {
    fake.faults.next(
      { method: 'chat.postMessage', channel: SLACK.private },
      { kind: 'error', code: 'fatal_error' },
    )
    expect(await post({ text: 't' })).toMatchObject({ ok: true })
    expect(await post({ text: 't', channel: SLACK.private })).toMatchObject({ error: 'fatal_error' })
    expect(await post({ text: 't', channel: SLACK.private })).toMatchObject({ ok: true })
  })
  test('a storm decides for each call', async () => {
    fake.faults.decide(({ number }) => (number % 2 === 0 ? { kind: 'rate_limit', retryAfter: '1' } : null))
    const statuses = new Set<unknown>()
    for (let n = 0; n < 4; n += 1) statuses.add((await post({ text: 't' })).status)
    expect(statuses).toEqual(new Set([200, 429]))
  })
  test('a cut connection may commit later: a look-up at once would miss it', async () => {
    const slack = slackOn(fake, {}, { nowMs: () => nowMs })
    const window = { firstAttemptAtMs: nowMs, lastAttemptAtMs: nowMs, nowMs }
    const marker = aMarker({ deliveryId: 'dlv_late' })
    fake.faults.next('chat.postMessage', { kind: 'late_commit', delayMs: 100 })
    expect((await slack.send(aTarget(), aMessage(), marker)).kind).toBe('unknown')
    expect(await slack.find(aTarget(), marker, window)).toEqual({ kind: 'absent' })
    await fake.idle()
    expect(await slack.find(aTarget(), marker, window)).toMatchObject({ kind: 'sent' })
    await slack.close()
  })
  test('a fake can be started again on its port', async () => {
    const first = await startSlackFake()
    await first.close()
    const second = await startSlackFake({ port: first.port })
    expect(second.apiUrl).toBe(first.apiUrl)
    await second.close()
  })
})
