import express, { type RequestHandler } from 'express'
import { LastwordError } from '../errors.js'

/** A body may be larger than the output in it: JSON escapes, blocks, and both `output` and `partialOutput`. */
export const BODY_FACTOR = 4

/** Reads a body as bytes, whatever it says it is; `parseJsonBody` judges. */
export function rawBody(maxBytes: number): RequestHandler {
  return express.raw({ type: () => true, limit: maxBytes })
}

/** @throws {LastwordError} `unsupported_media_type`, `invalid_json` */
export function parseJsonBody(body: unknown, contentType: string | undefined): unknown {
  if (contentType !== undefined && !/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) {
    throw new LastwordError('unsupported_media_type')
  }
  if (!(body instanceof Uint8Array)) throw new LastwordError('invalid_json')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new LastwordError('invalid_json', undefined, { cause })
  }
}
