import { type FaultAt, LastwordError } from '../errors.js'

/** The type of the CloudEvents that carry a completed run: `data` is the run as `POST /v1/runs` takes it. */
export const RUN_COMPLETED_TYPE = 'lastword.run.completed.v1'

const STRUCTURED = /^application\/cloudevents\+json\b/i
const BATCH = /^application\/cloudevents-batch\b/i
const REQUIRED = ['specversion', 'id', 'source', 'type'] as const

/** How a request names its headers; undefined when there is no such one. */
export type HeaderOf = (name: string) => string | undefined

/**
 * The run inside a CloudEvent 1.0 (github.com/cloudevents/spec, http-protocol-binding 1.0.2), in structured or binary
 * mode; a body that is no CloudEvent is answered as it is. The event's own id plays no part: runs are known by theirs.
 *
 * @throws {LastwordError} `invalid_run` with each attribute that is wrong, `unsupported_media_type` for a batch
 */
export function unwrapCloudEvent(value: unknown, headerOf: HeaderOf): unknown {
  const contentType = headerOf('content-type') ?? ''
  if (BATCH.test(contentType)) throw new LastwordError('unsupported_media_type')
  if (STRUCTURED.test(contentType)) return structured(value)
  if (headerOf('ce-specversion') !== undefined) return binary(value, headerOf)
  return value
}

function structured(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: '', expected: 'one CloudEvent' }])
  }
  const event: Readonly<Record<string, unknown>> = { ...value }
  check((name) => event[name], '/')
  const format = event.datacontenttype
  if (
    format !== undefined &&
    (typeof format !== 'string' || !/^application\/(?:[\w.-]+\+)?json\b/i.test(format))
  ) {
    throw invalid([{ path: '/datacontenttype', expected: 'JSON' }])
  }
  const run = event.data ?? decoded(event.data_base64)
  return withTrace(run, event.traceparent)
}

function binary(value: unknown, headerOf: HeaderOf): unknown {
  check((name) => readHeader(headerOf(`ce-${name}`)), 'ce-')
  return withTrace(value, headerOf('ce-traceparent'))
}

function check(attributeOf: (name: string) => unknown, prefix: string): void {
  const faults: FaultAt[] = REQUIRED.filter((name) => {
    const attribute = attributeOf(name)
    return typeof attribute !== 'string' || attribute === ''
  }).map((name) => ({ path: `${prefix}${name}`, expected: 'a value; CloudEvents need it' }))
  const version = attributeOf('specversion')
  if (typeof version === 'string' && version !== '' && version !== '1.0') {
    faults.push({ path: `${prefix}specversion`, expected: '1.0' })
  }
  const type = attributeOf('type')
  if (typeof type === 'string' && type !== '' && type !== RUN_COMPLETED_TYPE) {
    faults.push({ path: `${prefix}type`, expected: RUN_COMPLETED_TYPE })
  }
  if (faults.length > 0) throw invalid(faults)
}

/** Header values are percent-encoded where they are not plain ASCII (http-protocol-binding 3.1.3.2). */
function readHeader(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function decoded(base64: unknown): unknown {
  if (typeof base64 !== 'string') return undefined
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch (cause) {
    throw new LastwordError('invalid_json', undefined, { cause })
  }
}

/** The distributed tracing extension speaks for a run that does not carry its own trace. */
function withTrace(run: unknown, traceparent: unknown): unknown {
  const isObject = typeof run === 'object' && run !== null && !Array.isArray(run)
  return typeof traceparent !== 'string' || !isObject || 'traceparent' in run ? run : { ...run, traceparent }
}

function invalid(faults: readonly FaultAt[]): LastwordError {
  return new LastwordError('invalid_run', undefined, { faults })
}
