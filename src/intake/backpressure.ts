import { LastwordError } from '../errors.js'

/** Acceptances under way at once before further ones are turned away; with shared commits far more than a healthy database needs. */
export const MAX_WAITING = 2_000

/** UTF-16 units of text in acceptances under way; a single run is let in whatever its size. */
export const MAX_WAITING_CHARS = 64 * 1_024 * 1_024

/** What a producer is told to wait, in ms. */
const RETRY_AFTER_MS = 1_000

/** Does `work`, which holds `chars` of text meanwhile. */
export type Admission = <T>(chars: number, work: () => Promise<T>) => Promise<T>

/**
 * Lets so many calls and so much text wait at the same time: when the database falls behind, producers are told to come
 * back instead of this process running out of memory.
 *
 * @throws {LastwordError} `overloaded`, from the returned function
 */
export function createAdmission(most = MAX_WAITING, mostChars = MAX_WAITING_CHARS): Admission {
  let waiting = 0
  let waitingChars = 0
  return async (chars, work) => {
    const isTooMuch = waiting > 0 && waitingChars + chars > mostChars
    if (waiting >= most || isTooMuch)
      throw new LastwordError('overloaded', undefined, { retryAfterMs: RETRY_AFTER_MS })
    waiting += 1
    waitingChars += chars
    try {
      return await work()
    } finally {
      waiting -= 1
      waitingChars -= chars
    }
  }
}
