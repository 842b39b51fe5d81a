import type { OutgoingEvent } from './event.js'
import type { PostTarget } from './post.js'

/** One event owed to one endpoint, claimed by this process. */
export interface OwedMessage {
  readonly id: number
  readonly endpointId: string
  /** 1-based number of the try that is about to be made. */
  readonly attempt: number
  /** Null: its secret does not open with the keys of this process. */
  readonly target: PostTarget | null
  readonly event: OutgoingEvent
  /** The delivery the event is about, or null. */
  readonly deliveryId: string | null
  /** Since when everything sent to this endpoint failed; ms since the epoch, UTC. */
  readonly failingSinceMs: number | null
}

/** What became of one try. */
export type MessageEnd =
  | { readonly kind: 'sent'; readonly code: string }
  /** Tried again at `dueAtMs`; nothing else goes to this endpoint before `notBeforeMs`. */
  | { readonly kind: 'again'; readonly code: string; readonly dueAtMs: number; readonly notBeforeMs: number }
  /** The schedule is used up. The event stays in the list. */
  | { readonly kind: 'given_up'; readonly code: string; readonly notBeforeMs: number }

/** What the sender needs of the store. Every method is one short transaction; none is open across a call. */
export interface Outbox {
  /** Owes new events to the endpoints that want them; returns how many events were looked at. */
  fanOut(nowMs: number): Promise<number>
  /** Claims due messages; those of `busyEndpoints` wait for another turn. */
  claim(options: {
    readonly workerId: string
    readonly nowMs: number
    readonly limit: number
    readonly busyEndpoints: readonly string[]
  }): Promise<readonly OwedMessage[]>
  /** Writes down what became of a try, unless another process has taken the message over. */
  settle(workerId: string, message: OwedMessage, end: MessageEnd, nowMs: number): Promise<void>
  /** Disables an endpoint and tells the others; false when it was disabled already. */
  disable(endpointId: string, code: string, nowMs: number): Promise<boolean>
}
