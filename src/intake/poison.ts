import { type ErrorCode, LastwordError } from '../errors.js'

/** Faults that pass: the same message may be accepted later. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['internal', 'overloaded', 'database_unreachable'])

/** Trying this message again cannot help. */
export function isPoison(error: LastwordError): boolean {
  return !PASSING.has(error.code)
}

/** Classes of SQLSTATE that say nothing against the message: connection, conflict, resources, shutdown, system. */
const PASSING_STATES = /^(?:08|40|53|57|58)/
/** Five characters; the names of system errors begin with an E. */
const STATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/

/**
 * A fault of the world around, not of this message or of our code: it may be waited out, however long that takes.
 * What is neither this nor poison is a mistake of ours that would hold up whoever waits for it.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof LastwordError) return !isPoison(error) && error.code !== 'internal'
  if (isMistake(error)) return false
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return !STATE.test(code) || PASSING_STATES.test(code)
}

function isMistake(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind)
}
