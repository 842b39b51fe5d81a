import { expect, test } from 'vitest'
import { dieAndRecover, expectedOf, shortForm } from '../support/crash/matrix.js'

// One file a platform, so that both run at the same time. `npm run soak` runs every cell.
test('Slack: killed between any two steps and restarted, every part shows once and in order', async () => {
  const cells = shortForm('slack')
  expect(await dieAndRecover('slack', cells)).toEqual(cells.map(expectedOf))
}, 180_000)
