import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findNotice, type LedgerNotice } from '../../src/deliver/notice.js'
import { type Pipeline, startPipeline } from '../support/pipeline.js'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline()
})
afterAll(() => pipeline.close())

let count = 0

/** A fresh channel with one recorded notice; `answer` posts a run that claims it. */
async function scene(change: Record<string, unknown> = {}) {
  count += 1
  const noticeId = `notice_${count}`
  const channel = pipeline.engine.channel()
  const conversation = { platform: 'slack', channel, kind: 'direct' }
  const recorded = await pipeline.call('POST', '/v1/notices', {
    noticeId,
    conversation,
    content: 'The build is done.',
    replyTo: 'task_7',
    ...change,
  })
  expect(recorded.status).toBe(201)
  return {
    noticeId,
    channel,
    conversation,
    async answer(outcome: Record<string, unknown>, more: Record<string, unknown> = {}) {
      count += 1
      const end = await pipeline.deliver({
        runId: `run_${count}`,
        conversation,
        locale: 'en',
        trigger: { kind: 'completion_notice', noticeId },
        outcome,
        ...more,
      })
      return { ...end, receipt: await pipeline.receipt(end.deliveryId) }
    },
    async state() {
      const { rows } = await pipeline.engine.database.pool.query(
        'select state, spent_by as "spentBy" from notices where id = $1',
        [noticeId],
      )
      return rows[0]
    },
    posts: () => pipeline.engine.slack.messages(channel).filter(({ botId }) => botId !== null).length,
  }
}

const SILENT = { status: 'completed', output: '' }
const SAYING = { status: 'completed', output: 'All tests pass.' }

describe('silence as the answer to a notice', () => {
  test('is kept out of the chat once: the first reply spends the notice with the same commit', async () => {
    const { answer, state, posts } = await scene()
    const first = await answer(SILENT)
    expect([first.state, first.reason, first.receipt.noticeFinding]).toEqual([
      'dropped',
      'silent_notice',
      'accepted',
    ])
    expect(await state()).toEqual({ state: 'completed', spentBy: first.deliveryId })
    const second = await answer(SILENT)
    expect([second.state, second.receipt.noticeFinding, second.receipt.why]).toEqual([
      'delivered',
      'not_queued',
      'no_response',
    ])
    expect(posts()).toBe(1)
  })

  const spending = [
    ['text', SAYING, 'completed', {}],
    ['a failure', { status: 'failed' }, 'failed', {}],
    ['a cut answer', { status: 'truncated', partialOutput: 'so far' }, 'failed', {}],
    ['an abort', { status: 'aborted', abortedBy: 'system' }, 'cancelled', {}],
    ['a superseded run', SAYING, 'completed', { supersededBy: 'run_x' }],
  ] as const
  test.each(spending)('is not accepted after %s', async (_name, outcome, spentAs, more) => {
    const { answer, state } = await scene()
    const first = await answer(outcome, more)
    expect(await state()).toEqual({ state: spentAs, spentBy: first.deliveryId })
    expect((await answer(SILENT)).receipt).toMatchObject({ decision: 'notice', noticeFinding: 'not_queued' })
  })

  test('is still accepted after an attempt that its producer retries', async () => {
    const { answer, state } = await scene()
    const failed = await answer({ status: 'failed' }, { retryPending: true })
    expect([failed.reason, (await state()).state]).toEqual(['retry_pending', 'queued'])
    expect((await answer(SILENT)).reason).toBe('silent_notice')
  })

  test('is not accepted in another thread of the same conversation', async () => {
    const { noticeId, conversation } = await scene()
    const thread = { ...conversation, thread: '1732960000.000100' }
    const end = await pipeline.deliver({
      runId: `elsewhere_${noticeId}`,
      conversation: thread,
      trigger: { kind: 'completion_notice', noticeId },
      outcome: SILENT,
    })
    expect(await pipeline.receipt(end.deliveryId)).toMatchObject({
      decision: 'notice',
      noticeFinding: 'wrong_conversation',
    })
  })
})

