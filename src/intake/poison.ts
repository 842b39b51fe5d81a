import { type ErrorCode, LastwordError } from '../errors.js'

/** Faults that pass: the same message may be accepted later. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['internal', 'overloaded', 'database_unreachable'])

/** Trying this message again cannot help. */
export function isPoison(error: LastwordError): boolean {
  return !PASSING.has(error.code)
}

/** SQLSTATE of faults that say nothing against the message: connection, conflict, resources, shutdown, system. */
const PASSING_STATES = /^(?:08...|40...|53[0134]00|57P0[1235]|58...)$/
/** Errors of the network, and those that our Postgres driver throws without a code. */
const NETWORK =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
const LOST_CONNECTION =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/

/**
 * A fault of the world around, not of this message or of our code: it may be waited out, however long that takes.
 * What is not certainly one would hold up whoever waits for it.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof LastwordError) return !isPoison(error) && error.code !== 'internal'
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return PASSING_STATES.test(code) || NETWORK.test(code) || LOST_CONNECTION.test(error.message)
}
