import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import type { LarkFault } from '../../support/lark/faults.js'
import { tokenOf } from '../../support/lark/request.js'
import { LARK } from '../../support/lark/seed.js'

let fake: LarkFake
let token: string
beforeEach(async () => {
  fake = await startLarkFake()
  token = await tokenOf(fake)
})
afterEach(() => fake.close())

/** What the caller learns: a status and the body, or that the connection failed. */
async function send(signal?: AbortSignal): Promise<string> {
  try {
    const response = await fetch(`${fake.url}/open-apis/im/v1/messages?receive_id_type=chat_id`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ receive_id: LARK.group, msg_type: 'text', content: '{"text":"x"}' }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    return `${response.status} ${text.startsWith('{') ? `code ${/"code":(\d+)/.exec(text)?.[1]}` : text.slice(0, 6)}`
  } catch {
    return 'cut'
  }
}

const rows: readonly { readonly fault: LarkFault; readonly learnt: string; readonly stored: number }[] = [
  { fault: { kind: 'http', status: 502, body: 'bad gw' }, learnt: '502 bad gw', stored: 0 },
  { fault: { kind: 'code', code: 230020 }, learnt: '400 code 230020', stored: 0 },
  { fault: { kind: 'rate_limit', resetSeconds: 3 }, learnt: '429 code 99991400', stored: 0 },
  { fault: { kind: 'delay', ms: 1 }, learnt: '200 code 0', stored: 1 },
  { fault: { kind: 'slow_answer', ms: 1 }, learnt: '200 code 0', stored: 1 },
  { fault: { kind: 'reset' }, learnt: 'cut', stored: 0 },
  { fault: { kind: 'commit_then_drop' }, learnt: 'cut', stored: 1 },
  { fault: { kind: 'drop_then_commit', ms: 1 }, learnt: 'cut', stored: 1 },
  { fault: { kind: 'commit_then_http', status: 500, body: 'oops!!' }, learnt: '500 oops!!', stored: 1 },
  { fault: { kind: 'cut_body' }, learnt: 'cut', stored: 1 },
  { fault: { kind: 'garbage', commits: true }, learnt: '200 <html>', stored: 1 },
  { fault: { kind: 'garbage', commits: false }, learnt: '200 <html>', stored: 0 },
]

for (const { fault, learnt, stored } of rows) {
  test(`fault ${JSON.stringify(fault)}: the caller learns "${learnt}", stored ${stored}`, async () => {
    fake.faults.next('im.message.create', fault)
    expect(await send()).toBe(learnt)
    await expect.poll(() => fake.messages(LARK.group).length - 1).toBe(stored)
    expect(fake.faults.pending()).toBe(0)
    expect(await send()).toBe('200 code 0')
  })
}

test('fault hang: no answer until the caller gives up', async () => {
  fake.faults.next('im.message.create', { kind: 'hang', commits: true })
  const giveUp = new AbortController()
  const sending = send(giveUp.signal)
  await expect.poll(() => fake.messages(LARK.group).length).toBe(2)
  giveUp.abort()
  expect(await sending).toBe('cut')
})

test('a storm is the same fault many times; the log keeps order, fault and token', async () => {
  fake.faults.next('*', { kind: 'rate_limit', resetSeconds: 1 }, 3)
  const learnt = [await send(), await send(), await send(), await send()]
  expect(learnt.filter((line) => line.startsWith('429'))).toHaveLength(3)
  expect(fake.count('im.message.create')).toBe(4)
  expect(fake.tokenUses().get(token)).toBe(4)
  expect(fake.calls.slice(-4).map(({ fault }) => fault)).toEqual([
    'rate_limit',
    'rate_limit',
    'rate_limit',
    null,
  ])
})

test('a fault may be meant for some calls only', async () => {
  fake.faults.next((call) => call.body.receive_id === LARK.topicGroup, { kind: 'reset' })
  expect(await send()).toBe('200 code 0')
  expect(fake.faults.pending()).toBe(1)
})
