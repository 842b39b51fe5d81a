import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createProgram } from '../../src/commands/program.js'
import { LastwordError } from '../../src/errors.js'
import { newSealingKey } from '../../src/store/sealing.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { type Receiver, refuse, startReceiver } from '../support/receiver.js'

const KEYS = newSealingKey('test')
let database: TestDatabase
let receiver: Receiver

beforeAll(async () => {
  database = await createTestDatabase()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await database.close()
})
afterEach(() => vi.restoreAllMocks())

/** Runs one command; what it printed, as JSON. */
async function run(...words: readonly string[]): Promise<unknown> {
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  const env = { DATABASE_URL: database.url, LASTWORD_ENCRYPTION_KEYS: KEYS, LASTWORD_LOG_LEVEL: 'silent' }
  await createProgram(env).parseAsync(['webhooks', ...words], { from: 'user' })
  vi.restoreAllMocks()
  return printed.length === 0 ? null : JSON.parse(printed.join(''))
}

const Made = z.object({ id: z.string(), secret: z.string(), mayBePrivate: z.boolean() })

test('an endpoint is added, listed, tested, enabled and removed', async () => {
  const made = Made.parse(await run('add', receiver.url, '--private', '--kind', 'delivery.dead', '--json'))
  expect(made.mayBePrivate).toBe(true)
  expect(await run('list', '--json')).toMatchObject([
    { id: made.id, kinds: ['delivery.dead'], state: 'active' },
  ])
  expect(await run('test', made.id, '--json')).toEqual({ isAccepted: true, code: '204' })
  const [request] = receiver.received
  if (request === undefined) throw new TypeError('nothing came')
  expect(receiver.verify(made.secret, request, Date.now())).toMatchObject({ type: 'webhook.test' })
  await run('enable', made.id)
  await run('remove', made.id)
  expect(await run('list', '--json')).toEqual([])
})

test('a test that the endpoint refuses ends with an error', async () => {
  receiver.behave(refuse(500))
  const made = Made.parse(await run('add', receiver.url, '--private', '--json'))
  await expect(run('test', made.id, '--json')).rejects.toMatchObject({ code: 'service_unreachable' })
})

test.each([
  ['a private address without --private', ['add', 'http://127.0.0.1:9/'], 'invalid_request'],
  ['an unknown kind', ['add', 'https://example.com/', '--kind', 'delivery.flown'], 'usage'],
  ['an endpoint that is not there', ['remove', 'whk_none'], 'not_found'],
])('%s is refused', async (_name, words, code) => {
  const error = await run(...words).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(LastwordError)
  expect(error).toMatchObject({ code })
})
