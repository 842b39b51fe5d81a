import { createLifecycle, type Lifecycle, type ListenerFailure } from '../contract/lifecycle/lifecycle.js'
import type { PlatformName } from '../contract/run.js'
import type { EndState } from './ledger.js'

/**
 * How the work on a delivery ended in this process: with the delivery's own end, or because it has to wait (`waiting`,
 * `parked`), or because it went to another worker (`handed_over`).
 */
export type WorkEnd = EndState | 'waiting' | 'parked' | 'handed_over'

/** What the engine tells of the work on one delivery. Beginning twice or ending unbegun work is not an error here. */
export interface WorkObserver {
  began(work: {
    readonly deliveryId: string
    readonly runId: string
    readonly platform: PlatformName
    readonly installationId: string
    readonly acceptedAtMs: number
    /** W3C trace context of the producer, as it wrote it. */
    readonly traceparent: string | null
  }): void
  ended(deliveryId: string, end: WorkEnd): void
}

export interface WorkLifecycle {
  readonly lifecycle: Lifecycle
  readonly observer: WorkObserver
}

/**
 * Start and end notifications of the work on deliveries, by the contract's rules: start first, paired, each listener
 * contained. One pair is one stretch of work in this process, so nothing is remembered of a delivery that waits: it
 * may go on in another process, where it has a pair of its own. `runId` is the delivery's, `id` the run's, `scope` the
 * installation's.
 */
export function createWorkLifecycle(onListenerError: (failure: ListenerFailure) => void): WorkLifecycle {
  const lifecycle = createLifecycle({ onListenerError })
  const open = new Set<string>()
  return {
    lifecycle,
    observer: {
      began({ deliveryId, runId, platform, installationId }) {
        if (open.has(deliveryId)) return
        open.add(deliveryId)
        lifecycle.start({ runId: deliveryId, provider: platform, id: runId, local: true }, installationId)
      },
      ended(deliveryId, end) {
        if (open.delete(deliveryId)) lifecycle.end(deliveryId, { stopReason: end })
      },
    },
  }
}

/** The same observer, whose failures are reported and go no further: whoever watches the work cannot stop it. */
export function containObserver(observer: WorkObserver, onFailure: (err: unknown) => void): WorkObserver {
  const contained = (tell: () => void): void => {
    try {
      tell()
    } catch (err) {
      onFailure(err)
    }
  }
  return {
    began: (work) => contained(() => observer.began(work)),
    ended: (deliveryId, end) => contained(() => observer.ended(deliveryId, end)),
  }
}
