import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { answerOf, installBoth, startTestService, TEST_KEY, type TestService } from '../support/doors.js'
import { aRun, FULL_RUN } from '../support/runs.js'

let database: TestDatabase
let service: TestService

beforeAll(async () => {
  database = await createTestDatabase()
  await installBoth(database.db)
  service = await startTestService(database.db)
})

afterAll(async () => {
  await service.close()
  await database.close()
})

const post = (run: unknown, headers?: Record<string, string>) => service.post(JSON.stringify(run), headers)

async function countDeliveries(): Promise<number> {
  const { count } = await database.db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

describe('POST /v1/runs', () => {
  test('a run is accepted with 202 and its delivery id', async () => {
    const response = await post({ ...FULL_RUN, expiresAt: '2099-01-01T00:00:00Z' })
    expect(response.status).toBe(202)
    const body = await answerOf(response)
    expect(body).toMatchObject({ isNew: true, deliveryId: expect.stringMatching(/^dlv_[0-9a-f]{32}$/) })
    expect(response.headers.get('location')).toBe(`/v1/deliveries/${body.deliveryId}`)
  })

  test('the same run again is 200 with the same id, whatever the order of its keys', async () => {
    const first = await answerOf(await post(aRun({ runId: 'again' })))
    const reversed = Object.fromEntries(Object.entries(aRun({ runId: 'again' })).reverse())
    const second = await post(reversed)
    expect(second.status).toBe(200)
    expect(await answerOf(second)).toMatchObject({ deliveryId: first.deliveryId, isNew: false })
  })

  test('the same run in another trace is the same run', async () => {
    await post(aRun({ runId: 'traced' }), { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })
    const second = await post(aRun({ runId: 'traced' }), {
      traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`,
    })
    expect(second.status).toBe(200)
  })

  test('the same run with another body is 409', async () => {
    await post(aRun({ runId: 'other' }))
    const response = await post(
      aRun({ runId: 'other', outcome: { status: 'completed', output: 'Something else.' } }),
    )
    expect(response.status).toBe(409)
    expect(await answerOf(response)).toMatchObject({ code: 'run_conflict' })
  })

  test('a later attempt of a run is a delivery of its own', async () => {
    const first = await answerOf(await post(aRun({ runId: 'attempts' })))
    const second = await post(
      aRun({ runId: 'attempts', attempt: 2, outcome: { status: 'completed', output: 'Now.' } }),
    )
    expect(second.status).toBe(202)
    expect((await answerOf(second)).deliveryId).not.toBe(first.deliveryId)
  })

  test('the same run posted 20 times at once is one delivery', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(aRun({ runId: 'at-once' }))))
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(19).fill(200), 202])
    const ids = await Promise.all(answers.map(async (answer) => (await answerOf(answer)).deliveryId))
    expect(new Set(ids).size).toBe(1)
  })

  test('a run for a person, a Lark run and a run without a workspace are accepted', async () => {
    const conversations = [
      { platform: 'slack', user: 'U2147483697' },
      {
        platform: 'lark',
        tenant: 'tenant_1',
        chat: 'oc_a1',
        replyTo: 'om_b2',
        thread: 'omt_c3',
        kind: 'direct',
      },
      { platform: 'lark', openId: 'ou_d4' },
    ]
    const answers = await Promise.all(
      conversations.map((conversation, index) => post(aRun({ runId: `place-${index}`, conversation }))),
    )
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202])
  })

  test('a NUL byte or half a surrogate pair in an output costs neither the run nor the rest of its text', async () => {
    const response = await post(
      aRun({ runId: 'nul', outcome: { status: 'completed', output: 'a\u0000b \ud83d end' } }),
    )
    expect(response.status).toBe(202)
    const { deliveryId } = await answerOf(response)
    const row = await database.db
      .selectFrom('deliveries')
      .select('run')
      .where('id', '=', deliveryId)
      .executeTakeFirstOrThrow()
    expect(row.run.outcome.output).toMatch(/^a.?b \ufffd end$/u)
  })

  test('a transcript is folded at the door', async () => {
    const text = [
      { type: 'system', subtype: 'init', session_id: 's1' },
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        session_id: 's1',
        result: 'From the transcript.',
      },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n')
    const { outcome: _, ...run } = aRun({ runId: 'transcript' })
    const response = await post({ ...run, transcript: { format: 'claude', text } })
    expect(response.status).toBe(202)
    const { deliveryId } = await answerOf(response)
    const row = await database.db
      .selectFrom('deliveries')
      .select('run')
      .where('id', '=', deliveryId)
      .executeTakeFirstOrThrow()
    expect(row.run.outcome).toMatchObject({ status: 'completed', output: 'From the transcript.' })
  })
})

const conversation = aRun().conversation
const outcome = aRun().outcome
const refused: readonly [name: string, run: unknown, path: string][] = [
  ['no object', 'hello', ''],
  ['a list', [aRun()], ''],
  ['null', null, ''],
  ['no run id', aRun({ runId: undefined }), '/runId'],
  ['an empty run id', aRun({ runId: '' }), '/runId'],
  ['a run id of the wrong type', aRun({ runId: 7 }), '/runId'],
  ['a run id that is too long', aRun({ runId: 'r'.repeat(201) }), '/runId'],
  ['a NUL byte in the run id', aRun({ runId: 'a\u0000' }), '/runId'],
  ['half a surrogate pair in the run id', aRun({ runId: 'a\ud83d' }), '/runId'],
  ['an attempt of 0', aRun({ attempt: 0 }), '/attempt'],
  ['a fractional attempt', aRun({ attempt: 1.5 }), '/attempt'],
  ['no conversation', aRun({ conversation: undefined }), '/conversation'],
  [
    'another platform',
    aRun({ conversation: { platform: 'teams', channel: 'C1' } }),
    '/conversation/platform',
  ],
  [
    'a conversation without a place',
    aRun({ conversation: { platform: 'slack', workspace: 'T024BE7LD' } }),
    '/conversation',
  ],
  [
    'a channel and a user',
    aRun({ conversation: { platform: 'slack', channel: 'C061EG9SL', user: 'U1A' } }),
    '/conversation',
  ],
  [
    'a channel name',
    aRun({ conversation: { platform: 'slack', channel: '#general' } }),
    '/conversation/channel',
  ],
  [
    'a Lark chat in a Slack run',
    aRun({ conversation: { platform: 'slack', chat: 'oc_1' } }),
    '/conversation/chat',
  ],
  [
    'a topic id to reply to',
    aRun({ conversation: { platform: 'lark', chat: 'oc_1', replyTo: 'omt_1' } }),
    '/conversation/replyTo',
  ],
  [
    'a numeric thread',
    aRun({ conversation: { ...Object(conversation), thread: 1732960000.0001 } }),
    '/conversation/thread',
  ],
  [
    'an unknown kind',
    aRun({ conversation: { ...Object(conversation), kind: 'group' } }),
    '/conversation/kind',
  ],
  ['no outcome', aRun({ outcome: undefined }), ''],
  ['an outcome and a transcript', aRun({ transcript: { format: 'claude', text: '' } }), ''],
  ['no status', aRun({ outcome: { output: 'x' } }), '/outcome/status'],
  ['an unknown status', aRun({ outcome: { status: 'done' } }), '/outcome/status'],
  ['an output of the wrong type', aRun({ outcome: { status: 'completed', output: 7 } }), '/outcome/output'],
  [
    'a block without a type',
    aRun({ outcome: { status: 'completed', output: [{ text: 'x' }] } }),
    '/outcome/output',
  ],
  ['a typo in the outcome', aRun({ outcome: { ...Object(outcome), ouput: 'x' } }), '/outcome/ouput'],
  ['an unknown field', aRun({ colour: 'red' }), '/colour'],
  ['a script as the link', aRun({ links: { run: 'javascript:alert(1)' } }), '/links/run'],
  ['a date without a time', aRun({ finishedAt: '2026-11-30' }), '/finishedAt'],
  ['too many mentions', aRun({ mentions: Array(51).fill('U1') }), '/mentions'],
  [
    'an unknown workspace',
    aRun({ conversation: { platform: 'slack', workspace: 'T999', channel: 'C1A' } }),
    '/conversation/workspace',
  ],
  [
    'a transcript of an unknown format',
    aRun({ outcome: undefined, transcript: { format: 'gpt', text: '' } }),
    '/transcript/format',
  ],
]

describe('malformed runs', () => {
  test.each(refused)('%s is refused at its path and leaves nothing behind', async (_name, run, path) => {
    const before = await countDeliveries()
    const response = await post(run)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    const problem = await answerOf(response)
    expect(problem).toMatchObject({ status: 400, title: expect.any(String), code: expect.any(String) })
    expect(problem.errors.map((fault) => fault.path)).toContain(path)
    expect(await countDeliveries()).toBe(before)
  })

  test('every fault of one run is listed, each at its path', async () => {
    const response = await post(aRun({ runId: 7, colour: 'red', outcome: { status: 'done', ouput: 'x' } }))
    const { errors } = await answerOf(response)
    expect(errors.map((fault) => fault.path)).toEqual(
      expect.arrayContaining(['/runId', '/colour', '/outcome/status', '/outcome/ouput']),
    )
  })

  test('what was sent is never quoted back', async () => {
    const response = await post(aRun({ runId: 'xoxb-secret secret', outcome: { status: 'hunter2' } }))
    expect(await response.text()).not.toMatch(/xoxb-secret|hunter2/)
  })

  const bodies: readonly [string, string | Uint8Array, Record<string, string>, number, string][] = [
    ['no JSON', '{"runId": ', {}, 400, 'invalid_json'],
    ['an empty body', '', {}, 400, 'invalid_json'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'invalid_json'],
    [
      'a form',
      'runId=1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    [
      '5 MB',
      JSON.stringify(aRun({ outcome: { status: 'completed', output: 'x'.repeat(5e6) } })),
      {},
      413,
      'payload_too_large',
    ],
    [
      'an output over 1 MB',
      JSON.stringify(aRun({ outcome: { status: 'completed', output: 'é'.repeat(6e5) } })),
      {},
      413,
      'payload_too_large',
    ],
    ['very deep nesting', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, {}, 400, 'invalid_run'],
    ['no key', JSON.stringify(aRun()), { authorization: '' }, 401, 'unauthorized'],
    ['another key', JSON.stringify(aRun()), { authorization: 'Bearer lw_wrong' }, 401, 'unauthorized'],
    [
      'a key in the wrong scheme',
      JSON.stringify(aRun()),
      { authorization: `Basic ${TEST_KEY}` },
      401,
      'unauthorized',
    ],
  ]
  test.each(bodies)('%s', async (_name, body, headers, status, code) => {
    const before = await countDeliveries()
    const response = await service.post(body, headers)
    expect([response.status, (await answerOf(response)).code]).toEqual([status, code])
    expect(await countDeliveries()).toBe(before)
  })

  test('an address that is nobody’s is 404', async () => {
    const response = await fetch(`${service.url}/v2/runs`)
    expect([response.status, (await answerOf(response)).code]).toEqual([404, 'not_found'])
  })
})
