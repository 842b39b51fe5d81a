import { LastwordError } from '../errors.js'
import type { Acceptance } from './accept.js'
import { type Patience, patiently } from './patience.js'
import type { Producer } from './producer.js'

/** What a queue's message holds: a run, with an `apiKey` beside its fields when it comes on a producer's behalf. */
export interface Message {
  readonly run: unknown
  readonly apiKey: string | null
}

/** How a door has messages accepted. */
export interface MessageAcceptor {
  readonly accept: (value: unknown, producer: Producer) => Promise<Acceptance>
  /** The producer of a message that carries an `apiKey`; null when the key is not one of ours. */
  readonly producerByKey: (key: string) => Promise<Producer | null>
}

export function splitKey(data: unknown): Message {
  if (typeof data !== 'object' || data === null || !('apiKey' in data)) return { run: data, apiKey: null }
  const { apiKey, ...run } = data
  return { run, apiKey: typeof apiKey === 'string' ? apiKey : '' }
}

/**
 * Accepts a message for whoever holds its key, or for `sender` when it carries none; waits out what passes.
 *
 * @throws {LastwordError} `unauthorized`; what `accept` throws
 */
export function acceptMessage(
  { accept, producerByKey }: MessageAcceptor,
  { run, apiKey }: Message,
  sender: Producer,
  patience: Patience,
): Promise<Acceptance> {
  return patiently(async () => {
    const producer = apiKey === null ? sender : await producerByKey(apiKey)
    if (producer === null) throw new LastwordError('unauthorized')
    return accept(run, producer)
  }, patience)
}
