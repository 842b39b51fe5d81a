import type { NextFunction, Request, Response } from 'express'
import { ERRORS, LastwordError } from '../errors.js'
import type { Logger } from '../log.js'

/** One RFC 9457 problem document. `errors` has a JSON pointer and an expectation for each fault. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly errors?: readonly { readonly path: string; readonly expected: string }[]
}

/** The document for an error. Carries codes and expectations, never a value that was sent. */
export function problemOf(error: LastwordError): Problem {
  const { status, summary } = ERRORS[error.code]
  return {
    type: `urn:lastword:error:${error.code}`,
    title: summary,
    status,
    code: error.code,
    ...(error.faults.length === 0 ? {} : { errors: error.faults }),
  }
}

/** Answers every failure of a handler. Express finds it by its four arguments. */
export function answerProblems(log: Logger) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) {
      next(error)
      return
    }
    const known = asLastwordError(error)
    if (known.code === 'internal')
      log.error({ err: error, path: request.path }, 'a request met a fault of ours')
    if (known.retryAfterMs !== null)
      response.set('Retry-After', String(Math.ceil(known.retryAfterMs / 1_000)))
    if (known.code === 'unauthorized') response.set('WWW-Authenticate', 'Bearer')
    const problem = problemOf(known)
    response.status(problem.status).type('application/problem+json').send(JSON.stringify(problem))
  }
}

function asLastwordError(error: unknown): LastwordError {
  if (error instanceof LastwordError) return error
  // body-parser's errors carry a `type`; anything else is ours.
  const type = error instanceof Error && 'type' in error ? error.type : null
  if (type === 'entity.too.large') return new LastwordError('payload_too_large')
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new LastwordError('unsupported_media_type')
  if (type === 'request.aborted' || type === 'request.size.invalid') return new LastwordError('invalid_json')
  return new LastwordError('internal', undefined, { cause: error })
}
