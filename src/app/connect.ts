import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'
import type { Logger } from '../log.js'
import type { LarkCredentials } from '../platforms/lark/credentials.js'
import type { SlackCredentialSource } from '../platforms/slack/call.js'
import { createSlackClients, type SlackClients } from '../platforms/slack/client.js'
import { createAppSecrets } from '../store/app-secrets.js'
import { type CredentialVault, createCredentialVault } from '../store/credentials.js'
import type { Database } from '../store/database.js'
import { refreshLeases } from '../store/refresh-lease.js'
import { openSealer, type Sealer } from '../store/sealing.js'
import { parseSlackSecrets } from '../store/slack-installations.js'
import { type Apps, type LarkApp, readApps } from './apps.js'
import { createLarkCredentials } from './connect/lark-credentials.js'
import { createLarkTickets, type LarkTickets } from './connect/lark-tickets.js'
import { connectSettings } from './connect/settings.js'
import { createSlackTokens, type Refreshed } from './connect/slack-tokens.js'

/** Credentials by installation id, as the platforms ask for them. */
export interface CredentialSources {
  readonly slack: SlackCredentialSource
  lark(installationId: string): Promise<LarkCredentials | null>
  /** Literal secrets of an installation, to be masked in what is sent. */
  secretsOf(installationId: string): Promise<readonly string[]>
}

/** Everything this process may speak for: installations of the settings, kept in memory, and stored ones, sealed. */
export interface Connections extends CredentialSources {
  readonly apps: Apps
  readonly sealer: Sealer
  readonly vault: CredentialVault
  /** Tickets of Lark store apps. */
  readonly larkTickets: LarkTickets
  /** For calls that belong to no delivery: refreshes, lists of workspaces. */
  readonly slackClients: SlackClients
  /** Gets a new token for a stored installation, once for all processes. */
  refreshSlack(installationId: string): Promise<Refreshed>
  close(): Promise<void>
}

/**
 * Reads the settings' installations and opens the stored ones.
 *
 * @throws {LastwordError} `config_invalid`; what Slack answers when it refuses the settings' token
 */
export async function connect(config: Config, db: Database, log: Logger): Promise<Connections> {
  const apps = await readApps(config)
  const sealer = await sealerOf(config, apps)
  const settings = await connectSettings(config, apps, db, log)
  const vault = createCredentialVault(db, sealer, Date.now)
  const slackClients = createSlackClients({ apiUrl: config.SLACK_API_URL })
  const tokens = createSlackTokens({
    vault,
    leases: refreshLeases(db),
    sealer,
    clients: slackClients,
    appSecrets(key) {
      const app = apps.slack.find((each) => each.key === key)
      if (app === undefined || app.clientId === null || app.clientSecret === null) return null
      return { clientId: app.clientId, clientSecret: app.clientSecret }
    },
    log,
    now: Date.now,
    pause: (durationMs) => new Promise((done) => setTimeout(done, durationMs)),
  })
  const storedLark = createLarkCredentials(db, apps.lark, Date.now)
  const lark = async (id: string) => settings.lark.get(id) ?? storedLark(id)
  return {
    apps,
    sealer,
    vault,
    larkTickets: createLarkTickets(createAppSecrets(db, sealer), Date.now),
    slackClients,
    slack: async (id, how) => settings.slack.get(id) ?? tokens.credentials(id, how),
    lark,
    async secretsOf(id) {
      if (id.startsWith('lark:')) return larkSecrets(apps.lark, (await lark(id))?.appId)
      const known = settings.slack.get(id)?.token
      return known === undefined ? storedSecrets(vault, id) : [known]
    },
    refreshSlack: async (id) =>
      settings.slack.has(id)
        ? { kind: 'installation_dead', remedy: 'reinstall', code: 'token_expired' }
        : tokens.refresh(id),
    close: () => slackClients.close(),
  }
}

async function storedSecrets(vault: CredentialVault, id: string): Promise<readonly string[]> {
  const stored = await vault.read(id)
  if (stored === null) return []
  const { token, refreshToken } = parseSlackSecrets(stored.value)
  return refreshToken === null ? [token] : [token, refreshToken]
}

function larkSecrets(apps: readonly LarkApp[], appId: string | undefined): readonly string[] {
  const app = apps.find((each) => each.appId === appId)
  return [app?.appSecret, app?.encryptKey, app?.verificationToken].filter(
    (secret) => typeof secret === 'string',
  )
}

/**
 * The sealer of the settings. With a database of the operator's own, whoever lets others install must give the keys:
 * a key that we made would live on one machine and be lost with it.
 */
async function sealerOf(config: Config, apps: Apps): Promise<Sealer> {
  const dataDir = config.DATABASE_URL === undefined ? config.LASTWORD_DATA_DIR : null
  const sealer = await openSealer(config.LASTWORD_ENCRYPTION_KEYS, dataDir)
  if (sealer !== null) return sealer
  const mayStore =
    apps.slack.some((app) => app.clientId !== null) || apps.lark.some((app) => app.kind === 'store')
  if (mayStore) throw keysNeeded()
  return NO_KEYS
}

/** Nothing is stored without keys; what an earlier process stored does not open. */
const NO_KEYS: Sealer = {
  kid: '',
  seal: async () => {
    throw keysNeeded()
  },
  open: async () => {
    throw new LastwordError('credentials_unreadable')
  },
  kidOf: () => null,
}

function keysNeeded(): LastwordError {
  const path = 'LASTWORD_ENCRYPTION_KEYS'
  const expected =
    'a value, because credentials of others are stored in DATABASE_URL; `lastword keys new` prints one'
  return new LastwordError('config_invalid', `settings are not usable:\n  ${path}: ${expected}`, {
    faults: [{ path, expected }],
  })
}
