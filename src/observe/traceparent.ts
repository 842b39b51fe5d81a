import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'

/** Version, trace id, span id, flags: www.w3.org/TR/trace-context 3.2. A later version may append fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** Reads a W3C `traceparent`; null when it is malformed, which by the specification means no parent. */
export function readTraceparent(text: string): SpanContext | null {
  const [, version, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text.trim()) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && text.trim().length !== 55))
    return null
  const parent: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? parent : null
}
