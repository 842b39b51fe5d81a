import type { DeliveryEvent } from '../deliver/engine.js'
import type { Logger } from '../log.js'

/** Writes what happens to deliveries into the log: ids, states and codes, never text. */
export function logDeliveryEvents(log: Logger): (event: DeliveryEvent) => void {
  return (event) => {
    switch (event.kind) {
      case 'planned': {
        const { kind: _, ...fields } = event
        log.debug(fields, 'a delivery was decided')
        return
      }
      case 'attempted': {
        const { kind: _, ...fields } = event
        log.debug(fields, 'a call to a platform ended')
        return
      }
      case 'settled': {
        const { kind: _, acceptedAtMs, settledAtMs, ...fields } = event
        log.info({ ...fields, tookMs: Math.round(settledAtMs - acceptedAtMs) }, 'a delivery ended')
        return
      }
      case 'gate_closed': {
        const { kind: _, ...fields } = event
        log.info(fields, 'a platform asked us to wait')
        return
      }
      case 'installation_parked': {
        const { kind: _, ...fields } = event
        log.warn(fields, 'an installation was parked')
        return
      }
      default:
        throw new TypeError(`unhandled event: ${JSON.stringify(event satisfies never)}`)
    }
  }
}
