import { isPassing } from './poison.js'

/** Pauses between tries, in ms. */
const PAUSES = { firstMs: 100, longestMs: 2_000 } as const

export interface Patience {
  readonly isStopping: () => boolean
  /** Told of the first fault that is waited out. */
  readonly onWait: (error: unknown) => void
}

/**
 * Does `work`, again and again while what fails passes, so that what comes behind it in its conversation stays behind
 * it: a queue that takes a message back offers it later than its successors.
 *
 * @throws what `work` threw, when that does not pass or nobody has time any more
 */
export async function patiently<T>(work: () => Promise<T>, { isStopping, onWait }: Patience): Promise<T> {
  for (let pauseMs: number = PAUSES.firstMs; ; pauseMs = Math.min(2 * pauseMs, PAUSES.longestMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || isStopping()) throw error
      if (pauseMs === PAUSES.firstMs) onWait(error)
    }
    await new Promise((done) => setTimeout(done, pauseMs))
  }
}
