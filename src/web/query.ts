import type { z } from 'zod'
import { LastwordError } from '../errors.js'

/**
 * Reads a query or a body by its schema.
 *
 * @throws {LastwordError} `invalid_request` with every fault at its JSON pointer; values are never quoted
 */
export function parseRequest<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LastwordError('invalid_request', undefined, {
    faults: parsed.error.issues.flatMap((issue) => {
      const path = issue.path.map((key) => `/${String(key)}`).join('')
      return issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ path: `${path}/${key.slice(0, 100)}`, expected: 'no such field' }))
        : [{ path, expected: issue.message }]
    }),
  })
}
