import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SLACK, type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import { aFile, aMarker, aMessage, aTarget, slackOn } from '../../support/slack/platform.js'

let fake: SlackFake
let slack: ReturnType<typeof slackOn>
beforeAll(async () => {
  fake = await startSlackFake()
  slack = slackOn(fake)
})
afterAll(async () => {
  await slack.close()
  await fake.close()
})

async function sentId(part = aMessage()): Promise<string> {
  const sent = await slack.send(aTarget(), part, aMarker())
  if (sent.kind !== 'sent') throw new Error(`not sent: ${sent.code}`)
  return sent.messageId
}
const stored = (ts: string) => fake.messages(SLACK.channel).find((message) => message.ts === ts)

describe('edit', () => {
  test('replaces words, blocks and marker', async () => {
    const id = await sentId(aMessage('failed'))
    expect(await slack.edit(aTarget(), id, aMessage('done'), aMarker({ deliveryId: 'dlv_2' }))).toEqual({
      kind: 'edited',
    })
    expect(stored(id)).toMatchObject({
      text: 'done',
      blocks: [{ type: 'markdown', text: 'done' }],
      metadata: { event_payload: { delivery_id: 'dlv_2' } },
    })
  })
  test('into plain text takes the old blocks away', async () => {
    const id = await sentId(aMessage('failed'))
    const plain = { ...aMessage('done'), content: { text: 'done' } }
    expect(await slack.edit(aTarget(), id, plain, aMarker())).toEqual({ kind: 'edited' })
    expect(stored(id)?.blocks).toEqual([])
  })
  test('cuts a notification text of more than 4,000, never a message', async () => {
    const id = await sentId()
    const long = `${'x'.repeat(3_998)}😀tail`
    expect(await slack.edit(aTarget(), id, aMessage(long), aMarker())).toEqual({ kind: 'edited' })
    expect(stored(id)?.text).toBe(`${'x'.repeat(3_998)}…`)
    const plain = { ...aMessage(long), content: { text: long } }
    expect(await slack.edit(aTarget(), id, plain, aMarker())).toEqual({
      kind: 'not_editable',
      code: 'msg_too_long',
    })
  })
  for (const code of [
    'message_not_found',
    'cant_update_message',
    'edit_window_closed',
    'is_inactive',
    'streaming_state_conflict',
  ]) {
    test(`${code}: follow it with another message`, async () => {
      fake.faults.next('chat.update', { kind: 'error', code })
      expect(await slack.edit(aTarget(), '1732960000.000100', aMessage(), aMarker())).toEqual({
        kind: 'not_editable',
        code,
      })
    })
  }
  test('a message of somebody else cannot be edited', async () => {
    const id = fake.say(SLACK.channel)
    expect(await slack.edit(aTarget(), id, aMessage(), aMarker())).toEqual({
      kind: 'not_editable',
      code: 'cant_update_message',
    })
  })
  test('a file cannot be edited and nothing can be edited into one; no call is made', async () => {
    fake.clearCalls()
    expect(await slack.edit(aTarget(), 'F0001', aMessage(), aMarker())).toEqual({
      kind: 'not_editable',
      code: 'file',
    })
    expect(await slack.edit(aTarget(), '1732960000.000100', aFile(), aMarker())).toEqual({
      kind: 'not_editable',
      code: 'file',
    })
    expect(fake.calls).toEqual([])
  })
  test('other faults are faults', async () => {
    fake.faults.next('chat.update', { kind: 'rate_limit', retryAfter: '5' })
    expect(await slack.edit(aTarget(), '1732960000.000100', aMessage(), aMarker())).toMatchObject({
      kind: 'rate_limited',
      scope: 'method',
      retryAfterMs: 5_000,
    })
    fake.faults.next('chat.update', { kind: 'error', code: 'invalid_blocks' })
    expect(await slack.edit(aTarget(), '1732960000.000100', aMessage(), aMarker())).toMatchObject({
      kind: 'content',
    })
  })
})

describe('remove', () => {
  test('deletes a message; gone already is as good', async () => {
    const id = await sentId()
    expect(await slack.remove(aTarget(), id)).toEqual({ kind: 'edited' })
    expect(stored(id)).toBeUndefined()
    expect(await slack.remove(aTarget(), id)).toEqual({ kind: 'edited' })
  })
  test('deletes a file that has only its own id', async () => {
    fake.faults.next('files.info', { kind: 'error', code: 'file_not_found' })
    const id = await sentId(aFile())
    expect(await slack.remove(aTarget(), id)).toEqual({ kind: 'edited' })
    expect(await slack.remove(aTarget(), id)).toEqual({ kind: 'edited' })
  })
  test('a message of somebody else stays', async () => {
    expect(await slack.remove(aTarget(), fake.say(SLACK.channel))).toEqual({
      kind: 'not_editable',
      code: 'cant_delete_message',
    })
  })
})

describe('permalink', () => {
  test('links a message', async () => {
    const id = await sentId()
    expect(await slack.permalink(aTarget(), id)).toBe(
      `https://fake.slack.com/archives/${SLACK.channel}/p${id.replace('.', '')}`,
    )
  })
  test('links a file', async () => {
    fake.faults.next('files.info', { kind: 'error', code: 'file_not_found' })
    expect(await slack.permalink(aTarget(), await sentId(aFile()))).toContain('/files/')
  })
  test('is null where there is none', async () => {
    expect(await slack.permalink(aTarget(), '1732960000.000100')).toBeNull()
  })
})
