import { expect, test } from 'vitest'
import { cellsToTry, dieAndRecover, expectedOf } from '../support/crash/matrix.js'

// One file a platform, so that both run at the same time. `npm run soak` runs every cell.
test('Slack: killed between any two steps and restarted, every part shows once and in order', async () => {
  const cells = cellsToTry('slack')
  expect(await dieAndRecover('slack', cells)).toEqual(cells.map(expectedOf))
}, 900_000)
