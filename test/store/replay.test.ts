import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayAll } from '../../src/commands/replay.js'
import { parseSince } from '../../src/commands/since.js'
import { countPrunable, pruneBatch } from '../../src/store/prune.js'
import { armUndelivered, countReplayable, replayDelivery } from '../../src/store/replay.js'
import {
  aRun,
  type EngineUnderTest,
  failing,
  inParts,
  inSlack,
  partsIn,
  SLACK_INSTALLATION,
  saying,
  slackTexts,
  startEngine,
} from '../support/engine.js'

const OPTIONS = { maxAgeMs: 86_400_000, resendUnknown: false }
let engine: EngineUnderTest
beforeAll(async () => {
  engine = await startEngine()
})
afterAll(() => engine.close())

/** Slack works again, and what was given up is tried once more. */
async function mendAndReplay(id: string): Promise<void> {
  engine.slack.faults.clear()
  await replayDelivery(engine.database.db, id, OPTIONS)
  engine.app.worker.wake()
  await engine.quiet()
}

test('a replay goes on after the parts that were sent, before what came later', async () => {
  const channel = engine.channel()
  let posts = 0
  engine.slack.faults.decide((call) => {
    if (call.channel !== channel || call.method !== 'chat.postMessage') return null
    posts += 1
    return posts === 2 ? { kind: 'error', code: 'not_in_channel' } : null
  })
  const [id = ''] = await engine.accept(aRun(inSlack(channel), inParts(3)))
  expect(await engine.settled(id)).toMatchObject({ state: 'dead', reason: 'not_in_channel' })
  engine.slack.faults.decide((call) =>
    call.channel === channel ? { kind: 'error', code: 'service_unavailable' } : null,
  )
  await engine.database.pool.query(`update conversations set state = 'open' where conversation_id = $1`, [
    channel,
  ])
  const [later = ''] = await engine.accept(aRun(inSlack(channel), saying('later')))
  await engine.quiet()
  engine.slack.faults.clear()
  await replayDelivery(engine.database.db, id, OPTIONS)
  await engine.pass(70_000)
  expect(await engine.story(later)).toMatchObject({ state: 'delivered' })
  expect(partsIn(slackTexts(engine, channel))).toEqual(['part1', 'part2', 'part3'])
  expect(slackTexts(engine, channel).at(-1)).toBe('later')
})

test('a query replays what it counts, once each, and nothing the second time', async () => {
  const channels = Array.from({ length: 5 }, () => engine.channel())
  for (const channel of channels) engine.slack.channel(channel).isArchived = true
  for (const channel of channels) await engine.deliver(aRun(inSlack(channel), saying('back')))
  for (const channel of channels) engine.slack.channel(channel).isArchived = false
  await engine.quiet()
  const filter = { reason: 'is_archived', installationId: SLACK_INSTALLATION, sinceMs: Date.now() - 600_000 }
  expect(await countReplayable(engine.database.db, filter)).toEqual([
    { installationId: SLACK_INSTALLATION, state: 'dead', reason: 'is_archived', count: 5 },
  ])
  await engine.pass(100)
  expect(await replayAll(engine.database.db, filter, OPTIONS, 5)).toBe(5)
  await engine.quiet()
  expect(channels.map((channel) => slackTexts(engine, channel))).toEqual(channels.map(() => ['back']))
  expect(await replayAll(engine.database.db, filter, OPTIONS, 0)).toBe(0)
})

test('what expired is decided anew, and has time again', async () => {
  const channel = engine.channel()
  engine.slack.faults.decide((call) =>
    call.channel === channel ? { kind: 'error', code: 'service_unavailable' } : null,
  )
  const expiresAt = new Date(engine.clock.now() + 60_000).toISOString()
  const [id = ''] = await engine.accept(aRun(inSlack(channel), { ...saying('late, but here'), expiresAt }))
  await engine.quiet()
  await engine.pass(61_000)
  expect(await engine.settled(id)).toMatchObject({ state: 'expired' })
  await mendAndReplay(id)
  expect(slackTexts(engine, channel)).toEqual(['late, but here'])
})

