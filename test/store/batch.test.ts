import { expect, test } from 'vitest'
import { createBatcher } from '../../src/store/batch.js'

/** A batcher of numbers that weigh what they are, and the batches it made. */
function weighing(maxWeight: number) {
  const batches: (readonly number[])[] = []
  const hand = createBatcher<number, number>({
    async flush(items) {
      batches.push(items)
      return items
    },
    maxItems: 3,
    maxFlushes: 1,
    weigh: (item) => item,
    maxWeight,
  })
  return { batches, hand }
}

test.each([
  { items: [1, 1, 1, 1], batches: [[1, 1, 1], [1]] },
  {
    items: [4, 4, 4, 4],
    batches: [
      [4, 4],
      [4, 4],
    ],
  },
  { items: [99, 1, 99], batches: [[99], [1], [99]] },
  { items: [10, 1], batches: [[10], [1]] },
])('$items travel as $batches', async ({ items, batches }) => {
  const made = weighing(10)
  expect(await Promise.all(items.map(made.hand))).toEqual(items)
  expect(made.batches).toEqual(batches)
})
