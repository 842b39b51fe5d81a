import type { Config } from './config.js'
import type { Logger } from './log.js'
import type { LarkCredentials } from './platforms/lark/credentials.js'
import type { SlackCredentials } from './platforms/slack/call.js'
import { identifySlack } from './platforms/slack/identity.js'
import type { Database } from './store/database.js'
import { putSettingsInstallation } from './store/installations.js'

/** Credentials by installation id, as the platforms ask for them. */
export interface CredentialSources {
  slack(installationId: string): Promise<SlackCredentials | null>
  lark(installationId: string): Promise<LarkCredentials | null>
  /** Literal secrets of an installation, to be masked in what is sent. */
  secretsOf(installationId: string): Promise<readonly string[]>
}

/** The installations that the settings describe, written to the store, with their credentials kept in memory only. */
export async function connectSettings(config: Config, db: Database, log: Logger): Promise<CredentialSources> {
  const slack = new Map<string, SlackCredentials>()
  const lark = new Map<string, LarkCredentials>()
  if (config.SLACK_BOT_TOKEN !== undefined) {
    const token = config.SLACK_BOT_TOKEN
    const identity = await identifySlack(config.SLACK_API_URL, token)
    const id = await putSettingsInstallation(db, {
      platform: 'slack',
      tenant: identity.workspace,
      app: '',
      name: identity.name,
      baseUrl: config.SLACK_API_URL,
    })
    slack.set(id, {
      token,
      isOrgWide: identity.isOrgWide,
      appId: null,
      botId: identity.botId,
      botUserId: identity.botUserId,
    })
    log.info({ installationId: id }, 'connected to Slack')
  }
  if (config.LARK_APP_ID !== undefined && config.LARK_APP_SECRET !== undefined) {
    const tenant = config.LARK_TENANT_KEY ?? config.LARK_APP_ID
    const id = await putSettingsInstallation(db, {
      platform: 'lark',
      tenant,
      app: '',
      name: null,
      baseUrl: config.LARK_BASE_URL,
    })
    lark.set(id, {
      appId: config.LARK_APP_ID,
      appSecret: config.LARK_APP_SECRET,
      baseUrl: config.LARK_BASE_URL,
      kind: config.LARK_APP_KIND,
      tenant,
    })
    log.info({ installationId: id }, 'configured for Lark')
  }
  return {
    slack: async (id) => slack.get(id) ?? null,
    lark: async (id) => lark.get(id) ?? null,
    secretsOf: async (id) =>
      [slack.get(id)?.token, lark.get(id)?.appSecret].filter((secret) => secret !== undefined),
  }
}
