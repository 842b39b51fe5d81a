import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Platform } from '../../../src/deliver/platform.js'
import type { Part } from '../../../src/render/part.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { aCard, aFile, aMarker, aTarget, aText, platformFor } from './lark-edge.js'

const DAY_MS = 86_400_000
const clock = { ms: 0 }
let fake: LarkFake
let platform: Platform

beforeEach(async () => {
  clock.ms = 1_790_000_000_000
  fake = await startLarkFake({ clock: () => clock.ms })
  platform = platformFor(fake, { now: () => clock.ms })
})
afterEach(() => fake.close())

async function sent(part: Part): Promise<string> {
  const result = await platform.send(aTarget(), part, aMarker())
  return result.kind === 'sent' ? result.messageId : `not sent: ${result.code}`
}
const edit = (id: string, part: Part) => platform.edit(aTarget(), id, part, aMarker({ rendering: 1 }))

describe('edit', () => {
  test('a card becomes another card', async () => {
    const id = await sent(aCard('no answer yet'))
    expect(await edit(id, aCard('the answer'))).toEqual({ kind: 'edited' })
    expect(fake.message(id).content).toContain('the answer')
    expect(fake.calls.at(-1)?.name).toBe('im.message.patch')
  })

  test('a text becomes another text, twenty times', async () => {
    const id = await sent(aText('0'))
    for (let count = 1; count <= 20; count += 1)
      expect(await edit(id, aText(`${count}`))).toEqual({ kind: 'edited' })
    expect(await edit(id, aText('21'))).toEqual({ kind: 'not_editable', code: '230072' })
    expect(fake.message(id).content).toBe('{"text":"20"}')
  })

  test('a card older than 14 days stands', async () => {
    const id = await sent(aCard())
    clock.ms += 14 * DAY_MS + 1
    expect(await edit(id, aCard('late'))).toEqual({ kind: 'not_editable', code: '230031' })
  })

  test.each([
    { name: 'a text into a card', from: aText(), to: aCard(), code: '230001' },
    { name: 'a card into a text', from: aCard(), to: aText(), code: '230054' },
    { name: 'anything into a file', from: aCard(), to: aFile(), code: 'file' },
    { name: 'a card above 30 KB', from: aCard(), to: aCard('x'.repeat(30_000)), code: 'card_too_large' },
  ])('$name: not editable ($code)', async ({ from, to, code }) => {
    expect(await edit(await sent(from), to)).toEqual({ kind: 'not_editable', code })
  })

  test('a recalled message, an unknown one and one of somebody else stand as they are', async () => {
    const id = await sent(aText())
    fake.recall(id)
    expect(await edit(id, aText('new'))).toEqual({ kind: 'not_editable', code: '230011' })
    expect(await edit('om_unknown', aText('new'))).toEqual({ kind: 'not_editable', code: '99992354' })
    expect(await edit(LARK.question, aText('new'))).toEqual({ kind: 'not_editable', code: '230071' })
    expect(await edit('om_1/../x', aText('new'))).toMatchObject({ kind: 'bug' })
  })

  test.each([
    { name: 'a limit', fault: { kind: 'rate_limit', resetSeconds: 1 }, expected: { kind: 'rate_limited' } },
    {
      name: 'a chat limit (RAT-08)',
      fault: { kind: 'code', code: 230020 },
      expected: { kind: 'rate_limited', scope: 'conversation' },
    },
    { name: 'a lost answer', fault: { kind: 'commit_then_drop' }, expected: { kind: 'unknown' } },
    { name: 'a token', fault: { kind: 'code', code: 99991663 }, expected: { kind: 'token' } },
  ] as const)('$name says nothing of the message: the edit is made again', async ({ fault, expected }) => {
    const id = await sent(aCard())
    fake.faults.next('im.message.patch', fault)
    expect(await edit(id, aCard('new'))).toMatchObject(expected)
    expect(await edit(id, aCard('new'))).toEqual({ kind: 'edited' })
    expect(fake.message(id).content).toContain('new')
  })
})

describe('remove', () => {
  test('recalls a message of ours; again counts as done', async () => {
    const id = await sent(aText())
    expect(await platform.remove(aTarget(), id)).toEqual({ kind: 'edited' })
    expect(fake.message(id).recalled).toBe(true)
    expect(await platform.remove(aTarget(), id)).toEqual({ kind: 'edited' })
    expect(await platform.remove(aTarget(), 'om_unknown')).toEqual({ kind: 'edited' })
  })

  test('leaves what is not ours', async () => {
    expect(await platform.remove(aTarget(), LARK.question)).toEqual({ kind: 'not_editable', code: '230026' })
    expect(fake.message(LARK.question).recalled).toBe(false)
    expect(await platform.remove(aTarget(), 'x')).toMatchObject({ kind: 'bug' })
  })
})
