import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasMarkerTag, markedFilename, toRequest } from '../../../src/platforms/slack/request.js'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import { aFile, aMarker, aMessage, aTarget, CREDENTIALS, slackOn } from '../../support/slack/platform.js'

const ARCHIVED = 'C0ARCHIVED'
const OUTSIDE = 'C0OUTSIDE1'
const FORGETFUL = 'C0FORGET01'
const READ_ONLY = 'C0READONLY'
const FLAT = 'C0FLAT0001'

let fake: SlackFake
let slack: ReturnType<typeof slackOn>
beforeAll(async () => {
  const team = SLACK.team
  fake = await startSlackFake({
    seed: {
      channels: [
        { id: ARCHIVED, team, kind: 'public', isArchived: true },
        { id: OUTSIDE, team, kind: 'public', members: [SLACK.user] },
        { id: FORGETFUL, team, kind: 'public', missingParent: 'channel' },
        { id: READ_ONLY, team, kind: 'public', restriction: 'read_only' },
        { id: FLAT, team, kind: 'public', restriction: 'non_threadable' },
      ],
    },
  })
  slack = slackOn(fake)
})
afterAll(async () => {
  await slack.close()
  await fake.close()
})

describe('a message', () => {
  test('stands in its thread with a marker of ids only', async () => {
    const parent = fake.say(SLACK.channel, 'question')
    const sent = await slack.send(
      aTarget({ anchor: parent }),
      aMessage('42'),
      aMarker({ isNotice: true, rendering: 1 }),
    )
    const [message] = fake.messages(SLACK.channel, parent)
    expect(sent).toEqual({ kind: 'sent', messageId: message?.ts, inPlace: true })
    expect(message).toMatchObject({
      text: '42',
      blocks: [{ type: 'markdown', text: '42' }],
      metadata: {
        event_type: 'lastword_part',
        event_payload: { delivery_id: 'dlv_1', part: 0, rendering: 1, notice: true },
      },
    })
  })
  test('outside a thread stands in the channel', async () => {
    const sent = await slack.send(aTarget(), aMessage(), aMarker())
    expect(sent).toMatchObject({ kind: 'sent', inPlace: true })
    expect(fake.messages(SLACK.channel, null).at(-1)?.ts).toBe(sent.kind === 'sent' ? sent.messageId : null)
  })
  test('is sent without previews, broadcast or anything else of ours', () => {
    const request = toRequest(aTarget({ anchor: '1732960000.000100' }), aMessage('hi'), aMarker())
    expect(request).toEqual({
      method: 'chat.postMessage',
      payload: {
        unfurl_links: false,
        unfurl_media: false,
        text: 'hi',
        blocks: [{ type: 'markdown', text: 'hi' }],
        channel: SLACK.channel,
        thread_ts: '1732960000.000100',
        metadata: {
          event_type: 'lastword_part',
          event_payload: { delivery_id: 'dlv_1', part: 0, rendering: 0 },
        },
      },
    })
  })
  test('whose content names an address still goes where the target says', () => {
    const part = aMessage('hi', { channel: 'C0EVIL0001', thread_ts: '1.000001' })
    expect(toRequest(aTarget({ anchor: '1732960000.000100' }), part, aMarker()).payload).toMatchObject({
      channel: SLACK.channel,
      thread_ts: '1732960000.000100',
    })
  })
  test("under a reply's ts is seen to have landed elsewhere", async () => {
    const parent = fake.say(SLACK.channel)
    const reply = fake.say(SLACK.channel, 'me too', parent)
    expect(await slack.send(aTarget({ anchor: reply }), aMessage(), aMarker())).toMatchObject({
      kind: 'sent',
      inPlace: false,
    })
  })
  test('under a parent that never existed, where Slack answers in the channel, is not in place', async () => {
    const target = aTarget({ conversationId: FORGETFUL, anchor: '1732960000.000100' })
    expect(await slack.send(target, aMessage(), aMarker())).toMatchObject({ kind: 'sent', inPlace: false })
  })
  test('under a deleted parent with answers still stands in the thread', async () => {
    const parent = fake.say(SLACK.channel)
    fake.say(SLACK.channel, 'first', parent)
    fake.deleteMessage(SLACK.channel, parent)
    expect(await slack.send(aTarget({ anchor: parent }), aMessage(), aMarker())).toMatchObject({
      inPlace: true,
    })
  })
})

