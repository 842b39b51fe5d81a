import type { Apps, LarkApp } from '../apps.js'
import type { Config } from '../config.js'
import type { Logger } from '../log.js'
import type { LarkCredentials } from '../platforms/lark/credentials.js'
import type { SlackCredentials } from '../platforms/slack/call.js'
import { createSlackClients } from '../platforms/slack/client.js'
import { identifySlack } from '../platforms/slack/identity.js'
import { listSlackWorkspaces } from '../platforms/slack/workspaces.js'
import type { Database } from '../store/database.js'
import { putSettingsInstallation } from '../store/installations.js'
import { addWorkspaces } from '../store/workspaces.js'
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
  const identity = await identifySlack(config.SLACK_API_URL, token)
  const id = await putSettingsInstallation(db, {
    platform: 'slack',
    tenant: identity.workspace,
    app: '',
    name: identity.name,
    baseUrl: config.SLACK_API_URL,
    isOrgWide: identity.isOrgWide,
  })
  if (identity.isOrgWide) await learnWorkspaces(config, db, log, id, token)
  log.info({ installationId: id }, 'connected to Slack')
  const { isOrgWide, botId, botUserId } = identity
  return new Map([[id, { token, isOrgWide, appId: null, botId, botUserId }]])
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
    })
    known.set(id, larkCredentialsOf(app, tenant))
    log.info({ installationId: id }, 'configured for Lark')
  }
  return known
}
