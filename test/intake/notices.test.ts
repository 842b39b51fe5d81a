import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LastwordError } from '../../src/errors.js'
import type { Producer } from '../../src/intake/accept.js'
import { SLACK_INSTALLATION } from '../support/engine.js'
import { type Pipeline, startPipeline } from '../support/pipeline.js'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline()
})
afterAll(() => pipeline.close())

const CONVERSATION = { platform: 'slack', channel: 'C0GENERAL1', kind: 'channel' }

function aNotice(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    noticeId: 'n_1',
    conversation: CONVERSATION,
    content: 'The build is done.',
    origin: { source: 'agent_2' },
    replyTo: 'task_7',
    ...change,
  }
}

const answer = z.looseObject({
  state: z.string().optional(),
  code: z.string().optional(),
  errors: z.array(z.object({ path: z.string() })).default([]),
})

async function call(method: string, path: string, body?: unknown) {
  const response = await pipeline.call(method, path, body)
  return {
    status: response.status,
    location: response.headers.get('location'),
    ...answer.parse(await response.json()),
  }
}

const post = (notice: unknown) => call('POST', '/v1/notices', notice)

describe('POST /v1/notices', () => {
  test('a notice is recorded with 201, and shown as it was recorded', async () => {
    const recorded = await post(aNotice())
    expect(recorded).toMatchObject({ status: 201, location: '/v1/notices/n_1', state: 'queued' })
    expect(await call('GET', '/v1/notices/n_1')).toMatchObject({
      status: 200,
      noticeId: 'n_1',
      installationId: SLACK_INSTALLATION,
      conversation: CONVERSATION,
      kind: 'completion',
      content: 'The build is done.',
      origin: { kind: 'completion', source: 'agent_2' },
      replyTo: 'task_7',
      producer: 'test',
      state: 'queued',
      spentBy: null,
      endedAt: null,
    })
  })

  test('the same notice again is 200, whatever the order of its keys', async () => {
    await post(aNotice({ noticeId: 'again' }))
    const reversed = Object.fromEntries(Object.entries(aNotice({ noticeId: 'again' })).reverse())
    expect(await post(reversed)).toMatchObject({ status: 200, state: 'queued' })
  })

  test('another body under the same id is a conflict, another conversation is the wrong one', async () => {
    await post(aNotice({ noticeId: 'other' }))
    expect(await post(aNotice({ noticeId: 'other', content: 'Changed.' }))).toMatchObject({
      status: 409,
      code: 'notice_conflict',
    })
    const elsewhere = { ...CONVERSATION, thread: '1732960000.000100' }
    expect(await post(aNotice({ noticeId: 'other', conversation: elsewhere }))).toMatchObject({
      status: 400,
      code: 'notice_wrong_conversation',
    })
    expect(await call('GET', '/v1/notices/other')).toMatchObject({ content: 'The build is done.' })
  })

  test('content in blocks is kept, without what no store takes', async () => {
    const content = [{ type: 'text', text: 'a\u0000b', extra: { deep: 'x\u0000' } }]
    await post(aNotice({ noticeId: 'blocks', content }))
    expect(await call('GET', '/v1/notices/blocks')).toMatchObject({
      content: [{ type: 'text', text: 'ab', extra: { deep: 'x' } }],
    })
  })

  test('a state may be given and changed while nothing has answered the notice', async () => {
    await post(aNotice({ noticeId: 'state' }))
    expect(await post(aNotice({ noticeId: 'state', state: 'running' }))).toMatchObject({
      status: 200,
      state: 'running',
    })
    expect(await post(aNotice({ noticeId: 'state', state: 'queued' }))).toMatchObject({ state: 'queued' })
    expect(await post(aNotice({ noticeId: 'state', state: 'interrupted' }))).toMatchObject({
      state: 'interrupted',
    })
    expect(await post(aNotice({ noticeId: 'state', state: 'queued' }))).toMatchObject({
      status: 409,
      code: 'notice_not_queued',
    })
    expect(await post(aNotice({ noticeId: 'state' }))).toMatchObject({ status: 200, state: 'interrupted' })
  })

  test('posted 20 times at once it is one notice', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(aNotice({ noticeId: 'at-once' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  })

  const refused: readonly [name: string, notice: unknown, path: string][] = [
    ['no object', 'hello', ''],
    ['no id', aNotice({ noticeId: undefined }), '/noticeId'],
    ['a blank id', aNotice({ noticeId: ' ' }), '/noticeId'],
    ['no conversation', aNotice({ conversation: undefined }), '/conversation'],
    ['a conversation without a place', aNotice({ conversation: { platform: 'slack' } }), '/conversation'],
    ['no content', aNotice({ content: undefined }), '/content'],
    ['content of the wrong type', aNotice({ content: 7 }), '/content'],
    ['a completion without the work it is about', aNotice({ replyTo: undefined }), '/replyTo'],
    ['an unknown kind', aNotice({ origin: { kind: 'user' } }), '/origin/kind'],
    ['an origin with more to it', aNotice({ origin: { silent: true } }), '/origin/silent'],
    ['an unknown state', aNotice({ state: 'done' }), '/state'],
    ['an unknown field', aNotice({ silence: true }), '/silence'],
    [
      'an unknown workspace',
      aNotice({ conversation: { ...CONVERSATION, workspace: 'T999' } }),
      '/conversation/workspace',
    ],
  ]
  test.each(refused)('%s is refused at its path', async (_name, notice, path) => {
    const { status, errors } = await post(notice)
    expect([status, errors.map((fault) => fault.path)]).toEqual([400, expect.arrayContaining([path])])
  })

  test('a message that is no completion needs no work that it is about', async () => {
    const notice = aNotice({ noticeId: 'message', origin: { kind: 'message' }, replyTo: undefined })
    expect(await post(notice)).toMatchObject({ status: 201, kind: 'message', replyTo: null })
  })

  test('content over the limit is 413, no JSON is 400, no key is 401', async () => {
    const huge = await post(aNotice({ noticeId: 'huge', content: 'x'.repeat(1_048_576) }))
    expect(huge).toMatchObject({ status: 413, code: 'payload_too_large' })
    const headers = { 'content-type': 'application/json' }
    const bare = await fetch(`${pipeline.url}/v1/notices`, { method: 'POST', headers, body: '{}' })
    expect(bare.status).toBe(401)
  })
})

describe('POST /v1/notices/:id/cancel', () => {
  test('withdraws a notice, and withdrawing it again changes nothing', async () => {
    await post(aNotice({ noticeId: 'cancel' }))
    expect(await call('POST', '/v1/notices/cancel/cancel')).toMatchObject({ status: 200, state: 'cancelled' })
    expect(await call('POST', '/v1/notices/cancel/cancel')).toMatchObject({ status: 200, state: 'cancelled' })
  })

  test('what was answered cannot be withdrawn', async () => {
    await post(aNotice({ noticeId: 'done', state: 'completed' }))
    expect(await call('POST', '/v1/notices/done/cancel')).toMatchObject({
      status: 409,
      code: 'notice_not_queued',
    })
  })

  test.each(['nobody', 'x%00y', 'a%20b', 'n'.repeat(300)])('%s is not found', async (id) => {
    expect(await call('GET', `/v1/notices/${id}`)).toMatchObject({ status: 404, code: 'notice_not_found' })
    expect(await call('POST', `/v1/notices/${id}/cancel`)).toMatchObject({ status: 404 })
  })
})

describe('rights', () => {
  const doors = () => pipeline.engine.app.notices
  const withRights = (change: Partial<Producer>): Producer => ({
    name: 'limited',
    may: () => true,
    mayPostTo: () => true,
    installationIds: null,
    ...change,
  })
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'done',
      (error: unknown) => (error instanceof LastwordError ? error.code : 'another error'),
    )

  test('a key without notices:write may do nothing here', async () => {
    const producer = withRights({ may: (right) => right !== 'notices:write' })
    await post(aNotice({ noticeId: 'rights' }))
    expect(await codeOf(doors().record(aNotice({ noticeId: 'more' }), producer))).toBe('forbidden')
    expect(await codeOf(doors().read('rights', producer))).toBe('forbidden')
    expect(await codeOf(doors().cancel('rights', producer))).toBe('forbidden')
  })

  test('a key of another installation neither records, nor reads, nor learns that there is one', async () => {
    const producer = withRights({ mayPostTo: (id) => id !== SLACK_INSTALLATION, installationIds: [] })
    await post(aNotice({ noticeId: 'theirs' }))
    expect(await codeOf(doors().record(aNotice({ noticeId: 'mine' }), producer))).toBe('forbidden')
    expect(await codeOf(doors().read('theirs', producer))).toBe('notice_not_found')
    expect(await codeOf(doors().cancel('theirs', producer))).toBe('notice_not_found')
  })
})
