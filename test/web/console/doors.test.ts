import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleUnderTest, OPERATOR_KEY, startConsole } from '../../support/console.js'
import { type EngineUnderTest, startEngine } from '../../support/engine.js'
import { addTroubles, type Troubles } from '../../support/troubles.js'

let engine: EngineUnderTest
let service: ConsoleUnderTest
let troubles: Troubles

beforeAll(async () => {
  engine = await startEngine()
  service = await startConsole(engine)
  troubles = await addTroubles(engine.database.db)
})

afterAll(async () => {
  await service.close()
  await engine.close()
})

interface Answer {
  readonly status: number
  readonly location: string | null
  readonly text: string
  readonly cookies: readonly string[]
  readonly headers: Headers
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${service.url}/console${path}`, { redirect: 'manual', ...init })
  const { status, headers } = response
  const cookies = headers.getSetCookie()
  return { status, headers, cookies, location: headers.get('location'), text: await response.text() }
}

const form = (
  cookie: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): RequestInit => ({
  method: 'POST',
  headers: { cookie, ...headers },
  body: new URLSearchParams(fields),
})

const pairOf = (cookie: string | undefined) => cookie?.split(';')[0] ?? ''
const tokenIn = (text: string) => /name="token" value="([\w-]+)"/.exec(text)?.[1] ?? ''

/** A session, and what its forms bring back. */
async function signIn(key = OPERATOR_KEY, headers: Record<string, string> = {}) {
  const page = await call('/login', { headers })
  const answer = await call(
    '/login',
    form(pairOf(page.cookies[0]), { token: tokenIn(page.text), key }, headers),
  )
  const cookie = pairOf(answer.cookies.find((one) => one.includes('session=')))
  const inside = await call('', { headers: { cookie, ...headers } })
  return { answer, cookie, token: tokenIn(inside.text) }
}

async function stateOf(id: string): Promise<unknown> {
  const { rows } = await engine.database.pool.query('select state from deliveries where id = $1', [id])
  return rows[0]?.state
}

describe('forms', () => {
  test.each([
    ['without a token', ''],
    ['with the token of another session', 'other'],
    ['with garbage', 'x'.repeat(43)],
  ])('%s change nothing', async (_name, given) => {
    const { cookie } = await signIn()
    const token = given === 'other' ? (await signIn()).token : given
    for (const action of ['replay', 'cancel']) {
      const answer = await call(`/deliveries/${troubles.dead}/${action}`, form(cookie, { token }))
      expect(answer.status).toBe(403)
    }
    const resume = `/installations/${encodeURIComponent(troubles.parkedInstallation)}/resume`
    expect((await call(resume, form(cookie, { token }))).status).toBe(403)
    expect((await call('/logout', form(cookie, { token }))).status).toBe(403)
    expect((await call('', { headers: { cookie } })).status).toBe(200)
    expect([await stateOf(troubles.dead), await stateOf(troubles.parked)]).toEqual(['dead', 'parked'])
  })

  test('signing in from a form on another site is refused', async () => {
    expect((await call('/login', form('', { key: OPERATOR_KEY }))).status).toBe(403)
    const page = await call('/login')
    expect((await call('/login', form('', { key: OPERATOR_KEY, token: tokenIn(page.text) }))).status).toBe(
      403,
    )
  })

  test('a stranger reaches nothing: every page leads to the way in, every action to nowhere', async () => {
    for (const path of ['', '/deliveries', `/deliveries/${troubles.dead}`, '/installations', '/x']) {
      const answer = await call(path)
      expect([answer.status, answer.location]).toEqual([
        303,
        `/console/login?next=${encodeURIComponent(`/console${path}`)}`,
      ])
    }
    const page = await call('/login')
    const fields = { token: tokenIn(page.text) }
    const answer = await call(`/deliveries/${troubles.parked}/cancel`, form(pairOf(page.cookies[0]), fields))
    expect([answer.status, await stateOf(troubles.parked)]).toEqual([303, 'parked'])
  })

  test('a form that is too long is refused in words', async () => {
    const { cookie, token } = await signIn()
    const answer = await call('/language', form(cookie, { token, back: 'x'.repeat(20_000) }))
    expect([answer.status, answer.text.includes('could not be read')]).toEqual([400, true])
  })
})

describe('sessions', () => {
  test('the cookie is hidden from scripts and other sites, and bound to the host over https', async () => {
    const plain = (await signIn()).answer.cookies.find((one) => one.startsWith('lastword_session='))
    expect(plain).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/)
    const secure = (await signIn(OPERATOR_KEY, { 'x-forwarded-proto': 'https' })).answer.cookies
    expect(secure.find((one) => one.startsWith('__Host-lastword_session='))).toContain('; Secure')
  })

  test('what the browser holds is not in the database, and neither is the key', async () => {
    const { cookie } = await signIn()
    const { rows } = await engine.database.pool.query('select * from console_sessions')
    const stored = JSON.stringify(rows)
    expect(rows.length).toBeGreaterThan(0)
    expect([stored.includes(cookie.split('=')[1] ?? ''), stored.includes(OPERATOR_KEY)]).toEqual([
      false,
      false,
    ])
  })

  test('a session ends with its time, and another process knows it until then', async () => {
    const { cookie } = await signIn()
    const other = await startConsole(engine)
    const there = () => fetch(`${other.url}/console`, { headers: { cookie }, redirect: 'manual' })
    expect((await there()).status).toBe(200)
    await engine.database.pool.query(
      `update console_sessions set expires_at = clock.now() - interval '1 day'`,
    )
    expect((await there()).status).toBe(303)
    await other.close()
  })

  test('after ten wrong keys even the right one waits', async () => {
    const other = await startConsole(engine)
    const page = await fetch(`${other.url}/console/login`)
    const cookie = pairOf(page.headers.getSetCookie()[0])
    const token = tokenIn(await page.text())
    const attempt = (key: string) =>
      fetch(`${other.url}/console/login`, { redirect: 'manual', ...form(cookie, { token, key }) })
    const statuses: number[] = []
    for (let at = 0; at < 10; at += 1) statuses.push((await attempt('lw_wrong')).status)
    const last = await attempt(OPERATOR_KEY)
    expect([...new Set(statuses), last.status]).toEqual([401, 429])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    await other.close()
  })
})

describe('pages', () => {
  test('nothing may be loaded from elsewhere, run inline, be framed or be kept', async () => {
    const { cookie } = await signIn()
    const { headers, text } = await call('', { headers: { cookie } })
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/<script(?![^>]* src=)|style="|<style| on\w+=/)
  })

  test('the stylesheet and the script are kept for a year under a name of their content', async () => {
    const { text } = await call('/login')
    const paths = [...text.matchAll(/(?:href|src)="\/console(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    )
    expect(paths).toHaveLength(2)
    for (const path of paths) {
      const asset = await call(path)
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
    }
  })

  test('a malformed search says so', async () => {
    const { cookie } = await signIn()
    const answer = await call('/deliveries?state=gone', { headers: { cookie } })
    expect([answer.status, answer.text.includes('malformed')]).toEqual([400, true])
  })

  test('an overview counts, finds the oldest, and tells of gates and of what is parked', async () => {
    const { cookie } = await signIn()
    const { text } = await call('', { headers: { cookie } })
    for (const part of [
      'Acme Robotics',
      'token_revoked',
      'slack:T0TROUBLE01:C061EG9SL',
      'invalid_blocks',
      'nothing waits',
    ])
      expect([part, text.includes(part)]).toEqual([part, true])
  })

  test('a search is walked to its end without a row twice or left out', async () => {
    const { cookie } = await signIn()
    const { rows } = await engine.database.pool.query<{ id: string }>(`
      insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, run, run_hash, expires_at, settled_at, state)
      select 'dlv_walk' || n, 'w', '${troubles.parkedInstallation}', 'walk', n, 'w', '{}', 'x', clock.now(), clock.now(), 'dropped'
        from generate_series(1, 120) n returning id`)
    const seen: string[] = []
    let next: string | undefined = '/deliveries?run=walk'
    while (next !== undefined) {
      const { text }: Answer = await call(next, { headers: { cookie } })
      seen.push(
        ...[...text.matchAll(/href="\/console\/deliveries\/(dlv_walk\d+)"/g)].map(([, id]) => id ?? ''),
      )
      next = /rel="next" href="\/console([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect([seen.length, new Set(seen).size]).toEqual([rows.length, rows.length])
  })
})
