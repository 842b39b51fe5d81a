import { describe, expect, test } from 'vitest'
import { createAdmission } from '../../src/intake/backpressure.js'

describe('admission', () => {
  test('calls beyond the limit are turned away with a time to come back, and places free up again', async () => {
    const admit = createAdmission(2)
    let finish: (value: string) => void = () => undefined
    const slow = new Promise<string>((done) => {
      finish = done
    })
    const held = [admit(1, () => slow), admit(1, () => slow)]
    await expect(admit(1, async () => 'third')).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterMs: 1_000,
    })
    finish('done')
    expect(await Promise.all(held)).toEqual(['done', 'done'])
    expect(await admit(1, async () => 'fourth')).toBe('fourth')
  })

  test('large ones count for more, and one alone is let in whatever its size', async () => {
    const admit = createAdmission(10, 1_000)
    let finish: (value: string) => void = () => undefined
    const slow = new Promise<string>((done) => {
      finish = done
    })
    const held = admit(5_000, () => slow)
    await expect(admit(1, async () => 'second')).rejects.toMatchObject({ code: 'overloaded' })
    finish('done')
    expect(await held).toBe('done')
    expect(await Promise.all([1, 2].map((n) => admit(500, async () => n)))).toEqual([1, 2])
  })

  test('a call that fails gives its place back', async () => {
    const admit = createAdmission(1)
    await expect(admit(1, () => Promise.reject(new TypeError('no')))).rejects.toThrow('no')
    expect(await admit(1, async () => 'next')).toBe('next')
  })
})
