import express, { type Router } from 'express'
import { LastwordError } from '../errors.js'
import type { PostResult } from '../receipts/post.js'
import type { WebhookEndpoint } from '../store/webhook-endpoints.js'
import type { ProducerByKey } from './auth.js'
import { parseJsonBody, rawBody } from './json-body.js'
import { parseRequest } from './query.js'
import { idOf, signedIn, withRight } from './signed-in.js'
import { NewWebhook } from './webhook-schema.js'

type Scope = readonly string[] | null

/** Webhook endpoints as the API changes them. Each method throws `not_found` for what is outside the scope. */
export interface WebhookDoors {
  list(scope: Scope): Promise<readonly WebhookEndpoint[]>
  /** @throws {LastwordError} `invalid_request`, `config_invalid` without a key to seal the secret */
  add(given: {
    readonly url: string
    readonly kinds: readonly string[] | null
    readonly installationIds: Scope
    readonly mayBePrivate: boolean
    readonly createdBy: string | null
  }): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }>
  remove(id: string, scope: Scope): Promise<void>
  enable(id: string, scope: Scope): Promise<WebhookEndpoint>
  /** Posts a test event now. */
  test(id: string, scope: Scope): Promise<PostResult>
}

export interface WebhooksOptions {
  readonly producerByKey: ProducerByKey
  readonly webhooks: WebhookDoors
}

const MAX_BODY_BYTES = 65_536

/** `/v1/webhooks`: endpoints that events are sent to, within what the key may see. */
export function webhooksRouter({ producerByKey, webhooks }: WebhooksOptions): Router {
  const router = express.Router()
  const mayWrite = withRight('deliveries:write', producerByKey)

  router.get('/v1/webhooks', mayWrite, async (_request, response) => {
    response.json({ webhooks: await webhooks.list(signedIn(response).installationIds) })
  })
  router.post('/v1/webhooks', mayWrite, rawBody(MAX_BODY_BYTES), async (request, response) => {
    const given = parseRequest(NewWebhook, parseJsonBody(request.body, request.get('content-type')))
    const producer = signedIn(response)
    const { endpoint, secret } = await webhooks.add({
      url: given.url,
      kinds: given.kinds ?? null,
      installationIds: scopeOf(given.installations ?? null, producer.installationIds),
      mayBePrivate: false,
      createdBy: producer.name,
    })
    response.status(201).json({ ...endpoint, secret })
  })
  router.delete('/v1/webhooks/:id', mayWrite, async (request, response) => {
    await webhooks.remove(idOf(request), signedIn(response).installationIds)
    response.status(204).end()
  })
  router.post('/v1/webhooks/:id/enable', mayWrite, async (request, response) => {
    response.json(await webhooks.enable(idOf(request), signedIn(response).installationIds))
  })
  router.post('/v1/webhooks/:id/test', mayWrite, async (request, response) => {
    const result = await webhooks.test(idOf(request), signedIn(response).installationIds)
    response.json({
      isAccepted: result.kind === 'accepted',
      code: result.kind === 'gone' ? '410' : result.code,
    })
  })
  return router
}

/** @throws {LastwordError} `forbidden` when more is wanted than the key may see */
function scopeOf(wanted: Scope, mine: Scope): Scope {
  if (mine === null || wanted === null) return wanted ?? mine
  if (wanted.every((id) => mine.includes(id))) return wanted
  throw new LastwordError('forbidden', undefined, {
    faults: [{ path: '/installations', expected: 'installations of this key' }],
  })
}
