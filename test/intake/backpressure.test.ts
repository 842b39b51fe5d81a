import { describe, expect, test } from 'vitest'
import { createAdmission } from '../../src/intake/backpressure.js'

describe('admission', () => {
  test('calls beyond the limit are turned away with a time to come back, and places free up again', async () => {
    const admit = createAdmission(2)
    let finish: (value: string) => void = () => undefined
    const slow = new Promise<string>((done) => {
      finish = done
    })
    const held = [admit(() => slow), admit(() => slow)]
    await expect(admit(async () => 'third')).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterMs: 1_000,
    })
    finish('done')
    expect(await Promise.all(held)).toEqual(['done', 'done'])
    expect(await admit(async () => 'fourth')).toBe('fourth')
  })

  test('a call that fails gives its place back', async () => {
    const admit = createAdmission(1)
    await expect(admit(() => Promise.reject(new TypeError('no')))).rejects.toThrow('no')
    expect(await admit(async () => 'next')).toBe('next')
  })
})
