import { describe, expect, test } from 'vitest'
import {
  anchorOf,
  checkSlackConversation,
  checkSlackId,
  isFileId,
  toSlackTs,
} from '../../../src/platforms/slack/address.js'

describe('checkSlackId', () => {
  const rows = [
    {
      field: 'workspace',
      good: ['T024BE7LD', 'E0123456789'],
      bad: ['acme', 't024be7ld', 'C061EG9SL', '', 'T0 24'],
    },
    {
      field: 'channel',
      good: ['C061EG9SL', 'G0123456789', 'D0PNCRP9N', 'C000000001'],
      bad: [
        '#general',
        'general',
        'c061eg9sl',
        'oc_5ad11d72b830411d72b836c20',
        'U2147483697',
        'C061EG9SL\n',
        '',
      ],
    },
    {
      field: 'user',
      good: ['U2147483697', 'W012A3CDE'],
      bad: ['@ann', 'ann', 'B0123', 'ou_7d8a6e6df7621556ce0d21922b676706ccs'],
    },
    {
      field: 'thread',
      good: ['1732960000.000100', '1355517523.000005'],
      bad: [
        '1732960000',
        '1732960000.0001',
        '1732960000.0001000',
        'p1732960000000100',
        '1.1',
        '1732960000,000100',
      ],
    },
  ] as const
  for (const { field, good, bad } of rows) {
    for (const value of good) {
      test(`${field} ${value} has the right shape`, () => expect(checkSlackId(field, value)).toBeNull())
    }
    for (const value of bad) {
      test(`${field} ${JSON.stringify(value)} is refused without being repeated`, () => {
        const fault = checkSlackId(field, value)
        expect(fault?.field).toBe(field)
        expect(fault?.expected).toMatch(/^(a|the) /)
        if (value.length > 4) expect(fault?.expected).not.toContain(value)
      })
    }
  }
})

test('a conversation names every field that is wrong', () => {
  expect(
    checkSlackConversation({ workspace: 'acme', channel: '#x', user: null, thread: '12' }).map(
      ({ field }) => field,
    ),
  ).toEqual(['workspace', 'channel', 'thread'])
  expect(checkSlackConversation({ channel: 'C061EG9SL', thread: undefined })).toEqual([])
})

describe('anchorOf', () => {
  const slack = {
    platform: 'slack',
    workspace: null,
    place: { kind: 'conversation', id: 'C061EG9SL' },
    surface: null,
  } as const

  test('a question in a thread is answered there, in a channel and in a direct conversation alike', () => {
    expect(anchorOf({ ...slack, thread: '1732960000.000100' })).toEqual({
      anchor: '1732960000.000100',
      inTopic: false,
    })
    expect(
      anchorOf({ ...slack, place: { kind: 'conversation', id: 'D0PNCRP9N' }, thread: '1732960000.000100' })
        .anchor,
    ).toBe('1732960000.000100')
  })
  test('a question outside a thread is answered outside', () => {
    expect(anchorOf({ ...slack, thread: null })).toEqual({ anchor: null, inTopic: false })
  })
  test('a conversation of another platform is our mistake', () => {
    const lark = {
      platform: 'lark',
      tenant: null,
      place: slack.place,
      replyTo: null,
      thread: null,
      surface: null,
    } as const
    expect(() => anchorOf(lark)).toThrow(TypeError)
  })
})

test('a moment is written as seconds with six decimals', () => {
  expect(toSlackTs(1_732_960_000_000)).toBe('1732960000.000000')
  expect(toSlackTs(1_732_960_000_007)).toBe('1732960000.007000')
  expect(toSlackTs(-5)).toBe('0.000000')
})

test('a file id is told from a ts', () => {
  expect(isFileId('F0123ABC')).toBe(true)
  expect(isFileId('1732960000.000100')).toBe(false)
})
