import express, { type Router } from 'express'
import { type DeliveriesOptions, deliveriesRouter } from './deliveries.js'
import { type ReceiptsOptions, receiptsRouter } from './receipts.js'
import { type WebhooksOptions, webhooksRouter } from './webhooks.js'

/** What producers may ask and change. */
export type ApiDoors = Pick<DeliveriesOptions, 'deliveries'> &
  Pick<ReceiptsOptions, 'receipts'> &
  Pick<WebhooksOptions, 'webhooks'>

/** The API about what became of runs. */
export function apiRouter(options: ApiDoors & Pick<DeliveriesOptions, 'producerByKey'>): Router {
  const router = express.Router()
  router.use(deliveriesRouter(options))
  router.use(receiptsRouter(options))
  router.use(webhooksRouter(options))
  return router
}
