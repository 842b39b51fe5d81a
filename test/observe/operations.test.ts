import { Writable } from 'node:stream'
import { context, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { DeliveryEvent } from '../../src/deliver/engine.js'
import { createCodeLabel } from '../../src/observe/codes.js'
import { logDeliveryEvents } from '../../src/observe/log-events.js'
import { createMetrics } from '../../src/observe/metrics.js'
import { createTraces } from '../../src/observe/traces.js'

afterEach(() => {
  trace.disable()
  context.disable()
})

const attempted = (code: string): DeliveryEvent => ({
  kind: 'attempted',
  deliveryId: 'dlv_1',
  platform: 'slack',
  outcome: 'not_sent',
  code,
  durationMs: 1,
})

test('OPS-04, OPS-05: what is remembered of open work has a cap that holds in a burst, oldest first', () => {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
  const { observer } = createTraces(() => 0)
  for (let n = 0; n < 10_020; n += 1) {
    observer.began({
      deliveryId: `dlv_${n}`,
      runId: 'run_1',
      platform: 'slack',
      installationId: 'slack:T1',
      acceptedAtMs: 0,
      traceparent: null,
    })
  }
  const closed = exporter.getFinishedSpans().map(({ attributes }) => attributes['lastword.delivery_id'])
  expect(closed).toEqual(Array.from({ length: 20 }, (_, n) => `dlv_${n}`))
})

test('OPS-04: codes that nobody knows do not grow the metrics', async () => {
  const metrics = createMetrics({
    readGauges: async () => Promise.reject(new TypeError('no database')),
    activeLanes: () => 0,
    codeLabel: createCodeLabel(['ratelimited']),
    now: Date.now,
    withProcess: false,
  })
  const sizes: number[] = []
  for (let n = 0; n < 2_000; n += 1) {
    metrics.event(attempted(`made_up_${n}`))
    if (n % 1_000 === 0) sizes.push((await metrics.render()).split('\n').length)
  }
  expect(new Set(sizes).size).toBe(1)
})

test('the log names run and delivery of every end, and never what was said', () => {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const tell = logDeliveryEvents(pino({ level: 'debug' }, sink))
  tell({
    kind: 'planned',
    deliveryId: 'dlv_1',
    runId: 'run_1',
    platform: 'slack',
    decision: 'relay',
    why: null,
  })
  tell(attempted('timeout'))
  tell({
    kind: 'settled',
    deliveryId: 'dlv_1',
    runId: 'run_1',
    platform: 'slack',
    state: 'delivered',
    reason: null,
    acceptedAtMs: 1_000,
    settledAtMs: 1_250,
  })
  const [, , ended] = lines.map((line): Record<string, unknown> => JSON.parse(line))
  expect(lines).toHaveLength(3)
  expect(ended).toMatchObject({
    level: 30,
    deliveryId: 'dlv_1',
    runId: 'run_1',
    state: 'delivered',
    tookMs: 250,
  })
})
