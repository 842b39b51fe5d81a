import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProducers } from '../../src/app/producers.js'
import { RIGHTS } from '../../src/intake/producer.js'
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/store/api-keys.js'
import { createTestDatabase, type TestDatabase } from '../support/database.js'
import { acceptor, installBoth } from '../support/doors.js'
import { aRun } from '../support/runs.js'

const OWN = 'lw_own_key_of_the_operator'
let database: TestDatabase
let installed: { slack: string; lark: string }
let nowMs = 1_000_000

beforeAll(async () => {
  database = await createTestDatabase()
  installed = await installBoth(database.db)
})
afterAll(() => database.close())

const find = (key: string) => createProducers(database.db, OWN, () => nowMs)(key)

describe('a producer’s key', () => {
  test('is shown once and kept as a hash', async () => {
    const { key } = await createApiKey(database.db, {
      name: 'ci',
      rights: ['runs:write'],
      installationIds: null,
    })
    expect(key).toMatch(/^lw_[\w-]{43}$/)
    const { rows } = await database.pool.query<{ line: string }>('select t::text as line from api_keys t')
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(JSON.stringify(await listApiKeys(database.db))).not.toContain(key)
  })

  test('gives its rights and no others', async () => {
    const given = { name: 'reader', rights: ['deliveries:read'], installationIds: null } as const
    const { key } = await createApiKey(database.db, given)
    const producer = await find(key)
    expect(RIGHTS.filter((right) => producer?.may(right))).toEqual(['deliveries:read'])
  })

  test('stops working when it is revoked, and everywhere within seconds', async () => {
    const find = createProducers(database.db, OWN, () => nowMs)
    const { key, id } = await createApiKey(database.db, {
      name: 'gone',
      rights: ['console'],
      installationIds: null,
    })
    expect(await find(key)).not.toBeNull()
    await revokeApiKey(database.db, id)
    nowMs += 2_000
    expect(await find(key)).toBeNull()
    await expect(revokeApiKey(database.db, id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that nobody made finds nobody; the operator’s own may do everything', async () => {
    expect(await find('lw_unknown')).toBeNull()
    expect(await find(`${OWN} `)).toBeNull()
    const owner = await find(OWN)
    expect(RIGHTS.every((right) => owner?.may(right))).toBe(true)
    expect(owner?.mayPostTo('anything')).toBe(true)
  })

  test('for an installation that does not exist is not made', async () => {
    const given = { name: 'x', rights: ['runs:write'], installationIds: ['slack:T0NONE'] } as const
    await expect(createApiKey(database.db, given)).rejects.toMatchObject({ code: 'unknown_installation' })
  })
})

const runIn = (conversation: Record<string, unknown>, runId: string) => aRun({ runId, conversation })

test('one producer cannot post into another’s workspace', async () => {
  const { key } = await createApiKey(database.db, {
    name: 'slack only',
    rights: ['runs:write'],
    installationIds: [installed.slack],
  })
  const producer = await find(key)
  if (producer === null) throw new TypeError('the key was just made')
  const accept = acceptor(database.db)
  const slack = { platform: 'slack', workspace: 'T024BE7LD', channel: 'C1234567' }
  const lark = { platform: 'lark', tenant: 'tenant_1', chat: 'oc_a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6' }
  await expect(accept(runIn(lark, 'r2'), producer)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await accept(runIn(slack, 'r1'), producer)).toMatchObject({ isNew: true })
})

test('a key without the right to post is refused before anything else', async () => {
  const { key } = await createApiKey(database.db, {
    name: 'r',
    rights: ['deliveries:read'],
    installationIds: null,
  })
  const producer = await find(key)
  if (producer === null) throw new TypeError('the key was just made')
  const slack = { platform: 'slack', workspace: 'T024BE7LD', channel: 'C1234567' }
  await expect(acceptor(database.db)(runIn(slack, 'r3'), producer)).rejects.toMatchObject({
    code: 'forbidden',
  })
})
