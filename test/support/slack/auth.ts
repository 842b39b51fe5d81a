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
    // An organization's token names the organization where a workspace is expected (platforms.md 2.5).
    team_id: token.team ?? token.enterprise ?? team,
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

const teamsList: Handler = {
  known: ['limit', 'cursor', 'include_icon'],
  scopes: () => [],
  run({ world, token, args }) {
    const start = Number(args.get('cursor') ?? 0)
    const limit = Number(args.get('limit') ?? 100)
    const own = token.team === null ? (world.organizations.get(token.enterprise ?? '') ?? []) : [token.team]
    const next = own.length > start + limit ? String(start + limit) : ''
    return {
      teams: own.slice(start, start + limit).map((id) => ({ id, name: `Workspace ${id}` })),
      response_metadata: { next_cursor: next },
    }
  },
}

export const AUTH_HANDLERS: Readonly<Record<string, Handler>> = {
  'auth.test': test,
  'auth.revoke': revoke,
  'auth.teams.list': teamsList,
}

/** Methods about the token itself: an organization's token needs no workspace for them. */
const WITHOUT_TEAM: ReadonlySet<string> = new Set(Object.keys(AUTH_HANDLERS))

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
  method: string,
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
  if (teamId === undefined) {
    return WITHOUT_TEAM.has(method)
      ? { token, team: token.enterprise ?? '' }
      : refuse('missing_argument', 'team_id')
  }
  const own = world.organizations.get(token.enterprise ?? '')
  return own === undefined || own.includes(teamId)
    ? { token, team: teamId }
    : refuse('team_access_not_granted')
}

/** A code from the consent page, once: the token of the install (docs.slack.dev/reference/methods/oauth.v2.access). */
export function exchange(world: World, args: ReadonlyMap<string, string>): JsonRecord | Refusal {
  if (args.get('grant_type') === 'refresh_token') return rotate(world, args)
  if (args.get('client_id') !== 'fake.client') return refuse('invalid_client_id')
  if (args.get('client_secret') !== 'fake-client-secret') return refuse('bad_client_secret')
  const code = args.get('code') ?? ''
  const grant = world.grants.get(code)
  if (!grant) return refuse('invalid_code')
  world.grants.delete(code)
  const { token } = grant
  world.addToken(token)
  const isOrgWide = token.team === null
  return {
    access_token: token.token,
    token_type: 'bot',
    scope: [...(world.tokens.get(token.token)?.scopes ?? [])].join(','),
    bot_user_id: token.botUserId ?? 'U0BOT00001',
    app_id: token.appId ?? 'A0APP00001',
    team: token.team === null ? null : { id: token.team, name: grant.name },
    enterprise:
      token.enterprise === undefined ? null : { id: token.enterprise, name: isOrgWide ? grant.name : 'Org' },
    is_enterprise_install: isOrgWide,
    authed_user: { id: 'U0USER0001' },
    ...(token.refreshToken === undefined
      ? {}
      : { refresh_token: token.refreshToken, expires_in: grant.expiresInSeconds ?? 43_200 }),
  }
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
