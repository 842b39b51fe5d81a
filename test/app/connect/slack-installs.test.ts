import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptanceLedger } from '../../../src/store/accept-delivery.js'
import { installationFacts } from '../../../src/store/installation-facts.js'
import { createTestDatabase, type TestDatabase } from '../../support/database.js'
import { type SlackFake, startSlackFake } from '../../support/slack/fake.js'
import { type InstallService, startInstallService } from '../../support/slack/installs.js'
import type { GrantSeed } from '../../support/slack/world.js'

const ID = 'slack:T0ONE'

let database: TestDatabase
let slack: SlackFake
let one: InstallService
let two: InstallService
let serial = 0

beforeAll(async () => {
  slack = await startSlackFake()
})
afterAll(() => slack.close())
beforeEach(async () => {
  database = await createTestDatabase()
  one = await startInstallService(database.db, slack.apiUrl)
  two = await startInstallService(database.db, slack.apiUrl)
})
afterEach(async () => {
  await one.close()
  await two.close()
  await database.close()
})

/** A consent page that was agreed to; the token is new each time. */
function consent(over: Partial<GrantSeed['token']> & { readonly name?: string } = {}): {
  readonly code: string
  readonly token: string
} {
  serial += 1
  const { name = 'Acme', ...token } = over
  const grant = { code: `code-${serial}`, token: `xoxb-grant-${serial}` }
  slack.add({ grants: [{ code: grant.code, name, token: { token: grant.token, team: 'T0ONE', ...token } }] })
  return grant
}

