import type { Refusal } from './check-message.js'
import { type Handler, refuse } from './handler.js'
import type { JsonRecord, Token, World } from './world.js'

const test: Handler = {
  known: [],
  scopes: () => [],
  run: ({ token, team }) => ({
    url: 'https://fake.slack.com/',
    team: 'Fake',
    user: 'lastword',
    team_id: team,
    user_id: token.botUserId,
    bot_id: token.botId,
    app_id: token.appId,
    ...(token.enterprise === null ? {} : { enterprise_id: token.enterprise }),
    is_enterprise_install: token.team === null,
  }),
}

const revoke: Handler = {
  known: ['test'],
  scopes: () => [],
  run({ token }) {
    token.state = 'revoked'
    return { revoked: true }
  },
}

export const AUTH_HANDLERS: Readonly<Record<string, Handler>> = { 'auth.test': test, 'auth.revoke': revoke }

const REFUSED_STATES = {
  expired: 'token_expired',
  revoked: 'token_revoked',
  invalid: 'invalid_auth',
  inactive: 'account_inactive',
} as const

/** Who calls, and in which workspace (platforms.md 2.5: an org-wide token names it). */
export function authenticate(
  world: World,
  raw: string | null,
  teamId: string | undefined,
): { readonly token: Token; readonly team: string } | Refusal {
  if (raw === null) return refuse('not_authed')
  const token = world.tokens.get(raw)
  if (!token) return refuse('invalid_auth')
  if (token.state !== 'active') return refuse(REFUSED_STATES[token.state])
  if (token.team !== null) {
    return teamId === undefined || teamId === token.team
      ? { token, team: token.team }
      : refuse('team_not_found')
  }
  return teamId === undefined ? refuse('missing_argument', 'team_id') : { token, team: teamId }
}

/** Token rotation: a refresh token works once and its access token ends (platforms.md 2.6). */
export function rotate(world: World, args: ReadonlyMap<string, string>): JsonRecord | Refusal {
  if (args.get('grant_type') !== 'refresh_token') return refuse('invalid_grant_type')
  const used = args.get('refresh_token')
  const old = [...world.tokens.values()].find(
    ({ refreshToken }) => refreshToken !== null && refreshToken === used,
  )
  if (!old) return refuse('invalid_refresh_token')
  const token = { ...old, token: `xoxe.xoxb-${world.nextId('')}`, refreshToken: `xoxe-${world.nextId('')}` }
  token.state = 'active'
  world.tokens.set(token.token, token)
  old.state = 'expired'
  old.refreshToken = null
  return {
    access_token: token.token,
    refresh_token: token.refreshToken,
    expires_in: 43_200,
    token_type: 'bot',
    scope: [...token.scopes].join(','),
    app_id: token.appId,
    bot_user_id: token.botUserId,
    team: token.team === null ? null : { id: token.team },
    is_enterprise_install: token.team === null,
  }
}
