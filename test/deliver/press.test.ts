import { describe, expect, test } from 'vitest'
import { judgePress, type Press, type PressedDelivery, pressedFor } from '../../src/deliver/press.js'
import { parseRun } from '../../src/intake/parse-run.js'
import { aRun } from '../support/runs.js'

const press: Press = {
  platform: 'slack',
  deliveryId: 'dlv_1',
  button: 'retry',
  person: 'U1ASKED',
  conversationId: 'C061EG9SL',
  messageId: '1.1',
}

function delivery(change: Partial<PressedDelivery> = {}, run: Record<string, unknown> = {}): PressedDelivery {
  const asked = { buttons: ['retry', 'feedback'], trigger: { kind: 'user', requester: 'U1ASKED' }, ...run }
  return {
    run: parseRun(aRun(asked), { maxOutputBytes: 1_000 }),
    installationId: 'slack:T024BE7LD',
    producer: 'test',
    conversationKey: 'k',
    conversationId: 'C061EG9SL',
    surface: 'channel',
    locale: 'en',
    messageIds: ['1.1'],
    mayStand: false,
    isReplaced: false,
    ...change,
  }
}

describe('a press counts', () => {
  test.each([
    ['from the person who asked', press, delivery()],
    ['from anybody when nobody is named', press, delivery({}, { trigger: { kind: 'schedule' } })],
    [
      'from anybody when the name is not of this platform',
      { ...press, person: 'U2' },
      delivery({}, { trigger: { kind: 'user', requester: 'web-user-7' } }),
    ],
    ['as feedback from anybody', { ...press, button: 'good', person: 'U2' }, delivery()],
    [
      'on a message whose call has no known end',
      { ...press, messageId: '2.2' },
      delivery({ mayStand: true }),
    ],
    [
      'as feedback on an answer of an earlier attempt',
      { ...press, button: 'bad' },
      delivery({ isReplaced: true }),
    ],
  ] as const)('%s', (_name, given, known) => {
    expect(judgePress(given, known)).toBe('accepted')
  })

  test.each([
    ['nothing is known of', press, null, 'expired'],
    ['another platform', { ...press, platform: 'lark' }, delivery(), 'expired'],
    ['another conversation', { ...press, conversationId: 'C2' }, delivery(), 'expired'],
    ['another message', { ...press, messageId: '9.9' }, delivery(), 'expired'],
    ['a button that the run did not ask for', { ...press, button: 'continue' }, delivery(), 'expired'],
    ['a run that has a later attempt', press, delivery({ isReplaced: true }), 'expired'],
    ['somebody else', { ...press, person: 'U2' }, delivery(), 'not_yours'],
  ] as const)('and not: %s', (_name, given, known, verdict) => {
    expect(judgePress(given, known)).toBe(verdict)
  })

  test('work is started again once, feedback is given once a person and button', () => {
    expect(pressedFor({ button: 'retry', person: 'U1' })).toBe(pressedFor({ button: 'retry', person: 'U2' }))
    expect(pressedFor({ button: 'good', person: 'U1' })).not.toBe(
      pressedFor({ button: 'good', person: 'U2' }),
    )
  })
})
