import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aRun,
  type EngineUnderTest,
  failing,
  inLark,
  inSlack,
  larkTexts,
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

const blocksOf = (channel: string) =>
  engine.slack.messages(channel).map(({ blocks }) => JSON.stringify(blocks))
const OVERLOADED = 'The AI service is very busy right now.'

describe('a later attempt', () => {
  test('is edited into the notice of the earlier one', async () => {
    const [channel, group] = [engine.channel(), engine.group()]
    for (const [place, texts] of [
      [inSlack(channel), () => slackTexts(engine, channel)],
      [inLark(group), () => larkTexts(engine, group)],
    ] as const) {
      const run = { runId: `upgrade-${JSON.stringify(place).length}` }
      await engine.deliver(aRun(place, { ...run, ...failing() }))
      expect(texts()[0]).toContain(OVERLOADED)
      await engine.deliver(aRun(place, { ...run, attempt: 2, ...saying('the real answer') }))
      expect(texts()).toHaveLength(1)
      expect(texts()[0]).toContain('the real answer')
    }
  })

  for (const code of ['message_not_found', 'cant_update_message', 'edit_window_closed', 'is_inactive'])
    test(`follows where the notice cannot be edited: ${code}`, async () => {
      const channel = engine.channel()
      await engine.deliver(aRun(inSlack(channel), { runId: `follow-${code}`, ...failing() }))
      engine.slack.faults.next({ method: 'chat.update', channel }, { kind: 'error', code })
      const settled = await engine.deliver(
        aRun(inSlack(channel), { runId: `follow-${code}`, attempt: 2, ...saying('the answer') }),
      )
      expect(settled).toMatchObject({ state: 'delivered' })
      expect(slackTexts(engine, channel)).toEqual(['the answer'])
    })

  test('an answer that took a notice away is never overwritten by a repeat of that failure', async () => {
    const channel = engine.channel()
    await engine.deliver(aRun(inSlack(channel), { runId: 'kept', ...failing() }))
    await engine.deliver(aRun(inSlack(channel), { runId: 'kept', attempt: 2, ...saying('the answer') }))
    await engine.deliver(aRun(inSlack(channel), failing()))
    expect(slackTexts(engine, channel)[0]).toBe('the answer')
    expect(slackTexts(engine, channel)).toHaveLength(2)
  })
})

describe('the same failure again', () => {
  test('is shown once, with a count', async () => {
    const [channel, group] = [engine.channel(), engine.group()]
    for (let n = 0; n < 3; n += 1) {
      await engine.deliver(aRun(inSlack(channel), failing()))
      await engine.deliver(aRun(inLark(group), failing()))
    }
    expect(blocksOf(channel)).toHaveLength(1)
    expect(blocksOf(channel)[0]).toContain('This has happened 3 times.')
    expect(larkTexts(engine, group)).toHaveLength(1)
    expect(larkTexts(engine, group)[0]).toContain('This has happened 3 times.')
  })

  test('is shown anew after the window, and for another cause', async () => {
    const channel = engine.channel()
    await engine.deliver(aRun(inSlack(channel), failing()))
    await engine.deliver(aRun(inSlack(channel), failing('context_window')))
    expect(slackTexts(engine, channel)).toHaveLength(2)
    await engine.quiet()
    await engine.pass(3_700_000)
    await engine.deliver(aRun(inSlack(channel), failing()))
    expect(slackTexts(engine, channel)).toHaveLength(3)
  })

  test('with unfinished text is never held back', async () => {
    const channel = engine.channel()
    const cut = (text: string) => ({ outcome: { status: 'timeout', partialOutput: text } })
    await engine.deliver(aRun(inSlack(channel), cut('first half')))
    await engine.deliver(aRun(inSlack(channel), cut('second half')))
    expect(blocksOf(channel).join()).toContain('second half')
    expect(blocksOf(channel)).toHaveLength(2)
  })

  test('takes the placeholder of its run away', async () => {
    const channel = engine.channel()
    await engine.deliver(aRun(inSlack(channel), failing()))
    const placeholder = engine.slack.say(channel, 'is thinking')
    const message = engine.slack.channel(channel).messages.find(({ ts }) => ts === placeholder)
    Object.assign(message ?? {}, { botId: 'B0BOT00001' })
    await engine.deliver(aRun(inSlack(channel), { ...failing(), acknowledgement: { message: placeholder } }))
    expect(slackTexts(engine, channel)).toHaveLength(1)
  })
})

