import type { Content } from '../content.js'
import type { EndEvent } from './event.js'

/** An end as a remote host is told of it. */
export interface RelayedEnd {
  readonly runId: string
  readonly id: string
  readonly status: 'ok' | 'error'
  readonly lastAssistantMessage?: Content
}

/**
 * What a server forwards of an end: nothing for children that do not run in it.
 * @param options.isCutOk whether an answer cut at the output limit counts as one
 */
export function relayEnd(event: EndEvent, options: { readonly isCutOk: boolean }): RelayedEnd | null {
  if (!event.local) return null
  const isOk = event.stopReason === 'completed' || (options.isCutOk && event.stopReason === 'max-tokens')
  const { runId, id, lastAssistantMessage } = event
  const relayed = { runId, id, status: isOk ? ('ok' as const) : ('error' as const) }
  return lastAssistantMessage === undefined ? relayed : { ...relayed, lastAssistantMessage }
}
