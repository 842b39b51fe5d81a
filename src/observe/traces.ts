import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { EditResult, FindResult, Platform, SendResult } from '../deliver/platform.js'
import type { WorkEnd, WorkObserver } from '../deliver/work-lifecycle.js'
import { readTraceparent } from './traceparent.js'

/** Deliveries whose span is open at the same time; beyond it the oldest is closed. */
const MAX_OPEN = 10_000

/** Attributes by their names, in one place. Ids and codes; never text. */
const ATTRIBUTE = {
  delivery: 'lastword.delivery_id',
  run: 'lastword.run_id',
  platform: 'lastword.platform',
  installation: 'lastword.installation_id',
  waited: 'lastword.waited_ms',
  part: 'lastword.part',
  outcome: 'lastword.outcome',
  code: 'lastword.code',
  end: 'lastword.end',
} as const

type Began = Parameters<WorkObserver['began']>[0]

export interface Traces {
  readonly observer: WorkObserver
  /** The same platform, with a span around every call that sends, edits or looks up. */
  around<P extends Platform>(platform: P): P
}

interface Open {
  readonly span: Span
  readonly context: Context
}

/**
 * Spans from the producer's trace to the platform call, through whatever tracing SDK the process was started with; none
 * costs next to nothing. One span is one stretch of work on a delivery in this process: a delivery that waits has no
 * open span, and goes on in another one of the same trace.
 */
export function createTraces(now: () => number): Traces {
  const tracer = trace.getTracer('lastword')
  const open = new Map<string, Open>()

  function end(deliveryId: string, how: WorkEnd): void {
    const found = open.get(deliveryId)
    if (found === undefined) return
    open.delete(deliveryId)
    found.span.setAttribute(ATTRIBUTE.end, how)
    if (how === 'dead') found.span.setStatus({ code: SpanStatusCode.ERROR })
    found.span.end()
  }

  function began(work: Began): void {
    if (open.has(work.deliveryId)) return
    const parent = parentOf(work.traceparent)
    const span = tracer.startSpan(
      'lastword.deliver',
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          [ATTRIBUTE.delivery]: work.deliveryId,
          [ATTRIBUTE.run]: work.runId,
          [ATTRIBUTE.platform]: work.platform,
          [ATTRIBUTE.installation]: work.installationId,
          [ATTRIBUTE.waited]: Math.max(0, now() - work.acceptedAtMs),
        },
      },
      parent,
    )
    open.set(work.deliveryId, { span, context: trace.setSpan(parent, span) })
    for (const oldest of open.keys()) {
      if (open.size <= MAX_OPEN) break
      end(oldest, 'handed_over')
    }
  }

  async function call<R extends SendResult | EditResult | FindResult>(
    name: string,
    deliveryId: string,
    attributes: Attributes,
    run: () => Promise<R>,
  ): Promise<R> {
    const parent = open.get(deliveryId)?.context ?? ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
    try {
      const result = await context.with(trace.setSpan(parent, span), run)
      span.setAttribute(ATTRIBUTE.outcome, result.kind)
      if ('code' in result) span.setAttribute(ATTRIBUTE.code, result.code)
      if (!FINE.has(result.kind)) span.setStatus({ code: SpanStatusCode.ERROR })
      return result
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  return {
    observer: { began, ended: end },
    around(platform) {
      const of = (deliveryId: string, part: number): Attributes => ({
        [ATTRIBUTE.delivery]: deliveryId,
        [ATTRIBUTE.platform]: platform.name,
        [ATTRIBUTE.part]: part,
      })
      return {
        ...platform,
        send: (target, part, marker) =>
          call(`${platform.name} send`, marker.deliveryId, of(marker.deliveryId, marker.partIndex), () =>
            platform.send(target, part, marker),
          ),
        edit: (target, messageId, part, marker) =>
          call(`${platform.name} edit`, marker.deliveryId, of(marker.deliveryId, marker.partIndex), () =>
            platform.edit(target, messageId, part, marker),
          ),
        find: (target, marker, window) =>
          call(`${platform.name} find`, marker.deliveryId, of(marker.deliveryId, marker.partIndex), () =>
            platform.find(target, marker, window),
          ),
      }
    },
  }
}

const FINE = new Set(['sent', 'edited', 'absent', 'not_editable'])

/** The producer's context. Ours to read, whatever propagator the process has: the run's field is W3C by contract. */
function parentOf(traceparent: string | null): Context {
  const remote = traceparent === null ? null : readTraceparent(traceparent)
  return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote)
}

/** Two observers told the same, in this order. */
export function bothObservers(first: WorkObserver, second: WorkObserver): WorkObserver {
  return {
    began(work) {
      first.began(work)
      second.began(work)
    },
    ended(deliveryId, how) {
      first.ended(deliveryId, how)
      second.ended(deliveryId, how)
    },
  }
}
