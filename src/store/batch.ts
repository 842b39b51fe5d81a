/** Text that travels in one statement, in UTF-16 units: enough for a full batch of usual answers. */
export const MAX_BATCH_CHARS = 4 * 1_024 * 1_024

/**
 * Gathers calls that arrive while an earlier flush is under way and hands them over together: one statement and one
 * commit for many callers, and no added wait when idle.
 *
 * A batch that fails is tried again one by one, so that one bad item fails alone.
 *
 * @param flush answers in the order of its items
 * @param weigh what an item takes of `maxWeight`; one that is heavier travels alone
 */
export function createBatcher<Item, Answer>(options: {
  readonly flush: (items: readonly Item[]) => Promise<readonly Answer[]>
  readonly maxItems: number
  readonly maxFlushes: number
  readonly weigh?: (item: Item) => number
  readonly maxWeight?: number
}): (item: Item) => Promise<Answer> {
  const { weigh = () => 0, maxWeight = Number.POSITIVE_INFINITY } = options
  interface Waiting {
    readonly item: Item
    readonly weight: number
    readonly resolve: (answer: Answer) => void
    readonly reject: (error: unknown) => void
  }
  const queue: Waiting[] = []
  let flushes = 0

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await options.flush(batch.map(({ item }) => item))
      batch.forEach(({ resolve, reject }, index) => {
        const answer = answers[index]
        if (answer === undefined) reject(new TypeError('a flush answered fewer items than it was given'))
        else resolve(answer)
      })
    } catch (error) {
      if (batch.length === 1) {
        batch[0]?.reject(error)
        return
      }
      for (const one of batch) await settle([one])
    }
  }

  function countOf(waiting: readonly Waiting[]): number {
    let weight = 0
    const tooMany = waiting.slice(0, options.maxItems).findIndex((one, at) => {
      weight += one.weight
      return at > 0 && weight > maxWeight
    })
    return tooMany === -1 ? options.maxItems : tooMany
  }

  function pump(): void {
    while (flushes < options.maxFlushes && queue.length > 0) {
      flushes += 1
      const batch = queue.splice(0, countOf(queue))
      void settle(batch).finally(() => {
        flushes -= 1
        pump()
      })
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, weight: weigh(item), resolve, reject })
      // A turn of the event loop lets calls made together travel together.
      if (queue.length === 1) setImmediate(pump)
      else if (queue.length >= options.maxItems) pump()
    })
}