describe('refused places', () => {
  const anchor = '1732960000.000100'
  const rows = [
    {
      name: 'an archived channel',
      target: { conversationId: ARCHIVED },
      expected: { kind: 'conversation_dead', code: 'is_archived' },
    },
    {
      name: 'a channel without the bot',
      target: { conversationId: OUTSIDE },
      expected: { kind: 'conversation_dead', code: 'not_in_channel' },
    },
    {
      name: 'a channel that is not there',
      target: { conversationId: 'C0NOWHERE1' },
      expected: { kind: 'conversation_dead', code: 'channel_not_found' },
    },
    {
      name: 'a read-only channel',
      target: { conversationId: READ_ONLY },
      expected: { kind: 'conversation_dead', code: 'restricted_action_read_only_channel' },
    },
    {
      name: 'a deleted parent',
      target: { anchor },
      expected: { kind: 'anchor_dead', fallback: 'conversation', code: 'thread_not_found' },
    },
    {
      name: 'a channel without threads',
      target: { conversationId: FLAT, anchor },
      expected: { kind: 'anchor_dead', code: 'restricted_action_non_threadable_channel' },
    },
  ]
  for (const { name, target, expected } of rows) {
    test(`${name}: ${expected.code}`, async () => {
      expect(await slack.send(aTarget(target), aMessage(), aMarker())).toMatchObject(expected)
    })
  }
  test('a locked thread can be answered in its channel', async () => {
    const parent = fake.say(SLACK.channel)
    fake.lockThread(SLACK.channel, parent)
    expect(await slack.send(aTarget({ anchor: parent }), aMessage(), aMarker())).toMatchObject({
      kind: 'anchor_dead',
      fallback: 'conversation',
      code: 'restricted_action_thread_locked',
    })
  })
  test('where no thread was asked for, a refused thread is a refused conversation', async () => {
    fake.faults.next('chat.postMessage', { kind: 'error', code: 'cannot_reply_to_message' })
    expect(await slack.send(aTarget(), aMessage(), aMarker())).toEqual({
      kind: 'conversation_dead',
      code: 'cannot_reply_to_message',
    })
  })
})

describe('tokens', () => {
  const rows = [
    { state: 'expired', expected: { kind: 'token', code: 'token_expired' } },
    { state: 'revoked', expected: { kind: 'installation_dead', remedy: 'reinstall', code: 'token_revoked' } },
    { state: 'inactive', expected: { kind: 'installation_dead', code: 'account_inactive' } },
    { state: 'invalid', expected: { kind: 'installation_dead', code: 'invalid_auth' } },
  ] as const
  for (const { state, expected } of rows) {
    test(`a token that is ${state}`, async () => {
      fake.add({ tokens: [{ token: `xoxb-${state}`, team: SLACK.team, state }] })
      const other = slackOn(fake, { token: `xoxb-${state}` })
      expect(await other.send(aTarget(), aMessage(), aMarker())).toMatchObject(expected)
      await other.close()
    })
  }
  test('a token that was rotated meanwhile is a token to renew, not a dead installation', async () => {
    const other = slackOn(
      fake,
      {},
      {
        credentials: async (_id, { isFresh }) => ({
          ...CREDENTIALS,
          token: isFresh ? SLACK.token : 'xoxb-old',
        }),
      },
    )
    expect(await other.send(aTarget(), aMessage(), aMarker())).toEqual({
      kind: 'token',
      code: 'invalid_auth',
    })
    await other.close()
  })
  test('an org-wide token names the workspace', async () => {
    fake.add({ tokens: [{ token: 'xoxb-org', team: null, enterprise: 'E0ORG00001' }] })
    const org = slackOn(fake, { token: 'xoxb-org', isOrgWide: true })
    expect(await org.send(aTarget(), aMessage(), aMarker())).toMatchObject({ kind: 'sent' })
    const careless = slackOn(fake, { token: 'xoxb-org', isOrgWide: false })
    expect(await careless.send(aTarget(), aMessage(), aMarker())).toMatchObject({
      kind: 'bug',
      code: 'missing_argument',
    })
    await org.close()
    await careless.close()
  })
  test('a missing chat:write needs an administrator', async () => {
    fake.add({ tokens: [{ token: 'xoxb-mute', team: SLACK.team, scopes: ['channels:read'] }] })
    const mute = slackOn(fake, { token: 'xoxb-mute' })
    expect(await mute.send(aTarget(), aMessage(), aMarker())).toMatchObject({
      kind: 'installation_dead',
      remedy: 'admin',
      code: 'missing_scope',
    })
    await mute.close()
  })
  test('credentials that cannot be read mean nothing was sent; credentials that are gone mean reinstall', async () => {
    const broken = slackOn(fake, {}, { credentials: () => Promise.reject(new Error('database down')) })
    expect(await broken.send(aTarget(), aMessage(), aMarker())).toEqual({
      kind: 'not_sent',
      code: 'credentials_unavailable',
    })
    const gone = slackOn(fake, {}, { credentials: async () => null })
    expect(await gone.send(aTarget(), aMessage(), aMarker())).toMatchObject({
      kind: 'installation_dead',
      code: 'not_installed',
    })
    await broken.close()
    await gone.close()
  })
})

