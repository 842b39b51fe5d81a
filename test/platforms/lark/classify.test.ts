import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/deliver/platform.js'
import { beforeSending, classifyAnswer, classifyThrown } from '../../../src/platforms/lark/classify.js'
import { LARK_CODES } from '../../../src/platforms/lark/codes.js'

/** Every code of the vendor's tables, by what must happen next. Written apart from the table it checks. */
const EXPECTED: Readonly<Record<string, readonly number[]>> = {
  'rate_limited app': [99991400],
  'rate_limited conversation': [230020],
  'rate_limited method': [11232, 11233, 11247, 1000004, 1000005, 190005, 232019],
  in_flight: [230049, 18121],
  unknown: [1500, 2200, 5000, 10101, 10500, 105001, 190003, 300120, 200810],
  token: [99991663, 99991664, 99991665, 99991668, 99991671, 99991677, 99991661, 20005],
  'installation_dead admin': [
    10005, 10014, 10015, 10016, 99991672, 99991676, 230006, 230027, 99991401, 1000040351, 232025, 234007,
  ],
  'installation_dead quota': [99991403],
  'installation_dead reinstall': [99991673, 99991662, 11207, 11210, 20009, 230036],
  not_sent: [10012, 10013],
  conversation_dead: [
    230002, 230013, 230018, 230029, 230034, 230035, 230038, 230053, 230075, 232009, 230111, 230015, 232006,
    232010, 232011, 99992351, 99992361,
  ],
  'anchor_dead conversation': [230011, 231003, 230050, 230110, 99992354],
  'anchor_dead plain_reply': [230071, 230072],
  'anchor_dead none': [230019, 230031],
  'content retry': [230054, 230001, 230025, 230055, 230017, 230099, 234001, 234006, 234010],
  'content final': [230022, 230028],
  bug: [230012, 230026, 231001, 231007, 99992402],
}

const rows = Object.entries(EXPECTED).flatMap(([expected, codes]) =>
  codes.map((code) => ({ code, expected })),
)

function summary(fault: Fault | null): string {
  if (fault === null) return 'accepted'
  switch (fault.kind) {
    case 'rate_limited':
      return `rate_limited ${fault.scope}`
    case 'installation_dead':
      return `installation_dead ${fault.remedy}`
    case 'anchor_dead':
      return `anchor_dead ${fault.fallback}`
    case 'content':
      return `content ${fault.final ? 'final' : 'retry'}`
    default:
      return fault.kind
  }
}

describe('a vendor code means the same with HTTP 200, 400 and 401, returned or thrown', () => {
  test.each(rows)('$code: $expected', ({ code, expected }) => {
    for (const status of [200, 400, 401]) {
      const body = { code, msg: 'prose', error: { log_id: '202601010000ABCDEF' } }
      const answered = classifyAnswer({ status, headers: {}, body })
      expect(answered).toMatchObject({ code: String(code), vendorLogId: '202601010000ABCDEF' })
      expect(summary(answered)).toBe(expected)
      expect(classifyThrown({ isAxiosError: true, response: { status, headers: {}, data: body } })).toEqual(
        answered,
      )
    }
  })

  test('the table has no code without a row here', () => {
    expect(Object.keys(LARK_CODES).toSorted()).toEqual(rows.map(({ code }) => String(code)).toSorted())
  })
})

describe('waits', () => {
  const limited = (status: number, headers: Record<string, unknown>, code = 99991400) =>
    classifyAnswer({ status, headers, body: { code, msg: '' } })

  test.each([
    {
      name: 'reset header with HTTP 400',
      status: 400,
      headers: { 'x-ogw-ratelimit-reset': '7' },
      waitMs: 7000,
    },
    {
      name: 'reset header with HTTP 429',
      status: 429,
      headers: { 'x-ogw-ratelimit-reset': '1' },
      waitMs: 1000,
    },
    { name: 'reset header of 0', status: 429, headers: { 'x-ogw-ratelimit-reset': '0' }, waitMs: 0 },
    { name: 'Retry-After of a proxy', status: 429, headers: { 'retry-after': '30' }, waitMs: 30_000 },
    { name: 'no header', status: 400, headers: {}, waitMs: null },
    {
      name: 'a header that is no number',
      status: 429,
      headers: { 'x-ogw-ratelimit-reset': 'soon' },
      waitMs: null,
    },
    {
      name: 'a header that is a date',
      status: 429,
      headers: { 'x-ogw-ratelimit-reset': '1790000000' },
      waitMs: null,
    },
  ])('$name: $waitMs ms', ({ status, headers, waitMs }) => {
    expect(limited(status, headers)).toMatchObject({
      kind: 'rate_limited',
      scope: 'app',
      retryAfterMs: waitMs,
    })
  })

  test('a chat limit keeps the wait and closes the conversation only', () => {
    expect(limited(400, { 'x-ogw-ratelimit-reset': '2' }, 230020)).toMatchObject({
      kind: 'rate_limited',
      scope: 'conversation',
      retryAfterMs: 2000,
    })
  })

  test('header names of a thrown error may have any case', () => {
    const response = { status: 429, headers: { 'X-Ogw-Ratelimit-Reset': '3' }, data: { code: 99991400 } }
    expect(classifyThrown({ response })).toMatchObject({ retryAfterMs: 3000 })
  })
})