test('what nobody can tell of is looked up again, and sent again only when told to', async () => {
  const channel = engine.channel()
  await engine.database.pool.query(`update installations set unknown_policy = 'hold'`)
  await engine.pass(3_000)
  engine.slack.faults.next({ method: 'chat.postMessage', channel }, { kind: 'reset', when: 'after' })
  engine.slack.faults.decide((call) =>
    call.method === 'conversations.history' ? { kind: 'error', code: 'missing_scope' } : null,
  )
  const [id = ''] = await engine.accept(aRun(inSlack(channel), saying('once')))
  await engine.quiet()
  await engine.pass(2_000)
  expect(await engine.story(id)).toMatchObject({ state: 'dead', reason: 'unknown_outcome' })
  await mendAndReplay(id)
  expect(await engine.story(id)).toMatchObject({ state: 'delivered' })
  expect(slackTexts(engine, channel)).toEqual(['once'])
})

test('only what was given up can be replayed', async () => {
  const { deliveryId } = await engine.deliver(aRun(inSlack(engine.channel())))
  await expect(replayDelivery(engine.database.db, deliveryId, OPTIONS)).rejects.toMatchObject({
    code: 'not_replayable',
  })
  await expect(replayDelivery(engine.database.db, 'dlv_none', OPTIONS)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('recover wakes what waits', async () => {
  const channel = engine.channel()
  engine.slack.faults.next({ method: 'chat.postMessage', channel }, { kind: 'rate_limit', retryAfter: '1' })
  await engine.accept(aRun(inSlack(channel)))
  await engine.quiet()
  expect(await armUndelivered(engine.database.db, Date.now() - 600_000)).toBe(1)
  await engine.quiet()
})

test('prune forgets what ended long ago, and dead letters only when told to', async () => {
  await engine.pass(100)
  const filter = { endedBeforeMs: engine.clock.now(), dead: false }
  const count = await countPrunable(engine.database.db, filter)
  expect(count).toBeGreaterThan(2)
  expect(await pruneBatch(engine.database.db, filter, 1_000)).toBe(count)
  expect(await countPrunable(engine.database.db, filter)).toBe(0)
  const { rows } = await engine.database.pool.query(
    `select (select count(*)::int from parts p left join deliveries d on d.id = p.delivery_id where d.id is null) as stray`,
  )
  expect(rows).toEqual([{ stray: 0 }])
})

test('moments as a person types them', () => {
  const nowMs = Date.UTC(2026, 10, 30, 12)
  expect(parseSince('90m', nowMs)).toBe(nowMs - 5_400_000)
  expect(parseSince('2h', nowMs)).toBe(nowMs - 7_200_000)
  expect(parseSince('7d', nowMs)).toBe(nowMs - 604_800_000)
  expect(parseSince('2026-11-30T10:00:00Z', nowMs)).toBe(Date.UTC(2026, 10, 30, 10))
  expect(() => parseSince('yesterday', nowMs)).toThrow('expected 90m')
})

test('an attempt that a later one has overtaken is not said by a replay', async () => {
  const channel = engine.channel()
  engine.slack.channel(channel).isArchived = true
  const first = await engine.deliver(aRun(inSlack(channel), { runId: 'overtaken', ...saying('old answer') }))
  expect(first).toMatchObject({ state: 'dead', reason: 'is_archived' })
  engine.slack.channel(channel).isArchived = false
  await engine.database.pool.query(`delete from conversations where conversation_id = $1`, [channel])
  await engine.deliver(aRun(inSlack(channel), { runId: 'overtaken', attempt: 2, ...saying('new answer') }))
  await replayDelivery(engine.database.db, first.deliveryId, OPTIONS)
  engine.app.worker.wake()
  await engine.quiet()
  expect(slackTexts(engine, channel)).toEqual(['new answer'])
  expect(await engine.story(first.deliveryId)).toMatchObject({ state: 'dropped', reason: 'superseded' })
})

test('a count that was tried several times and given up is decided anew by a replay', async () => {
  const channel = engine.channel()
  await engine.deliver(aRun(inSlack(channel), failing()))
  engine.slack.faults.decide((call) =>
    call.method === 'chat.update' && call.channel === channel
      ? { kind: 'error', code: 'service_unavailable' }
      : null,
  )
  const expiresAt = new Date(engine.clock.now() + 200_000).toISOString()
  const [id = ''] = await engine.accept(aRun(inSlack(channel), { ...failing(), expiresAt }))
  await engine.quiet()
  for (let n = 0; n < 3; n += 1) await engine.pass(65_000)
  await engine.pass(10_000)
  expect(await engine.settled(id)).toMatchObject({ state: 'expired' })
  await mendAndReplay(id)
  expect(await engine.story(id)).toMatchObject({ state: 'dropped', reason: 'repeated_failure' })
})
