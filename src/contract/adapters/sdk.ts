import type { JsonObject } from '../json-object.js'
import { objectField, stringField } from '../json-object.js'

export interface SdkFilterOptions {
  /** The child's session; events of other sessions are not its own. Null: the first session seen. */
  readonly sessionId: string | null
  /**
   * Recognises the receipt of the prompt; what the session said before it belongs to an earlier run.
   * Absent: everything belongs to this run.
   */
  readonly isReceipt?: ((event: JsonObject) => boolean) | undefined
}

/**
 * Keeps the session events of one SDK child's run. Give it each `session.event` notification; it returns the session
 * event inside, or null when that is not the run's.
 */
export function createSdkFilter(options: SdkFilterOptions): (notification: JsonObject) => JsonObject | null {
  let ownSession = options.sessionId
  let isReceived = options.isReceipt === undefined
  return (notification) => {
    if (notification.method !== 'session.event') return null
    const params = objectField(notification, 'params') ?? {}
    const session = stringField(params, 'sessionId')
    ownSession ??= session
    if (session !== ownSession) return null
    const event = objectField(params, 'event')
    if (event === null) return null
    if (isReceived) return event
    isReceived = options.isReceipt?.(event) ?? true
    return null
  }
}