test('230099 names what is wrong with the card', () => {
  const of = (msg: unknown) => classifyAnswer({ status: 400, headers: {}, body: { code: 230099, msg } })?.code
  expect(of('Failed to create card content, ext=ErrCode: 11310; ErrMsg: table number over limit')).toBe(
    '230099.11310',
  )
  expect(of('ErrCode:200861')).toBe('230099.200861')
  expect(of('Failed')).toBe('230099')
  expect(of(undefined)).toBe('230099')
})

describe('answers that say nothing about the message', () => {
  test.each([
    { name: 'code 0', status: 200, body: { code: 0, data: {} }, expected: 'accepted', code: undefined },
    {
      name: 'HTML with 200',
      status: 200,
      body: '<html>gateway</html>',
      expected: 'unknown',
      code: 'not_json',
    },
    { name: 'null with 200', status: 200, body: null, expected: 'unknown', code: 'not_json' },
    { name: 'JSON without a code', status: 200, body: {}, expected: 'unknown', code: 'no_code' },
    { name: 'a code in text', status: 200, body: { code: '0' }, expected: 'unknown', code: 'no_code' },
    { name: '500', status: 500, body: '', expected: 'unknown', code: 'http_500' },
    { name: '502 with HTML', status: 502, body: '<html>', expected: 'unknown', code: 'http_502' },
    { name: '503 with code 0', status: 503, body: { code: 0 }, expected: 'unknown', code: 'http_503' },
    { name: '504', status: 504, body: null, expected: 'unknown', code: 'http_504' },
    {
      name: '500 with a code nobody knows',
      status: 500,
      body: { code: 77 },
      expected: 'unknown',
      code: '77',
    },
    {
      name: '400 with a code nobody knows',
      status: 400,
      body: { code: 424242 },
      expected: 'unknown',
      code: '424242',
    },
    { name: '404 with HTML', status: 404, body: '<html>', expected: 'unknown', code: 'http_404' },
    { name: 'a redirect', status: 302, body: '', expected: 'not_sent', code: 'http_302' },
    { name: '429 with HTML', status: 429, body: '<html>', expected: 'rate_limited app', code: 'http_429' },
    {
      name: '429 with an unknown code',
      status: 429,
      body: { code: 77 },
      expected: 'rate_limited app',
      code: '77',
    },
    { name: '401 without a code', status: 401, body: '', expected: 'token', code: 'http_401' },
    { name: '413', status: 413, body: '', expected: 'content retry', code: 'http_413' },
  ])('$name: $expected', ({ status, body, expected, code }) => {
    const fault = classifyAnswer({ status, headers: {}, body })
    expect(summary(fault)).toBe(expected)
    expect(fault?.code).toBe(code)
  })
})

test('a fault before the message was offered never leaves its outcome unknown', () => {
  expect(beforeSending({ kind: 'unknown', code: 'timeout' })).toMatchObject({
    kind: 'not_sent',
    code: 'timeout',
  })
  expect(beforeSending({ kind: 'in_flight', code: '18121' })).toMatchObject({ kind: 'not_sent' })
  expect(beforeSending({ kind: 'token', code: '99991663' })).toMatchObject({ kind: 'token' })
})

test('anything at all is classified, never with vendor prose', () => {
  fc.assert(
    fc.property(fc.anything(), fc.integer({ min: 0, max: 599 }), (value, status) => {
      const codes = [
        classifyThrown(value).code,
        classifyAnswer({ status, headers: {}, body: value })?.code ?? '0',
      ]
      for (const code of codes) expect(code).toMatch(/^-?[a-z0-9_.]+$/)
    }),
  )
})
