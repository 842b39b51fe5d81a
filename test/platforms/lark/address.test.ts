import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LarkConversation } from '../../../src/contract/run.js'
import { anchorOfLark, isLarkId } from '../../../src/platforms/lark/address.js'

const chat = (fields: Partial<LarkConversation> = {}): LarkConversation => ({
  platform: 'lark',
  tenant: '736588c9260f175d',
  place: { kind: 'conversation', id: 'oc_84983ff6516d731e5b5f68d4ea2e1da5' },
  replyTo: null,
  thread: null,
  surface: null,
  ...fields,
})

describe('ids', () => {
  test.each([
    ['chat', 'oc_84983ff6516d731e5b5f68d4ea2e1da5', true],
    ['message', 'om_x100b57d4f5e3a8b4c4d9d6f1f7a0b2c', true],
    ['topic', 'omt_1a2b3c', true],
    ['person', 'ou_7d8a6e6df7621556ce0d21922b676706', true],
    ['tenant', '736588c9260f175d', true],
    ['message', 'omt_1a2b3c', false],
    ['topic', 'om_1a2b3c', false],
    ['chat', 'oc_', false],
    ['chat', 'OC_1', false],
    ['chat', 'oc_1/../../admin', false],
    ['chat', 'oc_1\n', false],
    ['message', 'om_1?x=1', false],
    ['message', `om_${'a'.repeat(126)}`, false],
    ['person', 'on_1', false],
    ['tenant', '', false],
  ] as const)('%s %j: %s', (kind, raw, expected) => {
    expect(isLarkId(kind, raw)).toBe(expected)
  })

  test('an id that passes needs no escaping in a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tail) => {
        for (const raw of [`om_${tail}`, tail]) {
          if (isLarkId('message', raw)) expect(encodeURIComponent(raw)).toBe(raw)
        }
      }),
    )
  })
})

describe('the anchor', () => {
  test.each([
    { name: 'no message, no topic', fields: {}, expected: { anchor: null, inTopic: false } },
    { name: 'a message', fields: { replyTo: 'om_user' }, expected: { anchor: 'om_user', inTopic: false } },
    {
      name: 'a message in a topic: the message, inside the topic (THR-01)',
      fields: { replyTo: 'om_user', thread: 'omt_1' },
      expected: { anchor: 'om_user', inTopic: true },
    },
    { name: 'a topic alone', fields: { thread: 'omt_1' }, expected: { anchor: 'omt_1', inTopic: true } },
  ])('$name', ({ fields, expected }) => {
    expect(anchorOfLark(chat(fields))).toEqual(expected)
  })
})
