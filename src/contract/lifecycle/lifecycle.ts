import { describeThrown } from '../describe-thrown.js'
import type { EndEvent, LifecycleEvent, RunEnd, RunIdentity } from './event.js'
import { LifecycleInvariants, LifecycleViolation } from './invariants.js'

/** Observes runs. What it returns is not used; what it throws or rejects with is contained. */
export type LifecycleListener = (event: LifecycleEvent) => unknown

/** A listener that failed. `message` is safe to log: it is the error's own message or a fixed placeholder. */
export interface ListenerFailure {
  readonly edge: LifecycleEvent['edge']
  readonly runId: string
  readonly message: string
}

export interface LifecycleOptions {
  readonly onListenerError: (failure: ListenerFailure) => void
}

/** Start and end notifications of runs: paired by run id, start first, each listener contained by itself. */
export interface Lifecycle {
  /**
   * Tells that an accepted run has started. Call it before anything of the run can be observed.
   * @param scope who asked for the run; both notifications go to listeners of that scope and to those of every scope
   * @throws {LifecycleViolation} when a name is empty or the run is already open
   */
  start(run: RunIdentity, scope?: string): void
  /**
   * Tells that a run has ended.
   * @throws {LifecycleViolation} when no such run is open
   */
  end(runId: string, end: RunEnd): void
  /** Adds a listener, of one scope or of all. Returns how to remove it. */
  subscribe(listener: LifecycleListener, scope?: string): () => void
}

interface Subscription {
  readonly listener: LifecycleListener
  readonly scope: string | null
}

/** A notifier with no listeners. Sending is synchronous, in the order of subscription. */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const invariants = new LifecycleInvariants()
  const scopes = new Map<string, string | null>()
  const subscriptions = new Set<Subscription>()
  const send = (event: LifecycleEvent, scope: string | null): void => {
    for (const subscription of [...subscriptions]) {
      if (subscription.scope === null || subscription.scope === scope) {
        notify(subscription.listener, event, options.onListenerError)
      }
    }
  }
  return {
    start: ({ runId, provider, id, local }, scope) => {
      const event = Object.freeze({ edge: 'start' as const, runId, provider, id, local })
      invariants.check(event)
      scopes.set(runId, scope ?? null)
      send(event, scope ?? null)
    },
    end: (runId, end) => {
      const run = invariants.findOpen(runId)
      if (run === null) throw new LifecycleViolation('no_matching_start')
      const event = endEvent(run, end)
      invariants.check(event)
      const scope = scopes.get(runId) ?? null
      scopes.delete(runId)
      send(event, scope)
    },
    subscribe: (listener, scope) => {
      const subscription = { listener, scope: scope ?? null }
      subscriptions.add(subscription)
      return () => {
        subscriptions.delete(subscription)
      }
    },
  }
}

function endEvent(run: RunIdentity, { stopReason, lastAssistantMessage }: RunEnd): EndEvent {
  const isPresent =
    lastAssistantMessage !== undefined && lastAssistantMessage !== null && lastAssistantMessage.length > 0
  const event: EndEvent = { edge: 'end', ...run, stopReason }
  return Object.freeze(isPresent ? { ...event, lastAssistantMessage } : event)
}

function notify(
  listener: LifecycleListener,
  event: LifecycleEvent,
  onListenerError: LifecycleOptions['onListenerError'],
): void {
  const report = (thrown: unknown): void => {
    try {
      onListenerError({ edge: event.edge, runId: event.runId, message: describeThrown(thrown) })
    } catch {
      // A failing error sink has nowhere left to report to, and must not stop the next listener.
    }
  }
  try {
    Promise.resolve(listener(event)).catch(report)
  } catch (thrown) {
    report(thrown)
  }
}
