import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSealer, newSealingKey, openSealer, parseSealingKeys } from '../../src/store/sealing.js'

const place = 'installation:slack:T1'
const sealerOf = (...keys: string[]) => createSealer(parseSealingKeys(keys.join(',')))

describe('a sealed value', () => {
  const key = newSealingKey('a')
  const sealer = sealerOf(key)

  test('opens to what was sealed, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        expect(await sealer.open(await sealer.seal(text, place), place)).toBe(text)
      }),
      { numRuns: 50 },
    )
  })

  test('holds nothing of the plain text and differs each time', async () => {
    const [one, two] = await Promise.all([
      sealer.seal('xoxb-secret', place),
      sealer.seal('xoxb-secret', place),
    ])
    expect(one).not.toContain('secret')
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('xoxb')
    expect(one).not.toBe(two)
  })

  test('does not open in the place of another installation', async () => {
    const sealed = await sealer.seal('xoxb-secret', place)
    await expect(sealer.open(sealed, 'installation:slack:T2')).rejects.toMatchObject({
      code: 'credentials_unreadable',
    })
  })

  test.each([
    [
      'another key under the same name',
      async (sealed: string) => sealerOf(newSealingKey('a')).open(sealed, place),
    ],
    ['no key of its name', async (sealed: string) => sealerOf(newSealingKey('b')).open(sealed, place)],
    [
      'a changed byte',
      async (sealed: string) => {
        const pieces = sealed.split('.')
        const cipher = Buffer.from(pieces[3] ?? '', 'base64url')
        cipher[0] = (cipher[0] ?? 0) ^ 1
        pieces[3] = cipher.toString('base64url')
        return sealer.open(pieces.join('.'), place)
      },
    ],
    [
      'a changed header',
      async (sealed: string) => {
        const [, ...rest] = sealed.split('.')
        const header = { alg: 'dir', enc: 'A256GCM', kid: 'a', place: 'installation:slack:T2' }
        const moved = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.')
        return sealer.open(moved, 'installation:slack:T2')
      },
    ],
    ['text that was never sealed', async () => sealer.open('xoxb-plain', place)],
  ])('does not open with %s', async (_name, open) => {
    await expect(open(await sealer.seal('xoxb-secret', place))).rejects.toMatchObject({
      code: 'credentials_unreadable',
    })
  })
})

test('the first key seals, every key opens', async () => {
  const [old, fresh] = [newSealingKey('old'), newSealingKey('new')]
  const sealed = await sealerOf(old).seal('s', place)
  const both = sealerOf(fresh, old)
  expect(await both.open(sealed, place)).toBe('s')
  expect(both.kidOf(await both.seal('s', place))).toBe('new')
  expect(both.kidOf(sealed)).toBe('old')
  expect(both.kidOf('not sealed')).toBeNull()
})

test.each([
  ['nothing', ''],
  ['a key without a name', Buffer.alloc(32).toString('base64url')],
  ['a short key', `a:${Buffer.alloc(16).toString('base64url')}`],
  ['a long key', `a:${Buffer.alloc(48).toString('base64url')}`],
  ['a name twice', `${newSealingKey('a')},${newSealingKey('a')}`],
])('%s is refused as a setting and never quoted', (_name, text) => {
  expect(() => parseSealingKeys(text)).toThrow(expect.objectContaining({ code: 'config_invalid' }))
  const secret = text.split(':')[1] ?? text
  try {
    parseSealingKeys(text)
  } catch (error) {
    if (secret !== '') expect(String(error)).not.toContain(secret)
  }
})

describe('the key of an embedded database', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lastword-seal-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  test('is made once, in a file only its owner reads', async () => {
    const sealers = await Promise.all([openSealer(undefined, dataDir), openSealer(undefined, dataDir)])
    const sealed = await sealers[0]?.seal('s', place)
    expect(await sealers[1]?.open(sealed ?? '', place)).toBe('s')
    expect((await stat(join(dataDir, 'encryption-key'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(dataDir, 'encryption-key'), 'utf8')).toMatch(/^local:[\w-]{43}\n$/)
  })

  test('still opens when keys are configured later, which then seal', async () => {
    const sealed = await (await openSealer(undefined, dataDir))?.seal('s', place)
    const configured = await openSealer(newSealingKey('mine'), dataDir)
    expect(await configured?.open(sealed ?? '', place)).toBe('s')
    expect(configured?.kid).toBe('mine')
  })

  test('is not made for a database of the operator’s own', async () => {
    expect(await openSealer(undefined, null)).toBeNull()
  })
})