const row = (id = ID) =>
  database.db.selectFrom('installations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const tokenOf = async (service: InstallService, id = ID) =>
  (await service.connections.slack(id, { isFresh: true }))?.token ?? null

async function owe(installationId: string, count: number): Promise<void> {
  const { accept } = acceptanceLedger(database.db)
  for (let index = 0; index < count; index += 1) {
    const lane = `${installationId}|C${index}|`
    await accept({
      id: `dlv_${installationId}_${index}`,
      installationId,
      laneKey: lane,
      conversationKey: lane,
      conversationId: `C${index}`,
      // Acceptance stores a run as it is; what is in it does not matter here.
      run: JSON.parse(
        `{"runId":"${installationId}-${index}","attempt":1,"outcome":{"status":"completed","output":"hi","partialOutput":null}}`,
      ),
      runHash: 'h',
      producer: null,
      expiresAtMs: Date.now() + 3_600_000,
    })
  }
}

describe('an install', () => {
  test('begins on a page that says what happens, and goes to Slack with exactly our scopes', async () => {
    const page = await one.get('/slack/install', { 'accept-language': 'de-CH, en;q=0.5' })
    expect(page.status).toBe(200)
    expect(page.text).toContain('<html lang="de" dir="ltr">')
    expect(page.text).toContain('href="start"')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const { location, state } = await one.start()
    expect(location.pathname).toBe('/oauth/v2/authorize')
    expect(location.searchParams.get('redirect_uri')).toBe(`${one.url}/slack/oauth_redirect`)
    expect(location.searchParams.get('scope')?.split(',')).toContain('chat:write')
    expect(state.length).toBeGreaterThan(40)
  })

  test('is stored sealed, serves every process, and says so in the reader’s language', async () => {
    const { code, token } = consent()
    const page = await one.install(code, { language: 'ar' })
    expect(page.status).toBe(200)
    expect(page.text).toContain('<html lang="ar" dir="rtl">')
    expect(page.text).toContain('Acme')
    expect(await tokenOf(two)).toBe(token)
    expect(await row()).toMatchObject({
      state: 'active',
      source: 'install',
      name: 'Acme',
      is_org_wide: false,
    })
    expect(JSON.stringify(await row())).not.toContain(token)
  })

  test('may end on another process than it began', async () => {
    const { code, token } = consent()
    const { state, cookie } = await one.start()
    const page = await two.get(`/slack/oauth_redirect?${new URLSearchParams({ code, state })}`, { cookie })
    expect(page.status).toBe(200)
    expect(await tokenOf(one)).toBe(token)
  })

  test('again replaces the token and says it was updated', async () => {
    await one.install(consent().code)
    const { code, token } = consent({ scopes: ['chat:write'] })
    const page = await two.install(code)
    expect(page.text).toContain('was updated')
    expect(await tokenOf(one)).toBe(token)
    expect((await row()).scopes).toEqual(['chat:write'])
  })

  test.each([
    ['was cancelled', 'error=access_denied', 200, 'cancelled'],
    ['was refused by an admin’s rule', 'error=user_is_restricted', 403, 'only admins'],
    ['has no code', '', 400, 'Start again'],
    ['has a code that Slack does not know', 'code=nonsense', 400, 'couldn&#39;t confirm'],
  ])('that %s says what happened and stores nothing', async (_name, query, status, words) => {
    const { state, cookie } = await one.start()
    const page = await one.get(`/slack/oauth_redirect?${query}&state=${state}`, { cookie })
    expect(page.status).toBe(status)
    expect(page.text).toContain(words)
    expect(await database.db.selectFrom('installations').selectAll().execute()).toEqual([])
  })

  test.each([
    ['used twice', (state: string, cookie: string) => ({ state, cookie, uses: 2 })],
    ['from another browser', (state: string) => ({ state, cookie: '', uses: 1 })],
    ['nobody issued', () => ({ state: 'made-up', cookie: 'slack-app-oauth-state=made-up', uses: 1 })],
  ])('with a state %s is refused', async (_name, twist) => {
    const { state, cookie } = await one.start()
    const twisted = twist(state, cookie)
    let page = await one.get('/slack/install')
    for (let use = 0; use < twisted.uses; use += 1) {
      const query = new URLSearchParams({ code: consent().code, state: twisted.state })
      page = await one.get(`/slack/oauth_redirect?${query}`, { cookie: twisted.cookie })
    }
    expect(page.status).toBe(400)
    expect(page.text).toContain('expired or was opened in another browser')
  })

  test('with a state that is too old is refused', async () => {
    const { state, cookie } = await one.start()
    await database.db
      .updateTable('install_states')
      .set({ expires_at: new Date(0) })
      .execute()
    const query = new URLSearchParams({ code: consent().code, state })
    expect((await one.get(`/slack/oauth_redirect?${query}`, { cookie })).status).toBe(400)
  })
})

describe('an organization’s install', () => {
  const org = { team: null, enterprise: 'E0ORG', name: 'Acme Group' } as const

  test('[INS-01] serves its workspaces by their own ids', async () => {
    slack.add({ organizations: { E0ORG: ['T0NINE', 'T0EIGHT'] } })
    const { code, token } = consent(org)
    const page = await one.install(code)
    expect(page.text).toContain('Acme Group')
    const { findInstallations } = acceptanceLedger(database.db)
    expect(await findInstallations('slack', 'T0NINE')).toEqual([{ id: 'slack:E0ORG', tenant: 'E0ORG' }])
    expect(await findInstallations('slack', 'T0OTHER')).toEqual([])
    expect(await one.connections.slack('slack:E0ORG', { isFresh: true })).toMatchObject({
      token,
      isOrgWide: true,
    })
  })

  test('[INS-11] learns a workspace from an event, never from the id of the organization', async () => {
    slack.add({ organizations: { E0ORG: [] } })
    await one.install(consent(org).code)
    const { findInstallations } = acceptanceLedger(database.db)
    expect(await findInstallations('slack', 'T0SEVEN')).toEqual([])
    await one.event(
      { type: 'channel_rename', channel: { id: 'C1', name: 'n', created: 1 } },
      {
        team_id: 'T0SEVEN',
        authorizations: [{ enterprise_id: 'E0ORG', team_id: 'T0SEVEN', is_enterprise_install: true }],
      },
    )
    expect(await findInstallations('slack', 'T0SEVEN')).toEqual([{ id: 'slack:E0ORG', tenant: 'E0ORG' }])
    const workspaces = await database.db.selectFrom('workspaces').select('workspace').execute()
    expect(workspaces).toEqual([{ workspace: 'T0SEVEN' }])
  })

  test('gains and loses workspaces as an admin decides', async () => {
    slack.add({ organizations: { E0ORG: ['T0A'] } })
    await one.install(consent(org).code)
    const from = {
      enterprise_id: 'E0ORG',
      authorizations: [{ enterprise_id: 'E0ORG', is_enterprise_install: true }],
    }
    await one.event({ type: 'team_access_granted', team_ids: ['T0B'] }, from)
    await one.event({ type: 'team_access_revoked', team_ids: ['T0A'] }, from)
    const { findInstallations } = acceptanceLedger(database.db)
    expect(await findInstallations('slack', 'T0B')).toHaveLength(1)
    expect(await findInstallations('slack', 'T0A')).toEqual([])
  })

  test('[INS-02] leaves a workspace that installed by itself with its own token', async () => {
    slack.add({ organizations: { E0ORG: ['T0ONE', 'T0TWO'] } })
    const a = consent({ team: 'T0ONE', enterprise: 'E0ORG' })
    const b = consent({ team: 'T0TWO', enterprise: 'E0ORG' })
    const whole = consent(org)
    for (const { code } of [a, b, whole]) await one.install(code)
    const { findInstallations } = acceptanceLedger(database.db)
    expect(await findInstallations('slack', 'T0TWO')).toEqual([{ id: 'slack:T0TWO', tenant: 'T0TWO' }])
    expect(await tokenOf(two, 'slack:T0ONE')).toBe(a.token)
    expect(await tokenOf(two, 'slack:T0TWO')).toBe(b.token)
    expect(await tokenOf(two, 'slack:E0ORG')).toBe(whole.token)
  })
})

describe('an uninstall', () => {
  const from = { team_id: 'T0ONE', enterprise_id: null }
  const gone = { type: 'app_uninstalled' }
  const atSeconds = () => Math.floor(Date.now() / 1_000) + 2

  test('[INS-04] deletes the token, parks what is owed and refuses what comes; a new install takes it up again', async () => {
    const first = consent()
    await one.install(first.code)
    await owe(ID, 5)
    slack.setToken(first.token, 'revoked')
    await one.event(
      { type: 'tokens_revoked', tokens: { bot: ['U0BOT00001'] } },
      { ...from, event_time: atSeconds() },
    )
    await two.event(gone, { ...from, event_time: atSeconds() })

    expect(await row()).toMatchObject({
      state: 'removed',
      state_code: 'tokens_revoked',
      credentials: null,
      scopes: null,
    })
    expect(await tokenOf(one)).toBeNull()
    expect(await tokenOf(two)).toBeNull()
    const owed = await database.db.selectFrom('deliveries').select(['state', 'reason']).execute()
    expect(owed).toEqual(Array(5).fill({ state: 'parked', reason: 'tokens_revoked' }))
    expect(await acceptanceLedger(database.db).findInstallations('slack', 'T0ONE')).toEqual([])

    await database.db.updateTable('lanes').set({ ready_at: null }).execute()
    const again = consent()
    const page = await two.install(again.code)
    expect(page.text).toContain('was added')
    expect(await row()).toMatchObject({ state: 'active', state_code: null })
    expect(await tokenOf(one)).toBe(again.token)
    const lanes = await database.db.selectFrom('lanes').select('ready_at').execute()
    expect(lanes.every((lane) => lane.ready_at !== null)).toBe(true)
  })

  test('[INS-05] that comes late never ends a newer install', async () => {
    const first = consent()
    await one.install(first.code)
    slack.setToken(first.token, 'revoked')
    await database.db
      .updateTable('installations')
      .set({ installed_at: new Date(Date.now() - 60_000) })
      .execute()
    const second = consent()
    await one.install(second.code)
    await two.event(gone, { ...from, event_time: Math.floor(Date.now() / 1_000) - 30 })
    expect(await row()).toMatchObject({ state: 'active' })
    expect(await tokenOf(one)).toBe(second.token)
    expect(slack.callsOf('auth.test').filter((call) => call.token === second.token)).toHaveLength(1)
  })

  test('is believed only when Slack refuses the token', async () => {
    await one.install(consent().code)
    await one.event(gone, { ...from, event_time: atSeconds() })
    expect(await row()).toMatchObject({ state: 'active' })
  })

  test('is believed when Slack cannot be asked', async () => {
    const { code, token } = consent()
    await one.install(code)
    slack.setToken(token, 'expired')
    await one.event(gone, { ...from, event_time: atSeconds() })
    expect(await row()).toMatchObject({ state: 'removed' })
  })

  test('of a person’s token, or of another bot, is none', async () => {
    const { code, token } = consent()
    await one.install(code)
    slack.setToken(token, 'revoked')
    await one.event(
      { type: 'tokens_revoked', tokens: { oauth: ['U1'] } },
      { ...from, event_time: atSeconds() },
    )
    await one.event({ type: 'tokens_revoked', tokens: { bot: ['U9'] } }, { ...from, event_time: atSeconds() })
    expect(await row()).toMatchObject({ state: 'active' })
  })

  test('of one workspace leaves its neighbours alone', async () => {
    const a = consent()
    const b = consent({ team: 'T0TWO' })
    await one.install(a.code)
    await one.install(b.code)
    slack.setToken(a.token, 'revoked')
    await one.event(gone, { ...from, event_time: atSeconds() })
    expect(await row()).toMatchObject({ state: 'removed' })
    expect(await tokenOf(two, 'slack:T0TWO')).toBe(b.token)
  })
})

describe('conversations', () => {
  const from = { team_id: 'T0ONE' }
  const facts = () =>
    database.db
      .selectFrom('conversations')
      .select(['conversation_id', 'state', 'state_code', 'name'])
      .execute()

  test('are closed and opened again by events, and what waits for them is tried', async () => {
    await one.install(consent().code)
    await owe(ID, 1)
    await database.db
      .updateTable('lanes')
      .set({ ready_at: new Date(Date.now() + 3_600_000) })
      .execute()
    await one.event({ type: 'channel_archive', channel: 'C0' }, from)
    expect(await facts()).toEqual([
      { conversation_id: 'C0', state: 'dead', state_code: 'is_archived', name: null },
    ])
    await one.event({ type: 'channel_unarchive', channel: 'C0' }, from)
    expect(await facts()).toEqual([])
    const lane = await database.db.selectFrom('lanes').select('ready_at').executeTakeFirstOrThrow()
    expect(lane.ready_at?.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('are opened when our bot joins, not when anybody does', async () => {
    await one.install(consent().code)
    await one.event({ type: 'group_left', channel: 'C0' }, from)
    await one.event({ type: 'member_joined_channel', channel: 'C0', user: 'U0SOMEONE' }, from)
    expect(await facts()).toMatchObject([{ state: 'dead', state_code: 'not_in_channel' }])
    await one.event({ type: 'member_joined_channel', channel: 'C0', user: 'U0BOT00001' }, from)
    expect(await facts()).toEqual([])
  })

  test('a redelivered event is handled once, on whatever process', async () => {
    await one.install(consent().code)
    const envelope = { ...from, event_id: 'Ev0SAME' }
    await one.event({ type: 'channel_archive', channel: 'C0' }, envelope)
    await one.event({ type: 'channel_unarchive', channel: 'C0' }, from)
    await two.event({ type: 'channel_archive', channel: 'C0' }, envelope)
    expect(await facts()).toEqual([])
  })
})

test('what one process remembers of a removed installation never parks the one that came after it', async () => {
  const facts = installationFacts(database.db, Date.now)
  const first = consent()
  await one.install(first.code)
  slack.setToken(first.token, 'revoked')
  const envelope = { team_id: 'T0ONE', event_time: Math.floor(Date.now() / 1_000) + 2 }
  await one.event({ type: 'app_uninstalled' }, envelope)
  expect(await facts.installation(ID)).toMatchObject({ state: 'removed' })
  expect(await two.connections.slack(ID, { isFresh: false })).toBeNull()

  const { code, token } = consent()
  await one.install(code)
  expect(await facts.installation(ID)).toMatchObject({ state: 'active' })
  expect(await two.connections.slack(ID, { isFresh: false })).toMatchObject({ token })
  expect(await facts.parkInstallation(ID, 'not_installed')).toBe(false)
  expect(await facts.parkInstallation(ID, 'account_inactive')).toBe(true)
})
