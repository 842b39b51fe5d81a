import { randomUUID } from 'node:crypto'
import type { Fault, InstallationRef } from '../../deliver/platform.js'
import type { Logger } from '../../log.js'
import type { SlackCredentialSource, SlackCredentials } from '../../platforms/slack/call.js'
import type { SlackClients } from '../../platforms/slack/client.js'
import { type RotatedToken, rotateSlackToken, type SlackAppSecrets } from '../../platforms/slack/rotate.js'
import { type CredentialVault, placeOfInstallation, type StoredCredentials } from '../../store/credentials.js'
import type { RefreshLeases } from '../../store/refresh-lease.js'
import type { Sealer } from '../../store/sealing.js'
import { parseSlackSecrets, type SlackSecrets } from '../../store/slack-installations.js'

export type Refreshed = { readonly kind: 'refreshed' } | Fault

export interface SlackTokensOptions {
  readonly vault: CredentialVault
  readonly leases: RefreshLeases
  readonly sealer: Sealer
  readonly clients: SlackClients
  /** Secrets of the app an installation belongs to, by the app's key; null when it is configured no more. */
  readonly appSecrets: (app: string) => SlackAppSecrets | null
  readonly log: Logger
  /** Milliseconds since the epoch, UTC. */
  readonly now: () => number
  readonly pause: (durationMs: number) => Promise<void>
}

export interface SlackTokens {
  readonly credentials: SlackCredentialSource
  refresh(installationId: InstallationRef['id']): Promise<Refreshed>
}

const TIMING = {
  /** Tokens live 12 h; a fresh one is fetched when less than this is left, while the old one still works. */
  earlyMs: 3_600_000,
  /** Longer than the exchange's own timeout, so that a live owner never loses it. */
  leaseMs: 30_000,
  /** A token this young was fetched for the same reason. */
  recentMs: 60_000,
  /** After a failure, how long the next try waits. */
  retryMs: 30_000,
  pollMs: 100,
} as const

/** Refusals of the refresh token itself: no retry helps, only a new install. */
const REFRESH_REFUSED: ReadonlySet<string> = new Set([
  'invalid_refresh_token',
  'token_revoked',
  'invalid_grant',
])

/** Tokens of stored Slack installations, refreshed once for all processes on the database. */
export function createSlackTokens(options: SlackTokensOptions): SlackTokens {
  const { vault, log, now } = options
  const underWay = new Map<string, Promise<Refreshed>>()

  function refresh(id: string): Promise<Refreshed> {
    const current = underWay.get(id)
    if (current !== undefined) return current
    const started = refreshOnce(options, id)
      .then((refreshed) => {
        vault.forget(id)
        return refreshed
      })
      .finally(() => underWay.delete(id))
    underWay.set(id, started)
    return started
  }

  return {
    refresh,
    async credentials(id, how) {
      const stored = await (how.isFresh ? vault.readFresh(id) : vault.read(id))
      if (stored === null) return null
      const secrets = parseSlackSecrets(stored.value)
      const leftMs = (stored.expiresAtMs ?? Number.POSITIVE_INFINITY) - now()
      if (secrets.refreshToken === null || leftMs > TIMING.earlyMs) return usable(stored, secrets)
      if (leftMs > 0) {
        refresh(id).catch((err) => log.error({ err, installationId: id }, 'a token was not refreshed'))
        return usable(stored, secrets)
      }
      await refresh(id)
      const current = await vault.read(id)
      return current === null ? null : usable(current, parseSlackSecrets(current.value))
    },
  }
}

function usable(stored: StoredCredentials, secrets: SlackSecrets): SlackCredentials {
  const { token, appId, botId, botUserId } = secrets
  return { token, isOrgWide: stored.isOrgWide, appId, botId, botUserId }
}

/** Becomes the one who refreshes, or waits until another has. */
async function refreshOnce(options: SlackTokensOptions, id: string): Promise<Refreshed> {
  const { vault, leases, now, pause } = options
  const before = await vault.readFresh(id)
  if (before === null) return notInstalled()
  const owner = randomUUID()
  const giveUpAtMs = now() + TIMING.leaseMs
  for (;;) {
    const claim = await leases.claim(id, owner, TIMING.leaseMs)
    switch (claim.kind) {
      case 'gone':
        return notInstalled()
      case 'mine':
        if (claim.refreshedAgoMs !== null && claim.refreshedAgoMs < TIMING.recentMs) {
          await leases.release(id, owner)
          return { kind: 'refreshed' }
        }
        return exchange(options, id, owner)
      case 'taken': {
        if (claim.isFailure) return refusedUntilRetry(before, claim.code, now())
        await pause(TIMING.pollMs)
        const current = await vault.readFresh(id)
        if (current === null) return notInstalled()
        if (current.sealed !== before.sealed) return { kind: 'refreshed' }
        if (now() > giveUpAtMs) return { kind: 'not_sent', code: 'refresh_under_way' }
        break
      }
      default:
        throw new TypeError(`unhandled claim: ${JSON.stringify(claim satisfies never)}`)
    }
  }
}

async function exchange(options: SlackTokensOptions, id: string, owner: string): Promise<Refreshed> {
  const { vault, leases, sealer, clients, now, log } = options
  const stored = await vault.readFresh(id)
  if (stored === null) return notInstalled()
  const secrets = parseSlackSecrets(stored.value)
  const app = options.appSecrets(stored.app)
  if (secrets.refreshToken === null) {
    await leases.release(id, owner)
    return { kind: 'installation_dead', remedy: 'reinstall', code: 'token_expired' }
  }
  const rotated: RotatedToken | Fault =
    app === null
      ? { kind: 'not_sent', code: 'app_not_configured' }
      : await rotateSlackToken(clients, app, secrets.refreshToken, now)
  if (rotated.kind !== 'rotated') {
    await leases.fail(id, owner, rotated.code, TIMING.retryMs)
    log.error({ installationId: id, code: rotated.code }, 'a token was not refreshed; it is tried again')
    return refusedUntilRetry(stored, rotated.code, now())
  }
  const fresh: SlackSecrets = { ...secrets, token: rotated.token, refreshToken: rotated.refreshToken }
  await leases.complete(id, stored.sealed, {
    sealed: await sealer.seal(JSON.stringify(fresh), placeOfInstallation(id)),
    expiresAtMs: rotated.expiresAtMs,
  })
  log.info({ installationId: id }, 'a token was refreshed')
  return { kind: 'refreshed' }
}

/** While the old token lives, everything waits and tries again; after that, a refused refresh token is the end. */
function refusedUntilRetry(stored: StoredCredentials, code: string | null, nowMs: number): Refreshed {
  const isOver = stored.expiresAtMs !== null && stored.expiresAtMs <= nowMs
  if (code !== null && REFRESH_REFUSED.has(code) && isOver) {
    return { kind: 'installation_dead', remedy: 'reinstall', code }
  }
  return { kind: 'not_sent', code: code ?? 'refresh_failed' }
}

function notInstalled(): Fault {
  return { kind: 'installation_dead', remedy: 'reinstall', code: 'not_installed' }
}
