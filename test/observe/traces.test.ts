import { context, propagation, trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readTraceparent } from '../../src/observe/traceparent.js'
import { aRun, type EngineUnderTest, inSlack, startEngine } from '../support/engine.js'

const TRACE_ID = 'a'.repeat(32)
const PARENT_ID = 'b'.repeat(16)

describe('a traceparent of the producer', () => {
  const good = `00-${TRACE_ID}-${PARENT_ID}-01`
  test.each([
    ['a sampled one', good, { traceId: TRACE_ID, spanId: PARENT_ID, traceFlags: 1, isRemote: true }],
    ['one that is not sampled', `00-${TRACE_ID}-${PARENT_ID}-00`, { traceFlags: 0 }],
    ['one of a later version', `01-${TRACE_ID}-${PARENT_ID}-01-more`, { traceId: TRACE_ID }],
  ])('%s is read', (_name, text, expected) => {
    expect(readTraceparent(text)).toMatchObject(expected)
  })

  test.each([
    '',
    'nonsense',
    `${good}-more`,
    `ff-${TRACE_ID}-${PARENT_ID}-01`,
    `00-${'0'.repeat(32)}-${PARENT_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    good.toUpperCase(),
  ])('%j is none', (text) => {
    expect(readTraceparent(text)).toBeNull()
  })
})

describe('spans', () => {
  const exporter = new InMemorySpanExporter()
  let engine: EngineUnderTest

  beforeAll(async () => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    )
    engine = await startEngine()
  })
  afterAll(async () => {
    await engine.close()
    trace.disable()
    context.disable()
    propagation.disable()
  })
  beforeEach(() => exporter.reset())

  const named = (name: string): readonly ReadableSpan[] =>
    exporter.getFinishedSpans().filter((span) => span.name === name)

  test('lead from the trace of the producer to the call, with ids and no text', async () => {
    const { deliveryId } = await engine.deliver(
      aRun(inSlack(engine.channel()), {
        traceparent: `00-${TRACE_ID}-${PARENT_ID}-01`,
        outcome: { status: 'completed', output: 'very secret words' },
      }),
    )
    await engine.quiet()
    const [delivery] = named('lastword.deliver')
    const [call] = named('slack send')
    expect(delivery?.spanContext().traceId).toBe(TRACE_ID)
    expect(delivery?.parentSpanContext?.spanId).toBe(PARENT_ID)
    expect(call?.spanContext().traceId).toBe(TRACE_ID)
    expect(call?.parentSpanContext?.spanId).toBe(delivery?.spanContext().spanId)
    expect(delivery?.attributes).toMatchObject({
      'lastword.delivery_id': deliveryId,
      'lastword.platform': 'slack',
      'lastword.end': 'delivered',
    })
    expect(call?.attributes).toMatchObject({ 'lastword.part': 0, 'lastword.outcome': 'sent' })
    expect(
      JSON.stringify(exporter.getFinishedSpans().map(({ attributes, name }) => [attributes, name])),
    ).not.toContain('secret')
  })

  test('a run without a trace begins one of its own', async () => {
    await engine.deliver(aRun(inSlack(engine.channel()), { traceparent: 'nonsense' }))
    await engine.quiet()
    const [delivery] = named('lastword.deliver')
    expect(delivery?.parentSpanContext).toBeUndefined()
  })

  test('each try is a span of the same trace, and a failed one says why', async () => {
    engine.slack.faults.next('chat.postMessage', { kind: 'error', code: 'service_unavailable' })
    const run = aRun(inSlack(engine.channel()), { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` })
    const [id = ''] = await engine.accept(run)
    await engine.quiet()
    await engine.pass(60_000)
    await engine.settled(id)
    await engine.quiet()
    const calls = named('slack send')
    expect(calls.map(({ attributes }) => attributes['lastword.outcome'])).toEqual(['not_sent', 'sent'])
    expect(calls[0]?.attributes['lastword.code']).toBe('service_unavailable')
    expect(new Set(calls.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE_ID]))
    expect(named('lastword.deliver').map(({ attributes }) => attributes['lastword.end'])).toEqual([
      'waiting',
      'delivered',
    ])
  })
})
