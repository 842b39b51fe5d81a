import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiUnderTest, producerWith, startApi } from '../support/api.js'
import { SLACK_INSTALLATION } from '../support/engine.js'

let api: ApiUnderTest
const URL = 'https://hooks.example.com/lastword'

beforeAll(async () => {
  api = await startApi({
    everything: producerWith(null),
    slack: producerWith([SLACK_INSTALLATION]),
    reader: producerWith(null, ['deliveries:read']),
  })
})
afterAll(async () => {
  await api.close()
})

async function ask(key: string, method: string, path: string, body?: unknown) {
  const response = await api.call(key, method, path, body)
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

describe('/v1/webhooks', () => {
  test('an endpoint is made with a secret that is shown once and kept sealed', async () => {
    const made = await ask('everything', 'POST', '/v1/webhooks', { url: URL, kinds: ['delivery.dead'] })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      url: URL,
      kinds: ['delivery.dead'],
      installationIds: null,
      state: 'active',
    })
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const listed = await ask('everything', 'GET', '/v1/webhooks')
    expect(JSON.stringify(listed.body)).not.toContain('whsec_')
    const { rows } = await api.engine.database.pool.query('select secret from webhook_endpoints')
    expect(rows.every((row) => !String(row.secret).includes(made.body.secret.slice(6)))).toBe(true)
    expect((await ask('everything', 'DELETE', `/v1/webhooks/${made.body.id}`)).status).toBe(204)
    expect((await ask('everything', 'DELETE', `/v1/webhooks/${made.body.id}`)).status).toBe(404)
  })

  test("a key's endpoints get its own installations, and it sees no others", async () => {
    const all = await ask('everything', 'POST', '/v1/webhooks', { url: URL })
    const mine = await ask('slack', 'POST', '/v1/webhooks', { url: URL })
    expect(mine.body.installationIds).toEqual([SLACK_INSTALLATION])
    const wide = await ask('slack', 'POST', '/v1/webhooks', { url: URL, installations: ['lark:tenant_1'] })
    expect(wide.status).toBe(403)
    const seen = (await ask('slack', 'GET', '/v1/webhooks')).body.webhooks
    expect(seen.map((one: { id: string }) => one.id)).toEqual([mine.body.id])
    for (const path of [`/v1/webhooks/${all.body.id}/enable`, `/v1/webhooks/${all.body.id}/test`]) {
      expect((await ask('slack', 'POST', path)).status).toBe(404)
    }
    expect((await ask('slack', 'DELETE', `/v1/webhooks/${all.body.id}`)).status).toBe(404)
    expect((await ask('slack', 'POST', `/v1/webhooks/${mine.body.id}/enable`)).body).toMatchObject({
      state: 'active',
    })
  })

  test.each([
    ['no address', {}, '/url'],
    ['plain http', { url: 'http://hooks.example.com' }, '/url'],
    ['a loopback address', { url: 'https://127.0.0.1/' }, '/url'],
    ['a metadata service', { url: 'https://169.254.169.254/' }, '/url'],
    ['an unknown kind', { url: URL, kinds: ['delivery.flown'] }, '/kinds/0'],
    ['an unknown field', { url: URL, mayBePrivate: true }, '/mayBePrivate'],
  ])('%s is refused at its path', async (_name, body, path) => {
    const refused = await ask('everything', 'POST', '/v1/webhooks', body)
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
    expect(refused.body.errors[0].path).toBe(path)
  })

  test('a key that may only read cannot add, list or remove', async () => {
    for (const [method, path] of [
      ['GET', '/v1/webhooks'],
      ['POST', '/v1/webhooks'],
      ['DELETE', '/v1/webhooks/x'],
    ]) {
      expect((await ask('reader', method ?? '', path ?? '')).status).toBe(403)
    }
  })
})
