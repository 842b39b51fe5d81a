import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import { type InstallService, signatureOf, startInstallService } from '../../support/slack/installs.js'

let database: TestDatabase
let slack: SlackFake
let service: InstallService

beforeAll(async () => {
  database = await createTestDatabase()
  slack = await startSlackFake({
    seed: { grants: [{ code: 'c', name: 'Acme', token: { token: 'xoxb-door', team: 'T0ONE' } }] },
  })
  service = await startInstallService(database.db, slack.apiUrl)
  await service.install('c')
})
afterAll(async () => {
  await service.close()
  await slack.close()
  await database.close()
})

const nowSeconds = () => Math.floor(Date.now() / 1_000)
const archive = (channel: string) =>
  JSON.stringify({
    type: 'event_callback',
    event_id: `Ev-${channel}`,
    event_time: nowSeconds(),
    team_id: 'T0ONE',
    event: { type: 'channel_archive', channel },
  })
const conversations = () => database.db.selectFrom('conversations').select('conversation_id').execute()

test('a signed event is handled before it is answered', async () => {
  expect((await service.send(archive('C0GOOD'))).status).toBe(200)
  expect(await conversations()).toEqual([{ conversation_id: 'C0GOOD' }])
})

test('the address check of Slack is answered', async () => {
  const page = await service.send(JSON.stringify({ type: 'url_verification', challenge: 'abc', token: 't' }))
  expect(page.status).toBe(200)
  expect(JSON.parse(page.text)).toEqual({ challenge: 'abc' })
})

const body = archive('C0BAD')
test.each([
  ['without a signature', { signature: '' }, 401],
  ['with a signature that is no hash', { signature: 'v0' }, 401],
  ['signed with another secret', { secret: 'not-ours' }, 401],
  ['signed for another body', { signature: signatureOf('{}', nowSeconds(), 'fake-signing-secret') }, 401],
  [
    'signed for the re-serialised body',
    {
      signature: signatureOf(JSON.stringify(JSON.parse(body), null, 1), nowSeconds(), 'fake-signing-secret'),
    },
    401,
  ],
  ['that is older than five minutes', { atSeconds: nowSeconds() - 301 }, 401],
  ['from the future', { atSeconds: nowSeconds() + 3_600 }, 401],
  ['with a moment that is no number', { atSeconds: Number.NaN }, 401],
])('a request %s is refused', async (_name, how, status) => {
  expect((await service.send(body, how)).status).toBe(status)
  expect(await conversations()).not.toContainEqual({ conversation_id: 'C0BAD' })
})

test('a replayed request changes nothing', async () => {
  const first = archive('C0TWICE')
  const atSeconds = nowSeconds()
  await service.send(first, { atSeconds })
  await database.db.deleteFrom('conversations').execute()
  expect((await service.send(first, { atSeconds })).status).toBe(200)
  expect(await conversations()).toEqual([])
})

test('a body that is too large is refused, however it is signed', async () => {
  const large = JSON.stringify({ type: 'event_callback', padding: 'x'.repeat(1_100_000) })
  expect((await service.send(large)).status).toBe(413)
})

test('what fails is asked for again', async () => {
  await database.db.schema.alterTable('seen_events').renameTo('seen_events_away').execute()
  try {
    expect((await service.send(archive('C0LATER'))).status).toBe(500)
  } finally {
    await database.db.schema.alterTable('seen_events_away').renameTo('seen_events').execute()
  }
  expect((await service.send(archive('C0LATER'))).status).toBe(200)
  expect(await conversations()).toContainEqual({ conversation_id: 'C0LATER' })
})

test('no body that Slack could sign, or would never, breaks the service', async () => {
  const envelope = fc.record(
    {
      type: fc.constantFrom('event_callback', 'block_actions', 'url_verification', ''),
      event_id: fc.oneof(fc.string(), fc.integer()),
      event_time: fc.oneof(fc.integer(), fc.string()),
      team_id: fc.oneof(fc.string(), fc.constant(null)),
      authorizations: fc.oneof(fc.jsonValue(), fc.constant([{}])),
      event: fc.oneof(
        fc.jsonValue(),
        fc.record({
          type: fc.constantFrom('tokens_revoked', 'channel_archive', 'channel_rename', 'team_access_granted'),
          tokens: fc.jsonValue(),
          channel: fc.jsonValue(),
          team_ids: fc.jsonValue(),
        }),
      ),
    },
    { requiredKeys: ['type', 'event'] },
  )
  const bodies = fc.oneof(
    { weight: 4, arbitrary: envelope.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  )
  const isSigned = fc.boolean()
  let sent = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(bodies, isSigned), { minLength: 20, maxLength: 20 }),
      async (batch) => {
        const pages = await Promise.all(
          batch.map(([text, signed]) => service.send(text, signed ? {} : { secret: 'not-ours' })),
        )
        sent += pages.length
        for (const page of pages) expect([200, 400, 401]).toContain(page.status)
      },
    ),
    { numRuns: 500 },
  )
  expect(sent).toBe(10_000)
  expect((await service.send(archive('C0ALIVE'))).status).toBe(200)
  expect(await database.db.selectFrom('installations').select('state').execute()).toEqual([
    { state: 'active' },
  ])
})
