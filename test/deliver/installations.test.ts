import { afterAll, beforeAll, expect, test } from 'vitest'
import { armInstallation } from '../../src/store/installations.js'
import {
  aRun,
  type EngineUnderTest,
  inSlack,
  SLACK_INSTALLATION,
  saying,
  slackTexts,
  startEngine,
} from '../support/engine.js'
import { SLACK } from '../support/slack/fake.js'

let engine: EngineUnderTest
beforeAll(async () => {
  engine = await startEngine()
})
afterAll(() => engine.close())

/** As an install event leaves it. */
async function reinstall(): Promise<void> {
  engine.slack.setToken(SLACK.token, 'active')
  await engine.database.pool.query(`update installations set state = 'active' where id = $1`, [
    SLACK_INSTALLATION,
  ])
  await armInstallation(engine.database.db, SLACK_INSTALLATION)
  await engine.pass(2_500)
}

test('a revoked token parks the installation, tells the operator once, and a reinstall sends everything once', async () => {
  const channels = Array.from({ length: 12 }, () => engine.channel())
  engine.slack.setToken(SLACK.token, 'revoked')
  const ids = await engine.accept(...channels.map((channel) => aRun(inSlack(channel))))
  await engine.quiet()
  const calls = engine.slack.calls.length
  expect(await engine.receipts('installation.parked')).toEqual([
    { installationId: SLACK_INSTALLATION, code: 'token_revoked', remedy: 'reinstall' },
  ])
  expect(engine.events.filter(({ kind }) => kind === 'installation_parked')).toHaveLength(1)
  // Runs that come meanwhile wait with the others, and cost no call.
  const late = engine.channel()
  await engine.accept(aRun(inSlack(late)))
  await engine.pass(600_000)
  expect(engine.slack.calls.length).toBe(calls)
  expect(new Set(await Promise.all(ids.map(async (id) => (await engine.story(id)).state)))).not.toContain(
    'dead',
  )
  await reinstall()
  expect([...channels, late].map((channel) => slackTexts(engine, channel).length)).toEqual(
    [...channels, late].map(() => 1),
  )
})

test('what is parked expires at its deadline, with a receipt, and is not sent afterwards', async () => {
  const channel = engine.channel()
  engine.slack.setToken(SLACK.token, 'revoked')
  const [first = '', second = ''] = await engine.accept(aRun(inSlack(channel)), aRun(inSlack(channel)))
  await engine.quiet()
  await engine.clock.pass(86_400_000)
  // Somebody takes the lane, and dies.
  const { overdue } = await engine.app.engine.ledger.sweep({ workerId: 'somebody-else', heldKeys: [] })
  expect(overdue).toHaveLength(1)
  // The worker's own sweep comes within seconds.
  expect(await engine.settled(first)).toMatchObject({ state: 'expired' })
  expect(await engine.settled(second)).toMatchObject({ state: 'expired' })
  expect(await engine.receipts('delivery.expired')).toMatchObject([
    { deliveryId: first, state: 'expired', parts: [{ state: 'pending' }] },
    { deliveryId: second, state: 'expired', parts: [] },
  ])
  await reinstall()
  expect(slackTexts(engine, channel)).toEqual([])
})

test('an expired run still takes its "working" line away', async () => {
  const channel = engine.channel()
  const thread = engine.slack.say(channel)
  engine.slack.react(channel, thread, 'eyes')
  engine.slack.setStatus(channel, thread, 'is thinking...')
  engine.slack.faults.next(
    { method: 'chat.postMessage', channel },
    { kind: 'error', code: 'service_unavailable' },
    50,
  )
  const [id = ''] = await engine.accept(
    aRun(inSlack(channel, { thread }), {
      ...saying('too late'),
      acknowledgement: { reaction: { message: thread, name: 'eyes' }, status: true },
    }),
  )
  await engine.quiet()
  await engine.pass(86_400_000)
  expect(await engine.settled(id)).toMatchObject({ state: 'expired' })
  engine.slack.faults.clear()
  expect(engine.slack.status(channel, thread)).toBeNull()
  expect(engine.slack.messages(channel)[0]?.reactions).toEqual([])
})

test('a removed installation takes nothing in, and works again once it is back', async () => {
  const channel = engine.channel()
  await engine.database.pool.query(`update installations set state = 'removed' where id = $1`, [
    SLACK_INSTALLATION,
  ])
  await engine.pass(3_000)
  await expect(engine.accept(aRun(inSlack(channel)))).rejects.toMatchObject({ code: 'unknown_installation' })
  await reinstall()
  expect(await engine.deliver(aRun(inSlack(channel)))).toMatchObject({ state: 'delivered' })
})
