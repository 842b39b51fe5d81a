import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FaultKind } from '../../src/deliver/platform.js'
import {
  aRun,
  type EngineUnderTest,
  inLark,
  inSlack,
  larkTexts,
  saying,
  slackTexts,
  startEngine,
} from '../support/engine.js'
import type { LarkFault } from '../support/lark/faults.js'
import type { SlackFault } from '../support/slack/faults.js'

let engine: EngineUnderTest
beforeAll(async () => {
  engine = await startEngine()
})
afterEach(() => {
  engine.slack.faults.clear()
  engine.lark.faults.clear()
})
afterAll(() => engine.close())

interface Row<Fault> {
  readonly kind: FaultKind
  readonly name: string
  readonly fault: Fault
  /** State and reason right after the fault; `delivered` where the engine gets round it at once. */
  readonly soon: { readonly state: string; readonly reason: string | null }
  /** Longest wait after which it is through, in ms; 0 when no waiting is needed, null when it never is. */
  readonly throughAfterMs: number | null
  readonly posts: number
}

const DELIVERED = { state: 'delivered', reason: null }
const waiting = (reason: string) => ({ state: 'delivering', reason })
const dead = (reason: string) => ({ state: 'dead', reason })

const SLACK_ROWS: readonly Row<SlackFault>[] = [
  {
    kind: 'rate_limited',
    name: '429 waits as long as it says',
    fault: { kind: 'rate_limit', retryAfter: '30' },
    soon: waiting('ratelimited'),
    throughAfterMs: 30_300,
    posts: 1,
  },
  {
    kind: 'not_sent',
    name: 'a refusal that passes is tried again',
    fault: { kind: 'error', code: 'service_unavailable' },
    soon: waiting('service_unavailable'),
    throughAfterMs: 1_100,
    posts: 1,
  },
  {
    kind: 'unknown',
    name: 'a lost answer is looked up, not sent again',
    fault: { kind: 'reset', when: 'after' },
    soon: waiting('und_err_socket'),
    throughAfterMs: 1_100,
    posts: 1,
  },
  {
    kind: 'unknown',
    name: 'a cut call that never arrived is sent after the look-up',
    fault: { kind: 'reset', when: 'before' },
    soon: waiting('und_err_socket'),
    throughAfterMs: 1_100,
    posts: 1,
  },
  {
    kind: 'conversation_dead',
    name: 'an archived channel ends it',
    fault: { kind: 'error', code: 'is_archived' },
    soon: dead('is_archived'),
    throughAfterMs: null,
    posts: 0,
  },
  {
    kind: 'content',
    name: 'refused blocks go out plainer at once',
    fault: { kind: 'error', code: 'invalid_blocks' },
    soon: DELIVERED,
    throughAfterMs: 0,
    posts: 1,
  },
  {
    kind: 'bug',
    name: 'a mistake of ours ends it, loudly',
    fault: { kind: 'error', code: 'invalid_arguments' },
    soon: dead('invalid_arguments'),
    throughAfterMs: null,
    posts: 0,
  },
]

const LARK_ROWS: readonly Row<LarkFault>[] = [
  {
    kind: 'rate_limited',
    name: 'the chat is over its rate',
    fault: { kind: 'code', code: 230020 },
    soon: waiting('230020'),
    throughAfterMs: 2_300,
    posts: 1,
  },
  {
    kind: 'not_sent',
    name: 'a store app without a ticket is tried again',
    fault: { kind: 'code', code: 10012 },
    soon: waiting('10012'),
    throughAfterMs: 1_100,
    posts: 1,
  },
  {
    kind: 'unknown',
    name: 'a lost answer is asked for again with the same key',
    fault: { kind: 'commit_then_drop' },
    soon: waiting('und_err_socket'),
    throughAfterMs: 1_100,
    posts: 1,
  },
  {
    kind: 'in_flight',
    name: 'a key that is being processed is asked again',
    fault: { kind: 'code', code: 230049 },
    soon: waiting('230049'),
    throughAfterMs: 2_100,
    posts: 1,
  },
  {
    kind: 'token',
    name: 'a refused token is renewed at once',
    fault: { kind: 'code', code: 99991663 },
    soon: DELIVERED,
    throughAfterMs: 0,
    posts: 1,
  },
  {
    kind: 'conversation_dead',
    name: 'a bot outside the chat ends it',
    fault: { kind: 'code', code: 230002 },
    soon: dead('230002'),
    throughAfterMs: null,
    posts: 0,
  },
  {
    kind: 'content',
    name: 'a refused card goes out plainer at once',
    fault: { kind: 'code', code: 230099, msg: 'ErrCode: 11310' },
    soon: DELIVERED,
    throughAfterMs: 0,
    posts: 1,
  },
  {
    kind: 'content',
    name: 'moderation is final',
    fault: { kind: 'code', code: 230028 },
    soon: dead('230028'),
    throughAfterMs: null,
    posts: 0,
  },
  {
    kind: 'bug',
    name: 'a mistake of ours ends it, loudly',
    fault: { kind: 'code', code: 99992402 },
    soon: dead('99992402'),
    throughAfterMs: null,
    posts: 0,
  },
]

async function check(
  row: Row<unknown>,
  start: () => Promise<string>,
  posts: () => readonly string[],
): Promise<void> {
  const id = await start()
  await engine.quiet()
  expect(await engine.story(id)).toMatchObject(row.soon)
  if (row.throughAfterMs !== null && row.throughAfterMs > 0) {
    // A look-up or a resend may need a second wait of the same length.
    await engine.pass(row.throughAfterMs)
    await engine.pass(row.throughAfterMs)
    expect(await engine.story(id)).toMatchObject({ state: 'delivered' })
  }
  expect(posts()).toHaveLength(row.posts)
}

describe('Slack', () => {
  for (const row of SLACK_ROWS)
    test(`${row.kind}: ${row.name}`, async () => {
      const channel = engine.channel()
      engine.slack.faults.next({ method: 'chat.postMessage', channel }, row.fault)
      const start = async () => (await engine.accept(aRun(inSlack(channel), saying('hello'))))[0] ?? ''
      await check(row, start, () => slackTexts(engine, channel))
      expect(engine.slack.faults.pending).toBe(0)
    })

  test('anchor_dead: a locked thread is answered in its channel', async () => {
    const channel = engine.channel()
    const thread = engine.slack.say(channel)
    engine.slack.lockThread(channel, thread)
    expect(await engine.deliver(aRun(inSlack(channel, { thread })))).toMatchObject(DELIVERED)
    expect(engine.slack.messages(channel, null).filter(({ botId }) => botId !== null)).toHaveLength(1)
  })
})

describe('Lark', () => {
  for (const row of LARK_ROWS)
    test(`${row.kind}: ${row.name}`, async () => {
      const group = engine.group()
      engine.lark.faults.next(
        (call) => call.name === 'im.message.create' && JSON.stringify(call.body).includes(group),
        row.fault,
      )
      const start = async () => (await engine.accept(aRun(inLark(group), saying('hello'))))[0] ?? ''
      await check(row, start, () => larkTexts(engine, group))
      expect(engine.lark.faults.pending()).toBe(0)
    })
})
