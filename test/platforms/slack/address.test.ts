import { describe, expect, test } from 'vitest'
import { anchorOf, isFileId, toSlackTs } from '../../../src/platforms/slack/address.js'

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
