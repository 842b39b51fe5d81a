import type { ErrorCode, LastwordError } from '../errors.js'

/** Faults that pass: the same message may be accepted later. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['internal', 'overloaded', 'database_unreachable'])

/** Trying this message again cannot help. */
export function isPoison(error: LastwordError): boolean {
  return !PASSING.has(error.code)
}
