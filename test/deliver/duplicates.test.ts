import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aRun,
  type EngineUnderTest,
  inLark,
  inParts,
  inSlack,
  larkTexts,
  PRODUCER,
  partsIn,
  saying,
  slackTexts,
  startEngine,
} from '../support/engine.js'

let engine: EngineUnderTest
beforeAll(async () => {
  engine = await startEngine()
})
afterEach(() => {
  engine.slack.faults.clear()
  engine.lark.faults.clear()
})
afterAll(() => engine.close())

async function letSettle(): Promise<void> {
  await engine.quiet()
  for (let n = 0; n < 3; n += 1) await engine.pass(4_000)
}

test('DUP-01: a post whose answer was lost is found by its metadata, not sent again', async () => {
  const channel = engine.channel()
  engine.slack.faults.next({ method: 'chat.postMessage', channel }, { kind: 'reset', when: 'after' })
  const [id = ''] = await engine.accept(aRun(inSlack(channel, { kind: 'direct' }), saying('hi')))
  await letSettle()
  expect(slackTexts(engine, channel)).toEqual(['hi'])
  // One post: neither the SDK nor the pool nor we sent it again.
  expect(
    engine.slack.calls.filter((call) => call.method === 'chat.postMessage' && call.channel === channel),
  ).toHaveLength(1)
  const story = await engine.story(id)
  expect(story).toMatchObject({ state: 'delivered' })
  expect(story.attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'look_up_sent'])
  expect(story.parts[0]?.messageId).toBe(engine.slack.messages(channel)[0]?.ts)
})

for (const [name, place, texts] of [
  ['Slack', () => engine.channel(), (id: string) => slackTexts(engine, id)],
  ['Lark', () => engine.group(), (id: string) => larkTexts(engine, id)],
] as const)
  test(`DUP-02 on ${name}: a failure after part 1 of 3 goes on with part 2`, async () => {
    const id = place()
    if (name === 'Slack') {
      let posts = 0
      engine.slack.faults.decide((call) => {
        if (call.method !== 'chat.postMessage' || call.channel !== id) return null
        posts += 1
        return posts === 2 ? { kind: 'http', status: 503, when: 'before' } : null
      })
    } else {
      let creates = 0
      engine.lark.faults.next(
        (call) => {
          if (!JSON.stringify(call.body).includes(id)) return false
          creates += 1
          return creates === 2
        },
        { kind: 'http', status: 503 },
      )
    }
    const run = name === 'Slack' ? aRun(inSlack(id), inParts(3)) : aRun(inLark(id), inParts(3, 'lark'))
    const [delivery = ''] = await engine.accept(run)
    await letSettle()
    const story = await engine.story(delivery)
    expect(story).toMatchObject({ state: 'delivered' })
    expect(partsIn(texts(id))).toEqual(['part1', 'part2', 'part3'])
  })

describe('DUP-04: a part left in "sending" by a dead process', () => {
  /** A delivery as a process leaves it that died after the call; `posted`: the call had landed. */
  async function leftSending(posted: boolean, policy: 'resend' | 'hold' = 'resend') {
    const channel = engine.channel()
    engine.slack.faults.next(
      { method: 'chat.postMessage', channel },
      { kind: 'reset', when: posted ? 'after' : 'before' },
    )
    await engine.database.pool.query('update installations set unknown_policy = $1', [policy])
    await engine.pass(3_000)
    const [id = ''] = await engine.accept(aRun(inSlack(channel), saying('once')))
    await engine.quiet()
    await engine.database.pool.query(`update parts set state = 'sending' where delivery_id = $1`, [id])
    await engine.database.pool.query('update deliveries set unknown_count = 0 where id = $1', [id])
    return { channel, id }
  }

  test('found: delivered without a second post', async () => {
    const { channel, id } = await leftSending(true)
    await letSettle()
    expect(slackTexts(engine, channel)).toEqual(['once'])
    expect(await engine.story(id)).toMatchObject({ state: 'delivered' })
  })

  test('not found: sent once', async () => {
    const { channel, id } = await leftSending(false)
    await letSettle()
    expect(slackTexts(engine, channel)).toEqual(['once'])
    expect(await engine.story(id)).toMatchObject({ state: 'delivered' })
  })

  test('cannot tell, resend: sent again with a mark for the reader, and counted', async () => {
    const { channel, id } = await leftSending(true)
    engine.slack.faults.decide((call) =>
      call.method.startsWith('conversations.history') ? { kind: 'error', code: 'missing_scope' } : null,
    )
    await letSettle()
    expect(await engine.story(id)).toMatchObject({ state: 'delivered' })
    const [first, second, ...more] = engine.slack.messages(channel)
    expect(more).toEqual([])
    expect(JSON.stringify(first?.blocks)).not.toContain('You may have received this message already.')
    expect(JSON.stringify(second?.blocks)).toContain('You may have received this message already.')
    const [receipt] = (await engine.receipts('delivery.delivered')).filter((each) => each.deliveryId === id)
    expect(receipt).toMatchObject({ unknown: 1 })
  })

  test('cannot tell, hold: kept for the operator, not sent again', async () => {
    const { channel, id } = await leftSending(true, 'hold')
    engine.slack.faults.decide((call) =>
      call.method.startsWith('conversations.history') ? { kind: 'error', code: 'missing_scope' } : null,
    )
    await letSettle()
    expect(slackTexts(engine, channel)).toEqual(['once'])
    expect(await engine.story(id)).toMatchObject({ state: 'dead', reason: 'unknown_outcome' })
    await engine.database.pool.query('update installations set unknown_policy = null')
  })
})

