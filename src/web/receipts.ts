import express, { type Router } from 'express'
import type { ReceiptPage } from '../store/receipt-list.js'
import type { ProducerByKey } from './auth.js'
import { parseRequest } from './query.js'
import { ReceiptQuery } from './receipt-schema.js'
import { signedIn, withRight } from './signed-in.js'

export interface ReceiptsOptions {
  readonly producerByKey: ProducerByKey
  /** A page of events with links to messages. @throws {LastwordError} `invalid_request` */
  readonly receipts: (
    installationIds: readonly string[] | null,
    page: { readonly after: string | null; readonly limit: number },
  ) => Promise<ReceiptPage>
}

/** `GET /v1/receipts`: what ended, oldest first, from a cursor on. */
export function receiptsRouter({ producerByKey, receipts }: ReceiptsOptions): Router {
  const router = express.Router()
  router.get('/v1/receipts', withRight('deliveries:read', producerByKey), async (request, response) => {
    const query = parseRequest(ReceiptQuery, request.query)
    const { events, next, hasMore } = await receipts(signedIn(response).installationIds, {
      after: query.after ?? null,
      limit: query.limit,
    })
    response.json({
      events: events.map(({ id, type, timestamp, data }) => ({ id, type, timestamp, data })),
      next,
      hasMore,
    })
  })
  return router
}
