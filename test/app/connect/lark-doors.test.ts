import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import {
  challenge,
  currentEvent,
  encrypted,
  olderEvent,
  randomBody,
  signed,
  VERIFICATION_TOKEN,
} from '../../support/lark/events.js'
import { type LarkFake, startLarkFake } from '../../support/lark/fake.js'
import { LARK } from '../../support/lark/seed.js'
import { type LarkService, startLarkService } from '../../support/lark/service.js'

const PLAIN_APP = 'cli_a1b2c3d4e5f600aa'
const presses: unknown[] = []

let database: TestDatabase
let fake: LarkFake
let service: LarkService

beforeAll(async () => {
  database = await createTestDatabase()
  fake = await startLarkFake()
  const internal = { appSecret: LARK.appSecret, baseUrl: fake.url, kind: 'internal' } as const
  service = await startLarkService(
    database.db,
    [
      { key: 'one', appId: LARK.appId, ...internal, tenant: LARK.tenant },
      // Without an encrypt key: plain bodies, told apart by their token alone.
      { key: 'two', appId: PLAIN_APP, ...internal, encryptKey: undefined, tenant: LARK.tenant },
    ],
    {
      async onCardAction(use) {
        presses.push(use)
        return { toast: { type: 'success', content: 'ok' } }
      },
    },
  )
})
afterAll(async () => {
  await service.close()
  await fake.close()
  await database.close()
})
beforeEach(async () => {
  presses.length = 0
  await database.db.deleteFrom('conversations').execute()
})

const chats = async () =>
  (await database.db.selectFrom('conversations').select('conversation_id').execute()).map(
    (row) => row.conversation_id,
  )
const removed = (chat: string, fields: { id?: string; atMs?: number; token?: string; appId?: string } = {}) =>
  currentEvent(
    'im.chat.member.bot.deleted_v1',
    { chat_id: chat, name: '客服 ☂' },
    { appId: LARK.appId, tenant: LARK.tenant, ...fields },
  )
const nowSeconds = () => Math.floor(Date.now() / 1_000)

describe('the address check (INS-14)', () => {
  test.each([
    ['encrypted and unsigned, as the console sends it', encrypted(challenge('w1')), {}],
    ['encrypted and signed', encrypted(challenge('w1')), 'sign'],
  ] as const)('%s', async (_name, body, headers) => {
    const answered = await service.post(LARK.appId, body, headers === 'sign' ? signed(body) : headers)
    expect(answered).toEqual({ status: 200, text: '{"challenge":"w1"}' })
  })

  test('of an app without encrypt key is plain', async () => {
    expect(await service.post(PLAIN_APP, challenge('w2'))).toEqual({
      status: 200,
      text: '{"challenge":"w2"}',
    })
  })

  test.each([
    ['with another token', LARK.appId, encrypted(challenge('w', 'wrong')), 401],
    [
      'without a token',
      LARK.appId,
      encrypted(JSON.stringify({ type: 'url_verification', challenge: 'w' })),
      401,
    ],
    ['under another key', LARK.appId, encrypted(challenge('w'), 'another key'), 401],
    ['in plain where a key is set', LARK.appId, challenge('w'), 401],
    ['plain with another token', PLAIN_APP, challenge('w', 'wrong'), 401],
    [
      'with a word that is no text',
      PLAIN_APP,
      `{"type":"url_verification","token":"${VERIFICATION_TOKEN}"}`,
      400,
    ],
    ['of an app that is not ours', 'cli_a1b2c3d4e5f6ffff', challenge('w'), 404],
  ])('%s is refused', async (_name, appId, body, status) => {
    const answered = await service.post(appId, body)
    expect(answered.status).toBe(status)
    expect(answered.text).not.toContain('challenge')
  })
})

