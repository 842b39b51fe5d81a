import { describe, expect, test } from 'vitest'
import { PLACE_IDS } from '../../src/contract/place-ids.js'

const slack = [
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
      '1732960000.0001000',
      'p1732960000000100',
      '1732960000,000100',
      '1732960000.000100\n',
    ],
  },
] as const

describe.each(slack)('a Slack $field', ({ field, good, bad }) => {
  const { pattern, expected } = PLACE_IDS.slack[field]
  test.each(good)('%j', (value) => expect(pattern.test(value)).toBe(true))
  test.each(bad)('%j is refused', (value) => expect(pattern.test(value)).toBe(false))
  test('says what it would be', () => expect(expected).toMatch(/^a (?:Slack|message)/))
})

test.each([
  ['chat', 'a Lark chat id: oc_ and 1-125 letters, digits, _ or -'],
  ['message', 'a Lark message id: om_ and 1-125 letters, digits, _ or -'],
  ['topic', 'a Lark topic id: omt_ and 1-125 letters, digits, _ or -'],
  ['person', 'a Lark open id: ou_ and 1-125 letters, digits, _ or -'],
] as const)('a Lark %s says what it would be', (kind, expected) =>
  expect(PLACE_IDS.lark[kind].expected).toBe(expected),
)
