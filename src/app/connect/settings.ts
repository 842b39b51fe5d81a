import { createHash } from 'node:crypto'
import type { Config } from '../../config.js'
import { LastwordError } from '../../errors.js'
import type { Logger } from '../../log.js'
import type { LarkCredentials } from '../../platforms/lark/credentials.js'
import type { SlackCredentials } from '../../platforms/slack/call.js'
import { classify } from '../../platforms/slack/classify.js'
import { createSlackClients } from '../../platforms/slack/client.js'
import { identifySlack } from '../../platforms/slack/identity.js'
import { listSlackWorkspaces } from '../../platforms/slack/workspaces.js'
import type { Database } from '../../store/database.js'
import {
  findSettingsInstallation,
  putSettingsInstallation,
  removeOtherSettingsInstallations,
} from '../../store/installations.js'
import { addWorkspaces } from '../../store/workspaces.js'
import type { Apps, LarkApp } from '../apps.js'
import { larkCredentialsOf } from './lark-credentials.js'

/** Credentials of the settings by installation id. They stay in memory. */
export interface SettingsCredentials {
  readonly slack: ReadonlyMap<string, SlackCredentials>
  readonly lark: ReadonlyMap<string, LarkCredentials>
}

/** Writes the installations that the settings describe to the store; one token or app id each. */
export async function connectSettings(
  config: Config,
  apps: Apps,
  db: Database,
  log: Logger,
): Promise<SettingsCredentials> {
  return { slack: await connectSlack(config, db, log), lark: await connectLark(apps.lark, db, log) }
}

async function connectSlack(
  config: Config,
  db: Database,
  log: Logger,
): Promise<ReadonlyMap<string, SlackCredentials>> {
  const token = config.SLACK_BOT_TOKEN
  if (token === undefined) return new Map()
  const fingerprint = fingerprintOf(token)
  const identity = await identifySlack(config.SLACK_API_URL, token).catch((error) => failedIdentity(error))
  if (identity === null) return goOnAsBefore(db, token, fingerprint, log)
  const id = await putSettingsInstallation(db, {
    platform: 'slack',
    tenant: identity.workspace,
    app: '',
    name: identity.name,
    baseUrl: config.SLACK_API_URL,
    isOrgWide: identity.isOrgWide,
    fingerprint,
  })
  await removeOtherSettingsInstallations(db, 'slack', [id])
  if (identity.isOrgWide) await learnWorkspaces(config, db, log, id, token)
  log.info({ installationId: id }, 'connected to Slack')
  const { isOrgWide, botId, botUserId } = identity
  return new Map([[id, { token, isOrgWide, appId: null, botId, botUserId }]])
}

/** Null: Slack did not answer. @throws {LastwordError} `platform_refused` when it did, with a no */
function failedIdentity(error: unknown): null {
  const fault = classify(error, { method: 'auth.test', nowMs: 0 })
  if (fault.kind !== 'installation_dead' && fault.kind !== 'token') return null
  throw new LastwordError('platform_refused', `Slack refuses SLACK_BOT_TOKEN: ${fault.code}`)
}

/** An outage of Slack does not keep us down: the same token is the same installation as at the last start. */
async function goOnAsBefore(
  db: Database,
  token: string,
  fingerprint: string,
  log: Logger,
): Promise<ReadonlyMap<string, SlackCredentials>> {
  const known = await findSettingsInstallation(db, 'slack', fingerprint)
  if (known === null) {
    throw new LastwordError(
      'platform_unreachable',
      'Slack did not answer, and this token was never seen before',
    )
  }
  log.warn({ installationId: known.id }, 'Slack did not answer; going on with what is known of the token')
  const { isOrgWide } = known
  return new Map([[known.id, { token, isOrgWide, appId: null, botId: null, botUserId: null }]])
}

function fingerprintOf(secret: string): string {
  return createHash('sha256').update(`lastword settings\n${secret}`).digest('base64url')
}

async function learnWorkspaces(
  config: Config,
  db: Database,
  log: Logger,
  id: string,
  token: string,
): Promise<void> {
  const clients = createSlackClients({ apiUrl: config.SLACK_API_URL })
  try {
    await addWorkspaces(db, id, await listSlackWorkspaces(clients, token))
  } catch (err) {
    log.warn({ err, installationId: id }, 'the organization’s workspaces are not known yet')
  } finally {
    await clients.close()
  }
}

/** Internal apps have one tenant; a store app has those that its events bring, and one that is named. */
async function connectLark(
  apps: readonly LarkApp[],
  db: Database,
  log: Logger,
): Promise<ReadonlyMap<string, LarkCredentials>> {
  const known = new Map<string, LarkCredentials>()
  for (const app of apps) {
    const tenant = app.tenant ?? (app.kind === 'internal' ? app.appId : null)
    if (tenant === null) continue
    const id = await putSettingsInstallation(db, {
      platform: 'lark',
      tenant,
      app: app.key,
      name: null,
      baseUrl: app.baseUrl,
      fingerprint: fingerprintOf(app.appSecret),
    })
    known.set(id, larkCredentialsOf(app, tenant))
    log.info({ installationId: id }, 'configured for Lark')
  }
  if (apps.length > 0) await removeOtherSettingsInstallations(db, 'lark', [...known.keys()])
  return known
}
