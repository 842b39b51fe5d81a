import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import { aTarget, INSTALLATION, slackOn } from '../../support/slack/platform.js'

const BLIND = 'xoxb-blind'

let fake: SlackFake
let slack: ReturnType<typeof slackOn>
let blind: ReturnType<typeof slackOn>
beforeAll(async () => {
  const team = SLACK.team
  fake = await startSlackFake({
    seed: {
      tokens: [{ token: BLIND, team, scopes: ['chat:write'] }],
      users: [
        { id: 'U0GONE0001', team, isDisabled: true },
        { id: 'U0NEW00001', team },
      ],
      channels: [
        { id: 'C0OLD00001', team, kind: 'public', isArchived: true, locale: 'de-DE', name: 'old' },
        { id: 'C0OUTSIDE1', team, kind: 'public', members: [], name: 'outside' },
        // The shape of an id says nothing: old private channels and direct conversations differ only in what Slack says.
        { id: 'C0MPIM0001', team, kind: 'mpim' },
        { id: 'C0LOOKSPUB', team, kind: 'im', members: ['U0BOT00001', 'U0OTHER002'] },
      ],
    },
  })
  slack = slackOn(fake)
  blind = slackOn(fake, { token: BLIND })
})
afterEach(() => fake.faults.clear())
afterAll(async () => {
  await slack.close()
  await blind.close()
  await fake.close()
})

describe('describe', () => {
  const rows = [
    {
      id: SLACK.channel,
      facts: { surface: 'channel', isMember: true, isArchived: false, name: 'general', locale: 'en-US' },
    },
    { id: SLACK.private, facts: { surface: 'channel', isMember: true, name: 'secret' } },
    { id: SLACK.direct, facts: { surface: 'direct', isMember: null, name: null } },
    { id: SLACK.group, facts: { surface: 'channel' } },
    { id: 'C0MPIM0001', facts: { surface: 'channel' } },
    { id: 'C0LOOKSPUB', facts: { surface: 'direct' } },
    { id: 'C0OLD00001', facts: { surface: 'channel', isArchived: true, locale: 'de-DE' } },
    { id: 'C0OUTSIDE1', facts: { surface: 'channel', isMember: false } },
  ]
  for (const { id, facts } of rows) {
    test(`${id} is ${JSON.stringify(facts)}`, async () => {
      expect(await slack.describe(INSTALLATION, SLACK.team, id)).toMatchObject({
        kind: 'facts',
        conversationId: id,
        isTopicGroup: false,
        ...facts,
      })
    })
  }
  test('a conversation that is not there is a fault', async () => {
    expect(await slack.describe(INSTALLATION, SLACK.team, 'C0NOWHERE1')).toMatchObject({
      kind: 'conversation_dead',
    })
  })
  test.each([
    { id: 'C0NOWHERE1', surface: 'channel' },
    { id: 'G0NOWHERE1', surface: 'channel' },
    { id: 'D0NOWHERE1', surface: 'direct' },
  ])('an app that may not ask goes by the letter: $id', async ({ id, surface }) => {
    expect(await blind.describe(INSTALLATION, SLACK.team, id)).toMatchObject({
      kind: 'facts',
      conversationId: id,
      surface,
      isMember: null,
    })
  })
})

describe('openDirect', () => {
  test('gives the same direct conversation every time', async () => {
    const opened = await slack.openDirect(INSTALLATION, SLACK.team, 'U0NEW00001')
    expect(opened).toMatchObject({
      kind: 'facts',
      surface: 'direct',
      conversationId: expect.stringMatching(/^D/),
    })
    expect(await slack.openDirect(INSTALLATION, SLACK.team, 'U0NEW00001')).toEqual(opened)
    expect(await slack.openDirect(INSTALLATION, SLACK.team, SLACK.user)).toMatchObject({
      conversationId: SLACK.direct,
    })
  })
  for (const [id, code] of [
    ['U0NOBODY01', 'user_not_found'],
    ['U0GONE0001', 'user_disabled'],
    [SLACK.botUser, 'cannot_dm_bot'],
  ] as const) {
    test(`${code} is a dead conversation`, async () => {
      expect(await slack.openDirect(INSTALLATION, SLACK.team, id)).toEqual({
        kind: 'conversation_dead',
        code,
      })
    })
  }
})

describe('personLocale', () => {
  test('is what Slack says', async () => {
    expect(await slack.personLocale(INSTALLATION, SLACK.team, SLACK.user)).toBe('zh-CN')
  })
  test('is null for a stranger, without the scope, and while Slack refuses', async () => {
    expect(await slack.personLocale(INSTALLATION, SLACK.team, 'U0NOBODY01')).toBeNull()
    expect(await blind.personLocale(INSTALLATION, SLACK.team, SLACK.user)).toBeNull()
    fake.faults.next('users.info', { kind: 'rate_limit', retryAfter: '30' })
    expect(await slack.personLocale(INSTALLATION, SLACK.team, SLACK.user)).toBeNull()
  })
})

describe('clearAcknowledgement', () => {
  test('takes the reaction and the status line away', async () => {
    const ts = fake.say(SLACK.channel)
    fake.react(SLACK.channel, ts, 'eyes')
    fake.setStatus(SLACK.channel, ts, 'is thinking...')
    const left = { reaction: { message: ts, name: 'eyes' }, status: true }
    expect(await slack.clearAcknowledgement(aTarget({ anchor: ts }), left)).toBeNull()
    expect(fake.messages(SLACK.channel).at(-1)?.reactions).toEqual([])
    expect(fake.status(SLACK.channel, ts)).toBeNull()
    // A second time there is nothing left, which is what was wanted.
    expect(await slack.clearAcknowledgement(aTarget({ anchor: ts }), left)).toBeNull()
  })
  test('makes no call where nothing was left, or no thread holds a status', async () => {
    fake.clearCalls()
    expect(
      await slack.clearAcknowledgement(aTarget({ anchor: '1732960000.000100' }), {
        reaction: null,
        status: false,
      }),
    ).toBeNull()
    expect(await slack.clearAcknowledgement(aTarget(), { reaction: null, status: true })).toBeNull()
    expect(fake.calls).toEqual([])
  })
  test('returns the fault of the first and still tries the second', async () => {
    const ts = fake.say(SLACK.channel)
    fake.setStatus(SLACK.channel, ts, 'is thinking...')
    const left = { reaction: { message: ts, name: 'eyes' }, status: true }
    expect(await blind.clearAcknowledgement(aTarget({ anchor: ts }), left)).toMatchObject({
      code: 'missing_scope',
    })
    expect(fake.status(SLACK.channel, ts)).toBeNull()
  })
})
