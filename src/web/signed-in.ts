import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Producer, Right } from '../intake/producer.js'
import { mustHave, type ProducerByKey, producerOf } from './auth.js'

/** Lets only keys with this right through; handlers find the holder with `signedIn`. */
export function withRight(right: Right, producerByKey: ProducerByKey): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    const producer = await producerOf(request, producerByKey)
    mustHave(producer, right)
    response.locals.producer = producer
    next()
  }
}

/** Who asked. */
export function signedIn(response: Response): Producer {
  const producer: Producer = response.locals.producer
  return producer
}

/** The id in the address. */
export function idOf({ params }: Request): string {
  return typeof params.id === 'string' ? params.id : ''
}
