import express, { type Router } from 'express'
import type { NoticeDoors } from '../intake/notices.js'
import type { ProducerByKey } from './auth.js'
import { BODY_FACTOR, parseJsonBody, rawBody } from './json-body.js'
import { idOf, signedIn, withRight } from './signed-in.js'

export interface NoticesOptions {
  readonly producerByKey: ProducerByKey
  readonly notices: NoticeDoors
  readonly maxOutputBytes: number
}

/**
 * `POST /v1/notices` records a completion notice (201, or 200 when it stands already), `GET /v1/notices/:id` shows one,
 * `POST /v1/notices/:id/cancel` withdraws it.
 */
export function noticesRouter(options: NoticesOptions): Router {
  const router = express.Router()
  const body = rawBody(options.maxOutputBytes * BODY_FACTOR)
  const authenticate = withRight('notices:write', options.producerByKey)
  router.post('/v1/notices', authenticate, body, async (request, response) => {
    const producer = signedIn(response)
    const value = parseJsonBody(request.body, request.get('content-type'))
    const { notice, isNew } = await options.notices.record(value, producer)
    response
      .status(isNew ? 201 : 200)
      .set('Location', `/v1/notices/${encodeURIComponent(notice.noticeId)}`)
      .json(notice)
  })
  router.get('/v1/notices/:id', authenticate, async (request, response) => {
    const producer = signedIn(response)
    response.json(await options.notices.read(idOf(request), producer))
  })
  router.post('/v1/notices/:id/cancel', authenticate, async (request, response) => {
    const producer = signedIn(response)
    response.json(await options.notices.cancel(idOf(request), producer))
  })
  return router
}
