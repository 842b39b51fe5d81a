import type { z } from 'zod'
import { type ErrorCode, type FaultAt, LastwordError } from '../errors.js'

/** Faults listed in one answer; a document that is wrong everywhere is told so in less than a page. */
const MAX_FAULTS = 50

/** The answer to a document without the documented shape. */
export type ShapeError = Extract<ErrorCode, 'invalid_run' | 'invalid_notice'>

/**
 * Reads an outside document by its schema. One nested deeper than the stack is a bad document, not a fault of ours.
 *
 * @throws {LastwordError} `code` with every fault at its JSON pointer
 */
export function readShape<T>(schema: z.ZodType<T>, value: unknown, code: ShapeError): T {
  const parsed = safely(() => schema.safeParse(value), code)
  if (!parsed.success) throw shapeError(code, parsed.error.issues.flatMap(faultsOf))
  return parsed.data
}

/** @throws {LastwordError} `code` when `read` runs out of stack */
export function safely<T>(read: () => T, code: ShapeError): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw shapeError(code, [{ path: '', expected: 'less nesting' }])
    throw error
  }
}

export function shapeError(code: ShapeError, faults: readonly FaultAt[]): LastwordError {
  return new LastwordError(code, undefined, { faults: faults.slice(0, MAX_FAULTS) })
}

/** One fault for each unknown key, so that each has its own path. */
function faultsOf(issue: z.core.$ZodIssue): readonly FaultAt[] {
  const at = (keys: readonly PropertyKey[]) => keys.map((key) => `/${escapePointer(String(key))}`).join('')
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: at([...issue.path, key]), expected: 'no such field' }))
    case 'invalid_union':
      return [{ path: at(issue.path), expected: expectedOfUnion(issue) }]
    default:
      return [{ path: at(issue.path), expected: issue.message }]
  }
}

function expectedOfUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  const branches = issue.errors.flat().map((inner) => {
    const path = inner.path.map((key) => `/${String(key)}`).join('')
    return path === '' ? inner.message : `${path}: ${inner.message}`
  })
  return branches.length === 0 ? issue.message : [...new Set(branches)].join(' or ')
}

/** RFC 6901; a key is the producer's own text, so it is cut. */
function escapePointer(key: string): string {
  return key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
}
