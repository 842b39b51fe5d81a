import type { Installation, InstallationStore, InstallURLOptions, StateStore } from '@slack/oauth'

/** What a workspace or an organization granted our app. */
export interface SlackGrant {
  /** Team id, or the enterprise id of an organization-wide install. */
  readonly tenant: string
  readonly enterprise: string | null
  readonly isOrgWide: boolean
  /** The workspace's or organization's name. */
  readonly name: string | null
  readonly appId: string | null
  readonly botId: string | null
  readonly botUserId: string | null
  readonly scopes: readonly string[]
  readonly token: string
  /** With token rotation. */
  readonly refreshToken: string | null
  /** Ms since the epoch, UTC; null when the token does not end. */
  readonly expiresAtMs: number | null
}

/** Where grants are kept. */
export interface SlackGrantBook {
  /** Stores a grant, over an earlier one of the same workspace or organization; `isNew` when there was none alive. */
  put(grant: SlackGrant): Promise<{ readonly isNew: boolean }>
}

/** Keeps the state of an install between its two requests, which any two processes may serve. */
export interface InstallStates {
  /** An unguessable word for `options`, good once and for `ttlMs`. */
  issue(options: unknown, ttlMs: number): Promise<string>
  /** The options, or null when the word is unknown, used or too old. */
  redeem(state: string): Promise<unknown>
}

/** How long a person may take between our page and Slack's, in ms. Also the age of the cookie that goes with it. */
export const INSTALL_TTL_MS = 600_000

/** Why an install did not happen, as far as a person can be told. */
export type SlackInstallFailure =
  | 'cancelled'
  | 'expired'
  | 'code'
  | 'not_allowed'
  | 'org_installed'
  | 'email'
  | 'configuration'
  | 'unavailable'
  | 'unknown'

/** A grant of bot rights that names no workspace, or no bot: nothing we could post with. */
export class UnusableGrantError extends Error {
  override readonly name = 'UnusableGrantError'
  readonly code = 'unusable_grant'
}

/** @throws {UnusableGrantError} */
export function grantOf(installation: Installation): SlackGrant {
  const { bot, enterprise, team } = installation
  const isOrgWide = installation.isEnterpriseInstall ?? false
  const tenant = isOrgWide ? enterprise?.id : team?.id
  if (bot === undefined || tenant === undefined)
    throw new UnusableGrantError('the grant has no bot or no workspace')
  return {
    tenant,
    enterprise: enterprise?.id ?? null,
    isOrgWide,
    name: (isOrgWide ? enterprise?.name : team?.name) ?? null,
    appId: installation.appId ?? null,
    botId: bot.id ?? null,
    botUserId: bot.userId,
    scopes: bot.scopes,
    token: bot.token,
    refreshToken: bot.refreshToken ?? null,
    expiresAtMs: bot.expiresAt === undefined ? null : bot.expiresAt * 1_000,
  }
}

/**
 * Our book as the InstallProvider's store. It never reads grants back: outbound calls take their tokens from the
 * credential source, which refreshes once for all processes.
 *
 * @param onStored is told whether the grant was new, for the page that follows
 */
export function installationStoreOf(
  book: SlackGrantBook,
  onStored: (installation: Installation, isNew: boolean) => void,
): InstallationStore {
  return {
    async storeInstallation(installation) {
      const { isNew } = await book.put(grantOf(installation))
      onStored(installation, isNew)
    },
    fetchInstallation: () => Promise.reject(new TypeError('grants are not read through Bolt')),
  }
}

/** Our states as the InstallProvider's. */
export function stateStoreOf(states: InstallStates): StateStore {
  return {
    generateStateParam: (options) => states.issue(options, INSTALL_TTL_MS),
    async verifyStateParam(_now, state) {
      const options = await states.redeem(state)
      if (!isInstallOptions(options)) throw new ExpiredStateError('the state is unknown, used or too old')
      return options
    },
  }
}

class ExpiredStateError extends Error {
  override readonly name = 'ExpiredStateError'
  readonly code = 'slack_oauth_invalid_state'
}

function isInstallOptions(value: unknown): value is InstallURLOptions {
  return typeof value === 'object' && value !== null && 'scopes' in value
}

/** Errors of oauth.v2.access (docs.slack.dev/reference/methods/oauth.v2.access) and of the install flow. */
const FAILURES: Readonly<Record<string, SlackInstallFailure>> = {
  slack_oauth_installer_authorization_error: 'cancelled',
  access_denied: 'cancelled',
  slack_oauth_missing_state: 'expired',
  slack_oauth_invalid_state: 'expired',
  slack_oauth_missing_code: 'code',
  invalid_code: 'code',
  code_already_used: 'code',
  user_is_restricted: 'not_allowed',
  not_allowed: 'not_allowed',
  restricted_plan_level: 'not_allowed',
  team_access_not_granted: 'not_allowed',
  cannot_install_an_org_installed_app: 'org_installed',
  user_email_unverified: 'email',
  bad_client_secret: 'configuration',
  invalid_client_id: 'configuration',
  bad_redirect_uri: 'configuration',
  no_scopes: 'configuration',
  invalid_scope: 'configuration',
  pkce_not_allowed: 'configuration',
  unusable_grant: 'configuration',
  slack_oauth_installer_initialization_error: 'configuration',
  slack_webapi_http_error: 'unavailable',
  slack_webapi_request_error: 'unavailable',
  slack_webapi_rate_limited_error: 'unavailable',
  service_unavailable: 'unavailable',
  ratelimited: 'unavailable',
  internal_error: 'unavailable',
  fatal_error: 'unavailable',
}

/** What stopped an install: a code for the log and a reason for the person. */
export function installFailureOf(
  error: unknown,
  queryError: string | null,
): { readonly code: string; readonly failure: SlackInstallFailure } {
  const fromQuery = queryError !== null && queryError !== 'access_denied' ? queryError : null
  const code =
    shaped(fromQuery) ?? shaped(platformErrorOf(error)) ?? shaped(fieldOf(error, 'code')) ?? 'unknown'
  return { code, failure: Object.hasOwn(FAILURES, code) ? (FAILURES[code] ?? 'unknown') : 'unknown' }
}

function platformErrorOf(error: unknown): unknown {
  return fieldOf(error, 'code') === 'slack_webapi_platform_error'
    ? fieldOf(fieldOf(error, 'data'), 'error')
    : null
}

function shaped(code: unknown): string | null {
  return typeof code === 'string' && /^[a-z0-9_]{1,100}$/.test(code) ? code : null
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}
