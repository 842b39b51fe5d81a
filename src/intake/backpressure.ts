import { LastwordError } from '../errors.js'

/** Acceptances under way at once before further ones are turned away; with shared commits far more than a healthy database needs. */
export const MAX_WAITING = 2_000

/** What a producer is told to wait, in ms. */
const RETRY_AFTER_MS = 1_000

/**
 * Lets at most `most` calls wait at the same time: when the database falls behind, producers are told to come back
 * instead of this process running out of memory.
 *
 * @throws {LastwordError} `overloaded`, from the returned function
 */
export function createAdmission(most = MAX_WAITING): <T>(work: () => Promise<T>) => Promise<T> {
  let waiting = 0
  return async (work) => {
    if (waiting >= most) throw new LastwordError('overloaded', undefined, { retryAfterMs: RETRY_AFTER_MS })
    waiting += 1
    try {
      return await work()
    } finally {
      waiting -= 1
    }
  }
}
