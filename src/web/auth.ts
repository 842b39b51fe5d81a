import type { Request } from 'express'
import { LastwordError } from '../errors.js'
import type { Producer, Right } from '../intake/producer.js'

/** Finds the producer a key belongs to, or null. Compares in constant time. */
export type ProducerByKey = (key: string) => Promise<Producer | null>

/** @throws {LastwordError} `unauthorized` without a bearer key of ours */
export async function producerOf(request: Request, find: ProducerByKey): Promise<Producer> {
  const key = /^Bearer ([\x21-\x7e]{1,512})$/.exec(request.get('authorization') ?? '')?.[1]
  const producer = key === undefined ? null : await find(key)
  if (producer === null) throw new LastwordError('unauthorized')
  return producer
}

/** @throws {LastwordError} `forbidden` when the key has not this right */
export function mustHave(producer: Producer, right: Right): void {
  if (!producer.may(right)) {
    throw new LastwordError('forbidden', `this key lacks the right ${right}`, {
      faults: [{ path: 'Authorization', expected: `a key with the right ${right}` }],
    })
  }
}