describe('a signed event', () => {
  test('is handled before it is answered', async () => {
    expect(await service.event(LARK.appId, removed('oc_good'))).toEqual({ status: 200, text: '{}' })
    expect(await chats()).toEqual(['oc_good'])
  })

  test('is taken by its raw bytes, whatever its spacing and letters (INS-15)', async () => {
    const odd = `  {\n "encrypt" :\t"${JSON.parse(encrypted(removed('oc_odd'))).encrypt}" , "名": "\\u540d 💡"}\n`
    expect((await service.post(LARK.appId, odd, signed(odd))).status).toBe(200)
    expect(await chats()).toEqual(['oc_odd'])
  })

  test.each(['s', 'ms'])('carries its time in %s', async (unit) => {
    const body = encrypted(removed('oc_unit'))
    const atSeconds = unit === 's' ? nowSeconds() : Date.now()
    expect((await service.post(LARK.appId, body, signed(body, { atSeconds }))).status).toBe(200)
  })

  test('of an app without encrypt key is known by its token', async () => {
    expect((await service.post(PLAIN_APP, removed('oc_plain', { appId: PLAIN_APP }))).status).toBe(200)
    expect(
      (await service.post(PLAIN_APP, removed('oc_forged', { appId: PLAIN_APP, token: 'x' }))).status,
    ).toBe(401)
    expect(await chats()).toEqual(['oc_plain'])
  })

  test.each([
    [
      'event',
      () =>
        currentEvent(
          'im.message.receive_v1',
          { message: { content: 'hi' } },
          { appId: LARK.appId, tenant: LARK.tenant },
        ),
    ],
    ['unknown event', () => currentEvent('vc.meeting.ended_v1', {}, { appId: LARK.appId })],
    ['old event', () => olderEvent('p2p_chat_create', {}, { appId: LARK.appId, tenant: LARK.tenant })],
    ['body that is no event', () => JSON.stringify({ token: VERIFICATION_TOKEN, hello: 1 })],
  ])('that is none of ours, a(n) %s, is acknowledged', async (_name, body) => {
    expect((await service.event(LARK.appId, body())).status).toBe(200)
    expect(await chats()).toEqual([])
  })
})

describe('a request is refused', () => {
  const body = encrypted(removed('oc_bad'))
  const canonical = JSON.stringify(JSON.parse(` ${body} `), null, 1)
  const rows: readonly (readonly [string, string, Record<string, string>, number])[] = [
    ['without a signature', body, {}, 401],
    ['with an empty signature', body, { ...signed(body), 'x-lark-signature': '' }, 401],
    ['signed with another key', body, signed(body, { key: 'another' }), 401],
    ['signed with the verification token', body, signed(body, { key: VERIFICATION_TOKEN }), 401],
    ['signed over the re-serialised body', canonical, signed(body), 401],
    ['with one byte changed', body.replace('"}', ' "}'), signed(body), 401],
    ['with another nonce', body, { ...signed(body), 'x-lark-request-nonce': 'other' }, 401],
    [
      'with another time',
      body,
      { ...signed(body), 'x-lark-request-timestamp': String(nowSeconds() - 1) },
      401,
    ],
    ['older than five minutes', body, signed(body, { atSeconds: nowSeconds() - 302 }), 401],
    ['from the future', body, signed(body, { atSeconds: nowSeconds() + 120 }), 401],
    ['at no time', body, signed(body, { atSeconds: 'now' }), 401],
    ['at a time past any clock', body, signed(body, { atSeconds: '9'.repeat(30) }), 401],
    ['with another token inside', ...both(encrypted(removed('oc_bad', { token: 'x' }))), 401],
    ['for another app', ...both(encrypted(removed('oc_bad', { appId: PLAIN_APP }))), 403],
    ['encrypted with another key', ...both(encrypted(removed('oc_bad'), 'another')), 400],
    ['with garbage for a cipher', ...both('{"encrypt":"AAAA"}'), 400],
    ['that is no JSON', ...both('{'), 400],
    ['that is empty', ...both(''), 400],
    ['that is a list', ...both('[]'), 400],
    ['compressed', body, { ...signed(body), 'content-encoding': 'gzip' }, 415],
  ]
  test.each(rows)('%s', async (_name, sent, headers, status) => {
    expect((await service.post(LARK.appId, sent, headers)).status).toBe(status)
    expect(await chats()).toEqual([])
  })

  test('when it is too large, however it is signed', async () => {
    const large = encrypted(JSON.stringify({ token: VERIFICATION_TOKEN, padding: 'x'.repeat(800_000) }))
    expect((await service.post(LARK.appId, large, signed(large))).status).toBe(413)
  })

  test('when it comes again, and its twin signed anew does nothing', async () => {
    const event = removed('oc_twice')
    const sent = encrypted(event)
    const headers = signed(sent)
    expect((await service.post(LARK.appId, sent, headers)).status).toBe(200)
    await database.db.deleteFrom('conversations').execute()
    expect((await service.post(LARK.appId, sent, headers)).status).toBe(409)
    expect((await service.event(LARK.appId, event)).status).toBe(200)
    expect(await chats()).toEqual([])
  })

  function both(sent: string): [string, Record<string, string>] {
    return [sent, signed(sent)]
  }
})

