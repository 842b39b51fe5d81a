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

/** Credentials of the settings by installation id. They stay in memory. */
export interface SettingsCredentials {
  readonly slack: ReadonlyMap<string, SlackCredentials>
  readonly lark: ReadonlyMap<string, LarkCredentials>
}

/** Writes the installations that the settings describe to the store; one token or app id each. */
export async function connectSettings(
  config: Config,
  db: Database,
  log: Logger,
): Promise<SettingsCredentials> {
  return { slack: await connectSlack(config, db, log), lark: await connectLark(config, db, log) }
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

async function connectLark(
  config: Config,
  db: Database,
  log: Logger,
): Promise<ReadonlyMap<string, LarkCredentials>> {
  const { LARK_APP_ID, LARK_APP_SECRET } = config
  if (LARK_APP_ID === undefined || LARK_APP_SECRET === undefined) return new Map()
  const tenant = config.LARK_TENANT_KEY ?? LARK_APP_ID
  const id = await putSettingsInstallation(db, {
    platform: 'lark',
    tenant,
    app: '',
    name: null,
    baseUrl: config.LARK_BASE_URL,
  })
  log.info({ installationId: id }, 'configured for Lark')
  const credentials = {
    appId: LARK_APP_ID,
    appSecret: LARK_APP_SECRET,
    baseUrl: config.LARK_BASE_URL,
    kind: config.LARK_APP_KIND,
    tenant,
  }
  return new Map([[id, credentials]])
}
