import { randomBytes } from 'node:crypto'
import type { PlatformName } from '../contract/run.js'
import type { DeliveryEvent } from '../deliver/engine.js'
import type { Platform } from '../deliver/platform.js'
import type { Logger } from '../log.js'
import { checkEndpointUrl } from '../receipts/endpoint-url.js'
import type { OutgoingEvent } from '../receipts/event.js'
import type { MessageEnd } from '../receipts/outbox.js'
import { createPermalinks, type Permalinks } from '../receipts/permalinks.js'
import { createPoster, type Poster } from '../receipts/post.js'
import { createSender, type Sender } from '../receipts/sender.js'
import { cancelDelivery } from '../store/cancel-delivery.js'
import type { Database } from '../store/database.js'
import { listDeliveries, showDelivery } from '../store/delivery-list.js'
import { permalinkStore } from '../store/permalinks.js'
import { listReceipts } from '../store/receipt-list.js'
import type { Sealer } from '../store/sealing.js'
import {
  addWebhookEndpoint,
  enableWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  webhookTarget,
} from '../store/webhook-endpoints.js'
import { webhookOutbox } from '../store/webhook-messages.js'
import type { DeliveryDoors } from '../web/deliveries.js'
import type { ReceiptsOptions } from '../web/receipts.js'
import type { WebhookDoors } from '../web/webhooks.js'

export interface OutgoingOptions {
  readonly db: Database
  readonly sealer: Pick<Sealer, 'seal' | 'open'>
  readonly platformOf: (name: PlatformName) => Pick<Platform, 'permalink'> | null
  /** Puts an ended delivery back into its lane. @throws {LastwordError} `not_found`, `not_replayable` */
  readonly replay: (deliveryId: string) => Promise<void>
  readonly workerId: string
  /** Milliseconds since the Unix epoch, UTC. */
  readonly now: () => number
  /** Returns [0, 1). */
  readonly random: () => number
  readonly log: Logger
  /** Told of deliveries that end by hand. */
  readonly emit: (event: DeliveryEvent) => void
  /** Told of what became of each webhook call. */
  readonly onMessageEnd?: (end: MessageEnd['kind']) => void
  /** The client that posts events; one of its own by default. */
  readonly poster?: Poster
}

/** What producers are told, and what they may ask and change. */
export interface Outgoing {
  readonly deliveries: DeliveryDoors
  readonly receipts: ReceiptsOptions['receipts']
  readonly webhooks: WebhookDoors
  readonly sender: Sender
  close(): Promise<void>
}

/** Receipts, webhooks and the deliveries they are about, over one database. */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { db, sealer, now, log } = options
  const permalinks = createPermalinks(permalinkStore(db), options.platformOf)
  const poster = options.poster ?? createPoster({ now })
  const sender = createSender({
    workerId: options.workerId,
    outbox: webhookOutbox(db, sealer),
    poster,
    complete: async (event, deliveryId) => (await permalinks.link([{ ...event, deliveryId }]))[0] ?? event,
    now,
    random: options.random,
    log,
    onEnd: options.onMessageEnd ?? (() => {}),
  })
  return {
    deliveries: deliveryDoors(options, permalinks),
    async receipts(scope, page) {
      const found = await listReceipts(db, scope, page)
      return { ...found, events: await permalinks.link(found.events) }
    },
    webhooks: webhookDoors(db, sealer, poster, now),
    sender,
    async close() {
      await sender.stop()
      await poster.close()
    },
  }
}

function deliveryDoors({ db, now, replay, emit }: OutgoingOptions, permalinks: Permalinks): DeliveryDoors {
  return {
    list: (filter, page) => listDeliveries(db, filter, page),
    async show(id) {
      const story = await showDelivery(db, id)
      const isUnlinked =
        story?.parts.some((part) => part.messageId !== null && part.permalink === null) ?? false
      if (!isUnlinked) return story
      await permalinks.resolve([id])
      return showDelivery(db, id)
    },
    replay,
    async cancel(id) {
      const settledAtMs = now()
      const cancelled = await cancelDelivery(db, id, settledAtMs)
      emit({ kind: 'settled', state: 'dropped', settledAtMs, ...cancelled })
    },
  }
}

/** The operations on endpoints; also what `lastword webhooks` uses. */
export function webhookDoors(
  db: Database,
  sealer: Pick<Sealer, 'seal' | 'open'>,
  poster: Pick<Poster, 'post'>,
  now: () => number,
): WebhookDoors {
  return {
    list: (scope) => listWebhookEndpoints(db, scope),
    add: (given) =>
      addWebhookEndpoint(db, sealer, { ...given, url: checkEndpointUrl(given.url, given.mayBePrivate) }),
    remove: (id, scope) => removeWebhookEndpoint(db, id, scope),
    enable: (id, scope) => enableWebhookEndpoint(db, id, scope),
    test: async (id, scope) => poster.post(await webhookTarget(db, sealer, id, scope), testEvent(now())),
  }
}

function testEvent(nowMs: number): OutgoingEvent {
  return {
    id: `evt_test_${randomBytes(8).toString('hex')}`,
    type: 'webhook.test',
    timestamp: new Date(nowMs).toISOString(),
    data: {},
  }
}