test('what fails is asked for again, by the very same request too', async () => {
  const body = encrypted(removed('oc_later'))
  const headers = signed(body)
  await database.db.schema.alterTable('conversations').renameTo('conversations_away').execute()
  try {
    expect((await service.post(LARK.appId, body, headers)).status).toBe(503)
  } finally {
    await database.db.schema.alterTable('conversations_away').renameTo('conversations').execute()
  }
  expect((await service.post(LARK.appId, body, headers)).status).toBe(200)
  expect(await chats()).toEqual(['oc_later'])
})

describe('DUP-14: an event redelivered after 5 s, 5 min, 1 h and 6 h', () => {
  test('is handled once, also after a restart', async () => {
    const event = removed('oc_dup', { id: 'e1' })
    expect((await service.event(LARK.appId, event)).status).toBe(200)
    expect(await chats()).toEqual(['oc_dup'])
    await database.db.deleteFrom('conversations').execute()
    for (const _later of ['5 s', '5 min']) expect((await service.event(LARK.appId, event)).status).toBe(200)
    const restarted = await startLarkService(database.db, [
      {
        key: 'one',
        appId: LARK.appId,
        appSecret: LARK.appSecret,
        baseUrl: fake.url,
        kind: 'internal',
        tenant: LARK.tenant,
      },
    ])
    for (const _later of ['1 h', '6 h']) expect((await restarted.event(LARK.appId, event)).status).toBe(200)
    expect(await chats()).toEqual([])
    await restarted.close()
    const kept = await database.db.selectFrom('seen_events').select('id').where('id', '=', 'e1').execute()
    expect(kept).toHaveLength(1)
  })
})

test('DUP-15: an event that waited while we were down is handled once, whatever its age', async () => {
  await database.db
    .insertInto('conversations')
    .values({
      installation_id: `lark:${LARK.tenant}:one`,
      conversation_id: 'oc_back',
      state: 'dead',
      state_code: '230002',
    })
    .execute()
  const old = currentEvent(
    'im.chat.member.bot.added_v1',
    { chat_id: 'oc_back' },
    { appId: LARK.appId, tenant: LARK.tenant, atMs: Date.now() - 21_600_000 },
  )
  expect((await service.event(LARK.appId, old)).status).toBe(200)
  expect(await chats()).toEqual([])
})

describe('a card’s control', () => {
  const use = (value: unknown) =>
    currentEvent(
      'card.action.trigger',
      {
        operator: { open_id: LARK.user, tenant_key: LARK.tenant },
        token: 'c-update',
        action: { tag: 'button', value },
        context: { open_message_id: LARK.question, open_chat_id: LARK.group },
      },
      { appId: LARK.appId, tenant: LARK.tenant },
    )

  test('goes to the hook, whose answer goes back', async () => {
    const answered = await service.event(LARK.appId, use({ run: 'r1' }))
    expect(answered).toEqual({ status: 200, text: '{"toast":{"type":"success","content":"ok"}}' })
    expect(presses).toEqual([
      {
        installationId: `lark:${LARK.tenant}:one`,
        tenant: LARK.tenant,
        action: {
          person: LARK.user,
          message: LARK.question,
          chat: LARK.group,
          value: { run: 'r1' },
          form: {},
          updateToken: 'c-update',
        },
      },
    ])
  })

  test('that is forged or replayed never reaches the hook', async () => {
    const body = encrypted(use({ run: 'r2' }))
    const headers = signed(body)
    await service.post(LARK.appId, body, signed(body, { key: 'another' }))
    await service.post(LARK.appId, body, headers)
    expect((await service.post(LARK.appId, body, headers)).status).toBe(409)
    expect(presses).toHaveLength(1)
  })
})

test('10,000 random bodies over HTTP crash nothing and change nothing', async () => {
  const before = await database.db.selectFrom('installations').selectAll().execute()
  let count = 0
  const statuses = new Set<number>()
  const batch = fc.array(fc.tuple(randomBody, fc.boolean()), { minLength: 40, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(batch, async (bodies) => {
      const answers = await Promise.all(
        bodies.map(([bytes, isSigned]) => service.post(LARK.appId, bytes, isSigned ? signed(bytes) : {})),
      )
      count += bodies.length
      for (const { status } of answers) statuses.add(status)
    }),
    { numRuns: 250 },
  )
  expect(count).toBe(10_000)
  expect([...statuses].sort()).toEqual([200, 400, 401])
  expect(await database.db.selectFrom('installations').selectAll().execute()).toEqual(before)
  expect((await service.event(LARK.appId, removed('oc_alive'))).status).toBe(200)
  expect(await chats()).toEqual(['oc_alive'])
})