test('DUP-05: being claimed is not being sent', async () => {
  const channel = engine.channel()
  engine.slack.faults.next({ method: 'chat.postMessage', channel }, { kind: 'rate_limit', retryAfter: '5' })
  const run = aRun(inSlack(channel), saying('hi'))
  const [id = ''] = await engine.accept(run)
  await engine.quiet()
  // The producer's own retry is the same delivery, and hides nothing.
  expect(await engine.accept(run)).toEqual([id])
  await engine.pass(5_300)
  expect(slackTexts(engine, channel)).toEqual(['hi'])
})

test('DUP-06, DUP-14: the same run twice is one delivery, across restarts', async () => {
  const channel = engine.channel()
  const run = aRun(inSlack(channel), saying('hi'))
  const [id = ''] = await engine.accept(run)
  await engine.settled(id)
  expect(await engine.accept(run, run)).toEqual([id, id])
  const second = await engine.another()
  expect(await second.accept(run, PRODUCER)).toEqual({ deliveryId: id, isNew: false })
  await engine.quiet()
  expect(slackTexts(engine, channel)).toEqual(['hi'])
})

test('DUP-07: what was accepted is delivered, silent, or dead: nothing is in between', async () => {
  await engine.quiet()
  await engine.pass(86_400_000)
  const { rows } = await engine.database.pool.query(
    `select count(*)::int as accepted, count(settled_at)::int as settled from deliveries`,
  )
  expect(rows[0]?.accepted).toBeGreaterThan(0)
  expect(rows[0]?.settled).toBe(rows[0]?.accepted)
})

test('DUP-09: parts are frozen: what is stored is sent, whatever a new splitter would cut', async () => {
  const channel = engine.channel()
  let posts = 0
  engine.slack.faults.decide((call) => {
    if (call.method !== 'chat.postMessage' || call.channel !== channel) return null
    posts += 1
    return posts === 2 ? { kind: 'error', code: 'service_unavailable' } : null
  })
  const [id = ''] = await engine.accept(aRun(inSlack(channel), inParts(2)))
  await engine.quiet()
  const { rows } = await engine.database.pool.query(
    `update parts set part = jsonb_set(part, '{content,text}', '"stored p2"')
      where delivery_id = $1 and index = 1 returning state`,
    [id],
  )
  expect(rows).toEqual([{ state: 'pending' }])
  await engine.pass(1_100)
  expect(slackTexts(engine, channel).at(-1)).toBe('stored p2')
  expect(slackTexts(engine, channel)).toHaveLength((await engine.story(id)).parts.length)
})

test('DUP-12: two workers, throttled: each run shows once', async () => {
  await engine.another()
  const channels = Array.from({ length: 32 }, () => engine.channel())
  let throttled = 0
  engine.slack.faults.decide((call) => {
    if (call.method !== 'chat.postMessage' || throttled >= 40) return null
    throttled += 1
    return throttled % 2 === 0 ? { kind: 'rate_limit', retryAfter: '15' } : null
  })
  await engine.accept(...channels.map((channel) => aRun(inSlack(channel))))
  await engine.quiet()
  for (let n = 0; n < 4; n += 1) await engine.pass(15_300)
  expect(channels.map((channel) => slackTexts(engine, channel).length)).toEqual(channels.map(() => 1))
})

test('DUP-13: a worker that lost its lane writes nothing any more', async () => {
  const alone = await startEngine({ settings: { LASTWORD_CONCURRENCY: '4' } })
  const channel = alone.channel()
  // The first worker's call takes half a second; meanwhile the lane goes to a second worker, which finds the message.
  alone.slack.faults.next(
    { method: 'chat.postMessage', channel },
    { kind: 'slow', delayMs: 500, commit: 'now' },
  )
  const [id = ''] = await alone.accept(aRun(inSlack(channel), saying('hi')))
  while (alone.slack.callsOf('chat.postMessage').length === 0) await new Promise(setImmediate)
  await alone.database.pool.query(
    'update lanes set owner = null, epoch = epoch + 1, ready_at = clock.now() where owner is not null',
  )
  const settled = await alone.settled(id)
  await alone.quiet()
  expect(settled).toMatchObject({ state: 'delivered' })
  expect(alone.events.filter((event) => event.kind === 'settled')).toHaveLength(1)
  expect(slackTexts(alone, channel)).toEqual(['hi'])
  const story = await alone.story(id)
  // The first worker's answer came too late to be written: only the look-up stands in the journal.
  expect(story.attempts.map(({ outcome }) => outcome)).toEqual(['look_up_sent'])
  await alone.close()
})
