/** Every kind of event there is, with what it tells. The list in `docs` of the API comes from here. */
export const EVENT_KINDS = {
  'delivery.delivered': 'everything of a delivery stands in the chat',
  'delivery.dropped': 'nothing was shown, on purpose; `reason` says why',
  'delivery.dead': 'a delivery was given up and waits for an operator',
  'delivery.expired': 'a deadline passed before anything was shown',
  'installation.added': 'a workspace or tenant installed the app',
  'installation.parked': 'a workspace or tenant can no longer be written to; its deliveries wait',
  'installation.removed': 'a workspace or tenant removed the app',
  'installation.quota_exhausted': 'a platform quota is used up; deliveries wait',
  'button.pressed': 'a reader pressed a button under a message',
  'endpoint.disabled': 'a webhook endpoint failed for too long and gets nothing until it is enabled again',
  'webhook.test': 'a test, sent by hand to one endpoint',
} as const
export type EventKind = keyof typeof EVENT_KINDS

export function isEventKind(text: string): text is EventKind {
  return text in EVENT_KINDS
}

/** One event as a producer reads it, in a webhook or from the list. */
export interface OutgoingEvent {
  /** The same in the list, in the header `webhook-id` and in every retry. */
  readonly id: string
  readonly type: string
  /** ISO 8601, UTC: when it happened. */
  readonly timestamp: string
  /** Ids, codes and times; never text of a run. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The one spelling of an event's id. */
export function eventId(receiptId: number): string {
  return `evt_${receiptId}`
}
