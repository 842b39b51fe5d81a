import { describe, expect, test } from 'vitest'
import { grantOf, installFailureOf } from '../../../src/platforms/slack/install.js'

const refusedWith = (error: string) => ({ code: 'slack_webapi_platform_error', data: { ok: false, error } })

describe('why an install failed', () => {
  test.each([
    [{ code: 'slack_oauth_installer_authorization_error' }, 'access_denied', 'cancelled'],
    [{ code: 'slack_oauth_invalid_state' }, null, 'expired'],
    [{ code: 'slack_oauth_missing_state' }, null, 'expired'],
    [{ code: 'slack_oauth_missing_code' }, null, 'code'],
    [{ code: 'slack_oauth_missing_code' }, 'user_is_restricted', 'not_allowed'],
    [refusedWith('invalid_code'), null, 'code'],
    [refusedWith('code_already_used'), null, 'code'],
    [refusedWith('cannot_install_an_org_installed_app'), null, 'org_installed'],
    [refusedWith('user_email_unverified'), null, 'email'],
    [refusedWith('bad_client_secret'), null, 'configuration'],
    [refusedWith('bad_redirect_uri'), null, 'configuration'],
    [{ code: 'slack_webapi_http_error' }, null, 'unavailable'],
    [{ code: 'slack_webapi_request_error' }, null, 'unavailable'],
    [refusedWith('something_new'), null, 'unknown'],
    [new Error('anything'), null, 'unknown'],
    [null, null, 'unknown'],
  ])('%j with %j in the address is told as %s', (error, query, failure) => {
    expect(installFailureOf(error, query).failure).toBe(failure)
  })

  test.each([['<script>'], ['constructor'], ['a'.repeat(200)]])('the address %s is never shown', (query) => {
    const { code, failure } = installFailureOf({ code: 'slack_oauth_missing_code' }, query)
    expect(failure === 'code' || failure === 'unknown').toBe(true)
    expect(code).toMatch(/^[a-z0-9_]{1,100}$/)
  })
})

describe('a grant', () => {
  const user = { token: undefined, scopes: undefined, id: 'U1' }
  const bot = { token: 'xoxb-1', scopes: ['chat:write'], id: 'B1', userId: 'U2' }

  test('of a workspace is kept under the workspace', () => {
    const grant = grantOf({
      team: { id: 'T1', name: 'One' },
      enterprise: { id: 'E1' },
      user,
      bot,
      isEnterpriseInstall: false,
    })
    expect(grant).toMatchObject({
      tenant: 'T1',
      enterprise: 'E1',
      isOrgWide: false,
      name: 'One',
      expiresAtMs: null,
    })
  })

  test('[INS-01] of an organization, where Slack names no workspace, is kept under the organization', () => {
    const grant = grantOf({
      team: undefined,
      enterprise: { id: 'E1', name: 'Org' },
      user,
      bot: { ...bot, refreshToken: 'xoxe-1', expiresAt: 1_800_000_000 },
      isEnterpriseInstall: true,
    })
    expect(grant).toMatchObject({
      tenant: 'E1',
      isOrgWide: true,
      refreshToken: 'xoxe-1',
      expiresAtMs: 1_800_000_000_000,
    })
  })

  test('without a bot is of no use', () => {
    expect(() =>
      grantOf({ team: { id: 'T1' }, enterprise: undefined, user, isEnterpriseInstall: false }),
    ).toThrow(expect.objectContaining({ code: 'unusable_grant' }))
  })
})
