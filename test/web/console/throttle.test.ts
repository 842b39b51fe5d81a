import { expect, test } from 'vitest'
import { createThrottle } from '../../../src/web/console/throttle.js'

const WINDOW_MS = 300_000

test('ten failures in five minutes, then the rest of the window has to pass', () => {
  const throttle = createThrottle()
  for (let at = 0; at < 9; at += 1) throttle.failed('a', at)
  expect(throttle.waitMs('a', 10)).toBe(0)
  throttle.failed('a', 10)
  expect(throttle.waitMs('a', 1_000)).toBe(WINDOW_MS - 1_000)
  expect(throttle.waitMs('b', 1_000)).toBe(0)
  expect(throttle.waitMs('a', WINDOW_MS)).toBe(0)
  throttle.failed('a', WINDOW_MS)
  expect(throttle.waitMs('a', WINDOW_MS)).toBe(0)
})

test('a success forgets the failures', () => {
  const throttle = createThrottle()
  for (let at = 0; at < 10; at += 1) throttle.failed('a', 0)
  throttle.succeeded('a')
  expect(throttle.waitMs('a', 1)).toBe(0)
})

test('a flood of addresses does not grow the memory, and the newest are kept', () => {
  const throttle = createThrottle()
  for (let at = 0; at < 10; at += 1) throttle.failed('first', 0)
  for (let at = 0; at < 10_000; at += 1) throttle.failed(`address ${at}`, 0)
  for (let at = 0; at < 10; at += 1) throttle.failed('last', 0)
  expect([throttle.waitMs('first', 1), throttle.waitMs('last', 1)]).toEqual([0, WINDOW_MS - 1])
})