describe('a claim that the ledger does not bear out changes nothing', () => {
  const claims = [
    ['no such notice', { kind: 'completion_notice', noticeId: 'nobody' }, 'not_found'],
    ['no notice named', { kind: 'completion_notice' }, null],
    ['a person who names one', { kind: 'user', noticeId: 'notice_1' }, null],
  ] as const
  test.each(claims)('%s', async (_name, trigger, finding) => {
    const { answer } = await scene()
    const end = await answer(SILENT, { trigger })
    expect(end.receipt).toMatchObject({ decision: 'notice', why: 'no_response', noticeFinding: finding })
  })

  test.each(['running', 'completed', 'failed', 'cancelled', 'interrupted'])(
    'a notice that is %s',
    async (state) => {
      const { answer } = await scene({ state })
      expect((await answer(SILENT)).receipt).toMatchObject({
        decision: 'notice',
        noticeFinding: 'not_queued',
      })
    },
  )

  test.each(['message', 'task'])('a recorded %s is no completion', async (kind) => {
    const { answer } = await scene({ origin: { kind } })
    expect((await answer(SILENT)).receipt).toMatchObject({
      decision: 'notice',
      noticeFinding: 'not_completion',
    })
  })

  test('words of a notice copied into a prompt or an output', async () => {
    const { answer } = await scene()
    const end = await answer({ status: 'completed', output: '[completion notice: The build is done.]' })
    expect(end.receipt).toMatchObject({ decision: 'relay' })
  })
})

describe('a delivery that is planned again', () => {
  const record = {
    id: 'n',
    conversation: 'lane',
    kind: 'completion',
    content: 'done',
    replyTo: 'task_7',
    source: null,
    state: 'completed',
  } as const
  const trigger = { kind: 'completion_notice', noticeId: 'n', requester: null, via: null } as const

  const findings: readonly [name: string, held: LedgerNotice | null, finding: string | null][] = [
    ['finds the notice that it spent itself', { record, spentBy: 'dlv_1' }, 'accepted'],
    ['does not find one that another spent', { record, spentBy: 'dlv_2' }, 'not_queued'],
    ['does not find one that is gone', null, 'not_found'],
  ]
  test.each(findings)('%s', async (_name, held, finding) => {
    const ledger = { notice: async () => held }
    const head = { id: 'dlv_1', conversationKey: 'lane', run: { trigger } }
    expect(await findNotice(ledger, head)).toBe(finding)
  })
})

describe.each(['planned', 'tidied'] as const)('a crash at %s', (step) => {
  test('leaves the notice queued, and the decision is the same afterwards', async () => {
    let crashes = 0
    const crashing = await startPipeline({
      app: {
        reached(reached) {
          if (reached === step && crashes === 0) {
            crashes += 1
            throw new Error('the process ends here')
          }
        },
      },
    })
    const { engine } = crashing
    const conversation = { platform: 'slack', channel: engine.channel(), kind: 'direct' }
    const notice = { noticeId: 'n', conversation, content: 'done', replyTo: 'task_7' }
    await crashing.call('POST', '/v1/notices', notice)
    const id = await crashing.post({
      runId: 'run',
      conversation,
      trigger: { kind: 'completion_notice', noticeId: 'n' },
      outcome: SILENT,
    })
    await engine.quiet()
    expect([crashes, (await engine.story(id)).settledAt]).toEqual([1, null])
    expect(await (await crashing.call('GET', '/v1/notices/n')).json()).toMatchObject({ state: 'queued' })
    await engine.pass(10_000)
    expect(await engine.story(id)).toMatchObject({ state: 'dropped', reason: 'silent_notice' })
    const spent = await (await crashing.call('GET', '/v1/notices/n')).json()
    expect(spent).toMatchObject({ state: 'completed', spentBy: id })
    await crashing.close()
  })
})
