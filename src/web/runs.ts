import express, { type Router } from 'express'
import type { Acceptance, Producer } from '../intake/accept.js'
import { unwrapCloudEvent } from '../intake/cloud-event.js'
import type { ProducerByKey } from './auth.js'
import { BODY_FACTOR, parseJsonBody, rawBody } from './json-body.js'
import { signedIn, withRight } from './signed-in.js'

export interface RunsOptions {
  readonly producerByKey: ProducerByKey
  readonly accept: (value: unknown, producer: Producer) => Promise<Acceptance>
  readonly maxOutputBytes: number
}

/**
 * `POST /v1/runs`: 202 with the delivery's id after commit, 200 when the same run stands already. The body is a run, or a
 * CloudEvent that carries one.
 */
export function runsRouter(options: RunsOptions): Router {
  const router = express.Router()
  const body = rawBody(options.maxOutputBytes * BODY_FACTOR)
  // The key is looked at before the body is read: a stranger cannot make us hold megabytes.
  const authenticate = withRight('runs:write', options.producerByKey)
  router.post('/v1/runs', authenticate, body, async (request, response) => {
    const producer = signedIn(response)
    const body = parseJsonBody(request.body, request.get('content-type'))
    const value = unwrapCloudEvent(body, (name) => request.get(name))
    const { deliveryId, isNew } = await options.accept(
      withTraceparent(value, request.get('traceparent')),
      producer,
    )
    response
      .status(isNew ? 202 : 200)
      .set('Location', `/v1/deliveries/${deliveryId}`)
      .json({ deliveryId, isNew })
  })
  return router
}

/** The header speaks for a producer whose run does not carry its own trace. */
function withTraceparent(value: unknown, traceparent: string | undefined): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return traceparent === undefined || !isObject || 'traceparent' in value ? value : { ...value, traceparent }
}