describe('what a producer left in the conversation', () => {
  const left = (change: object) => ({ acknowledgement: change })

  /** A placeholder message of our bot. */
  function placeholderIn(channel: string, thread?: string): string {
    const ts = engine.slack.say(channel, 'is thinking', thread)
    const message = engine.slack.channel(channel).messages.find((each) => each.ts === ts)
    Object.assign(message ?? {}, { botId: 'B0BOT00001' })
    return ts
  }

  for (const [name, outcome] of [
    ['a silent run', saying('')],
    ['a failure', failing()],
    ['an abort', { outcome: { status: 'aborted', abortedBy: 'requester' } }],
  ] as const)
    test(`SIL-15: ${name} clears the status line and the reaction`, async () => {
      const channel = engine.channel()
      const thread = engine.slack.say(channel)
      engine.slack.react(channel, thread, 'eyes')
      engine.slack.setStatus(channel, thread, 'is thinking...')
      const run = aRun(inSlack(channel, { thread }), {
        ...outcome,
        ...left({ status: true, reaction: { message: thread, name: 'eyes' } }),
      })
      await engine.deliver(run)
      expect(engine.slack.status(channel, thread)).toBeNull()
      expect(engine.slack.messages(channel)[0]?.reactions).toEqual([])
      if (name !== 'a failure') expect(slackTexts(engine, channel)).toEqual([])
    })

  test('SIL-15: a dead letter clears them, too', async () => {
    const channel = engine.channel()
    const thread = engine.slack.say(channel)
    engine.slack.setStatus(channel, thread, 'is thinking...')
    engine.slack.faults.next(
      { method: 'chat.postMessage', channel },
      { kind: 'error', code: 'invalid_arguments' },
    )
    await engine.deliver(aRun(inSlack(channel, { thread }), left({ status: true })))
    expect(engine.slack.status(channel, thread)).toBeNull()
  })

  test('SIL-17: a placeholder becomes the notice in a direct chat, and goes away in a channel', async () => {
    const direct = 'D0DIRECT01'
    const message = placeholderIn(direct)
    await engine.deliver(aRun(inSlack(direct, { kind: 'direct' }), { ...saying(''), ...left({ message }) }))
    await engine.deliver(aRun(inSlack(direct, { kind: 'direct' }), saying('real answer')))
    expect(slackTexts(engine, direct)).toEqual(['The agent finished and had nothing to add.', 'real answer'])
    const channel = engine.channel()
    await engine.deliver(
      aRun(inSlack(channel), { ...saying(''), ...left({ message: placeholderIn(channel) }) }),
    )
    expect(slackTexts(engine, channel)).toEqual([])
  })

  for (const code of ['message_not_found', 'cant_update_message', 'edit_window_closed', 'is_inactive'])
    test(`THR-15: ${code} for the placeholder: the answer is one new post in the same thread`, async () => {
      const channel = engine.channel()
      const thread = engine.slack.say(channel)
      const message = placeholderIn(channel, thread)
      engine.slack.faults.next({ method: 'chat.update', channel }, { kind: 'error', code })
      await engine.deliver(
        aRun(inSlack(channel, { thread }), { ...saying('the answer'), ...left({ message }) }),
      )
      expect(engine.slack.messages(channel, thread).map(({ text }) => text)).toEqual(['the answer'])
    })
})

test('a notice that counts the failures of others stays when one of them comes to an answer', async () => {
  const channel = engine.channel()
  await engine.deliver(aRun(inSlack(channel), { runId: 'counted-first', ...failing() }))
  await engine.deliver(aRun(inSlack(channel), { runId: 'counted-other', ...failing() }))
  await engine.deliver(
    aRun(inSlack(channel), { runId: 'counted-first', attempt: 2, ...saying('the answer') }),
  )
  expect(blocksOf(channel)).toHaveLength(2)
  expect(blocksOf(channel)[0]).toContain(OVERLOADED)
  expect(slackTexts(engine, channel)[1]).toBe('the answer')
})

test('a failure notice is not taken away by an answer that never came', async () => {
  const channel = engine.channel()
  await engine.deliver(aRun(inSlack(channel), { runId: 'kept-x', ...failing() }))
  engine.slack.faults.next({ method: 'chat.update', channel }, { kind: 'error', code: 'edit_window_closed' })
  engine.slack.faults.decide((call) =>
    call.method === 'chat.postMessage' && call.channel === channel
      ? { kind: 'error', code: 'restricted_action' }
      : null,
  )
  const settled = await engine.deliver(
    aRun(inSlack(channel), { runId: 'kept-x', attempt: 2, ...saying('the answer') }),
  )
  expect(settled).toMatchObject({ state: 'dead' })
  engine.slack.faults.clear()
  expect(slackTexts(engine, channel)).toHaveLength(1)
})
