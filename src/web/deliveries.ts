import express, { type Router } from 'express'
import { LastwordError } from '../errors.js'
import type { Producer } from '../intake/producer.js'
import type { DeliveryFilter, DeliveryRow, DeliveryStory } from '../store/delivery-list.js'
import type { ProducerByKey } from './auth.js'
import { DeliveryQuery } from './delivery-schema.js'
import { parseRequest } from './query.js'
import { idOf, signedIn, withRight } from './signed-in.js'

/** Deliveries as the API reads and changes them. */
export interface DeliveryDoors {
  list(
    filter: DeliveryFilter,
    page: { readonly limit: number; readonly beforeSeq?: number | undefined },
  ): Promise<readonly DeliveryRow[]>
  /** One delivery's story with links to its messages, or null. */
  show(id: string): Promise<DeliveryStory | null>
  /** Puts an ended delivery back into its lane. @throws {LastwordError} `not_found`, `not_replayable` */
  replay(id: string): Promise<void>
  /** Ends an open delivery as dropped. @throws {LastwordError} `not_found`, `not_replayable` */
  cancel(id: string): Promise<void>
}

export interface DeliveriesOptions {
  readonly producerByKey: ProducerByKey
  readonly deliveries: DeliveryDoors
}

/** `/v1/deliveries`: list and show, replay and cancel, within what the key may see. */
export function deliveriesRouter({ producerByKey, deliveries }: DeliveriesOptions): Router {
  const router = express.Router()
  const mayRead = withRight('deliveries:read', producerByKey)
  const mayWrite = withRight('deliveries:write', producerByKey)

  router.get('/v1/deliveries', mayRead, async (request, response) => {
    const query = parseRequest(DeliveryQuery, request.query)
    const { installationIds } = signedIn(response)
    const rows = await deliveries.list(
      {
        state: query.state,
        reason: query.reason,
        runId: query.run,
        installationId: query.installation,
        conversationKey: query.conversation,
        sinceMs: query.since === undefined ? undefined : Date.parse(query.since),
        installationIds: installationIds ?? undefined,
      },
      { limit: query.limit + 1, beforeSeq: query.before },
    )
    const page = rows.slice(0, query.limit)
    response.json({ deliveries: page, next: rows.length > query.limit ? (page.at(-1)?.seq ?? null) : null })
  })

  router.get('/v1/deliveries/:id', mayRead, async (request, response) => {
    response.json(await visible(deliveries, idOf(request), signedIn(response)))
  })

  for (const action of ['replay', 'cancel'] as const) {
    router.post(`/v1/deliveries/:id/${action}`, mayWrite, async (request, response) => {
      const id = idOf(request)
      await visible(deliveries, id, signedIn(response))
      await deliveries[action](id)
      response.status(202).json(await deliveries.show(id))
    })
  }
  return router
}

/** What a key may not see is not there. @throws {LastwordError} `not_found` */
async function visible(deliveries: DeliveryDoors, id: string, producer: Producer): Promise<DeliveryStory> {
  const story = await deliveries.show(id)
  const mine = producer.installationIds
  if (story === null || (mine !== null && !mine.includes(story.installationId))) {
    throw new LastwordError('not_found')
  }
  return story
}