describe('a file', () => {
  test('is uploaded whole and shared in its thread', async () => {
    const parent = fake.say(SLACK.channel)
    fake.clearCalls()
    const sent = await slack.send(aTarget({ anchor: parent }), aFile('# all of it 完整'), aMarker())
    const [message] = fake.messages(SLACK.channel, parent)
    expect(sent).toEqual({ kind: 'sent', messageId: message?.ts, inPlace: true })
    const file = fake.file(message?.files[0]?.id ?? '')
    expect(file).toMatchObject({ title: 'The whole answer', text: '# all of it 完整' })
    expect(hasMarkerTag(file.name, aMarker())).toBe(true)
    expect(fake.calls.map(({ method }) => method)).toEqual([
      'files.getUploadURLExternal',
      'upload',
      'files.completeUploadExternal',
      'files.info',
    ])
    // The upload URL may be on another host: it gets the bytes and no token.
    expect(fake.callsOf('upload')[0]?.token).toBeNull()
  })
  test('counts as sent under its own id while its message has no ts yet', async () => {
    fake.faults.next('files.info', { kind: 'error', code: 'file_not_found' })
    expect(await slack.send(aTarget(), aFile(), aMarker())).toMatchObject({
      kind: 'sent',
      messageId: expect.stringMatching(/^F\d+$/),
      inPlace: true,
    })
  })
  for (const method of ['files.getUploadURLExternal', 'upload']) {
    test(`a lost answer of ${method} showed nothing`, async () => {
      fake.faults.next(method, { kind: 'reset', when: 'after' })
      expect((await slack.send(aTarget(), aFile(), aMarker())).kind).toBe('not_sent')
    })
  }
  test('a refused upload showed nothing', async () => {
    fake.faults.next('upload', { kind: 'http', status: 500, when: 'before' })
    expect(await slack.send(aTarget(), aFile(), aMarker())).toEqual({
      kind: 'not_sent',
      code: 'upload_http_500',
    })
  })
  test('a lost answer of the completion is unknown', async () => {
    fake.faults.next('files.completeUploadExternal', { kind: 'reset', when: 'after' })
    expect((await slack.send(aTarget(), aFile(), aMarker())).kind).toBe('unknown')
  })
  test('without its scope falls back to messages', async () => {
    fake.add({ tokens: [{ token: 'xoxb-nofile', team: SLACK.team, scopes: ['chat:write'] }] })
    const other = slackOn(fake, { token: 'xoxb-nofile' })
    expect(await other.send(aTarget(), aFile(), aMarker())).toEqual({
      kind: 'content',
      final: false,
      code: 'missing_scope',
    })
    await other.close()
  })
  test('names differ by delivery, part and rendering and keep their extension', () => {
    const names = [{}, { deliveryId: 'dlv_2' }, { partIndex: 1 }, { rendering: 1 }].map((m) =>
      markedFilename('answer.md', aMarker(m)),
    )
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name).toMatch(/^answer-[a-z0-9]{13}\.md$/)
    expect(markedFilename('README', aMarker())).toMatch(/^README-[a-z0-9]{13}$/)
    expect(hasMarkerTag('answer.md', aMarker())).toBe(false)
  })
})
