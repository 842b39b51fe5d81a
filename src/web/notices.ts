import express, { type NextFunction, type Request, type Response, type Router } from 'express'
import type { Producer } from '../intake/accept.js'
import type { NoticeDoors } from '../intake/notices.js'
import { mustHave, type ProducerByKey, producerOf } from './auth.js'
import { parseJsonBody, rawBody } from './json-body.js'

/** JSON escapes may make a body larger than the content in it. */
const BODY_FACTOR = 4

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
  const authenticate = async (request: Request, response: Response, next: NextFunction) => {
    const producer = await producerOf(request, options.producerByKey)
    mustHave(producer, 'notices:write')
    response.locals.producer = producer
    next()
  }
  router.post('/v1/notices', authenticate, body, async (request, response) => {
    const producer: Producer = response.locals.producer
    const value = parseJsonBody(request.body, request.get('content-type'))
    const { notice, isNew } = await options.notices.record(value, producer)
    response
      .status(isNew ? 201 : 200)
      .set('Location', `/v1/notices/${encodeURIComponent(notice.noticeId)}`)
      .json(notice)
  })
  router.get('/v1/notices/:id', authenticate, async (request, response) => {
    const producer: Producer = response.locals.producer
    response.json(await options.notices.read(idOf(request), producer))
  })
  router.post('/v1/notices/:id/cancel', authenticate, async (request, response) => {
    const producer: Producer = response.locals.producer
    response.json(await options.notices.cancel(idOf(request), producer))
  })
  return router
}

function idOf({ params }: Request): string {
  return typeof params.id === 'string' ? params.id : ''
}
