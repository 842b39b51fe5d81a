import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LarkConversation } from '../../../src/contract/run.js'
import {
  anchorOfLark,
  isLarkId,
  larkAddressProblems,
  larkIdProblem,
} from '../../../src/platforms/lark/address.js'

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

describe('problems name the field, what was expected and what it looks like, never the value', () => {
  test.each([
    { conversation: chat(), expected: [] },
    {
      conversation: chat({ place: { kind: 'person', id: 'ou_1' }, replyTo: 'om_1', thread: 'omt_1' }),
      expected: [],
    },
    {
      conversation: chat({ place: { kind: 'conversation', id: 'C061EG9SL' } }),
      expected: [
        { field: 'chat', problem: 'expected a Lark chat id: oc_ and 1-125 letters, digits, _ or -' },
      ],
    },
    {
      conversation: chat({ replyTo: 'omt_9' }),
      expected: [
        {
          field: 'replyTo',
          problem: 'expected a Lark message id: om_ and 1-125 letters, digits, _ or -, got a topic id',
        },
      ],
    },
    {
      conversation: chat({ tenant: 'a b', place: { kind: 'person', id: 'on_9' }, thread: 'om_9' }),
      expected: [
        { field: 'tenant', problem: 'expected a Lark tenant key: 1-64 letters, digits, _ or -' },
        {
          field: 'openId',
          problem: 'expected a Lark open id: ou_ and 1-125 letters, digits, _ or -, got a union id',
        },
        {
          field: 'thread',
          problem: 'expected a Lark topic id: omt_ and 1-124 letters, digits, _ or -, got a message id',
        },
      ],
    },
  ])('$expected', ({ conversation, expected }) => {
    expect(larkAddressProblems(conversation)).toEqual(expected)
  })

  test('the right prefix with a wrong rest is not called another id', () => {
    expect(larkIdProblem('chat', 'chat', 'oc_ä')?.problem).toBe(
      'expected a Lark chat id: oc_ and 1-125 letters, digits, _ or -',
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
