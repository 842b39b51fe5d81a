import { sql } from 'kysely'
import { z } from 'zod'
import type { SlackGrant, SlackGrantBook } from '../platforms/slack/install.js'
import { placeOfInstallation } from './credentials.js'
import type { Database } from './database.js'
import { armInstallation, installationId } from './installations.js'
import type { InstallationAtHand } from './remove-installation.js'
import type { Sealer } from './sealing.js'

/** What is sealed of a Slack installation. */
const Secrets = z.object({
  token: z.string().min(1),
  refreshToken: z.string().min(1).nullable(),
  appId: z.string().nullable(),
  botId: z.string().nullable(),
  botUserId: z.string().nullable(),
})
export type SlackSecrets = z.infer<typeof Secrets>

/** @throws {z.ZodError} when it is none of ours; paths only, no value */
export function parseSlackSecrets(value: unknown): SlackSecrets {
  return Secrets.parse(value)
}

/** Grants of one app, written to the ledger. `app` is the app's key in the settings, '' for the only one. */
export function slackGrantBook(
  db: Database,
  sealer: Sealer,
  given: {
    readonly app: string
    readonly apiUrl: string
    readonly onPut: (id: string, grant: SlackGrant) => Promise<void>
  },
): SlackGrantBook {
  return {
    async put(grant) {
      const id = installationId('slack', grant.tenant, given.app)
      const secrets: SlackSecrets = {
        token: grant.token,
        refreshToken: grant.refreshToken,
        appId: grant.appId,
        botId: grant.botId,
        botUserId: grant.botUserId,
      }
      const sealed = await sealer.seal(JSON.stringify(secrets), placeOfInstallation(id))
      const isNew = await putGrant(db, { ...given, id, sealed, grant })
      await given.onPut(id, grant)
      return { isNew }
    },
  }
}

async function putGrant(
  db: Database,
  given: {
    readonly id: string
    readonly app: string
    readonly apiUrl: string
    readonly sealed: string
    readonly grant: SlackGrant
  },
): Promise<boolean> {
  const { id, grant } = given
  const row = {
    is_org_wide: grant.isOrgWide,
    enterprise: grant.enterprise,
    name: grant.name,
    base_url: given.apiUrl,
    credentials: given.sealed,
    credentials_expire_at: grant.expiresAtMs === null ? null : new Date(grant.expiresAtMs),
    source: 'install',
    state: 'active',
  } as const
  const scopes = [...grant.scopes]
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('installations')
      .select('state')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    await tx
      .insertInto('installations')
      .values({ id, platform: 'slack', tenant: grant.tenant, app: given.app, ...row, scopes })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          ...row,
          scopes,
          state_code: null,
          state_at: sql`now()`,
          installed_at: sql`now()`,
          updated_at: sql`now()`,
          refresh_owner: null,
          refresh_until: null,
          refreshed_at: null,
          refresh_code: null,
          // A grant with more scopes may upload again.
          settings: sql<string>`installations.settings - 'files'`,
        }),
      )
      .execute()
    await tx.deleteFrom('gates').where('installation_id', '=', id).execute()
    await tx
      .insertInto('receipts')
      .values({
        kind: 'installation.added',
        installation_id: id,
        body: JSON.stringify({ installationId: id }),
      })
      .execute()
    await armInstallation(tx, id)
    return before === undefined || before.state === 'removed'
  })
}

/** An installation that an event from Slack is about. */
export interface FoundSlackInstallation extends InstallationAtHand {
  readonly isOrgWide: boolean
}

/**
 * The installation of an app that serves a workspace: an organization-wide one when the event came through it, else
 * the workspace's own, else its organization's.
 */
export async function findSlackInstallation(
  db: Database,
  at: {
    readonly app: string
    readonly workspace: string | null
    readonly enterprise: string | null
    readonly isOrgWide: boolean
  },
): Promise<FoundSlackInstallation | null> {
  const own = at.workspace === null ? [] : [at.workspace]
  const org = at.enterprise === null ? [] : [at.enterprise]
  const tenants = at.isOrgWide ? [...org, ...own] : [...own, ...org]
  for (const tenant of tenants) {
    const row = await db
      .selectFrom('installations')
      .select(['id', 'state', 'installed_at', 'is_org_wide'])
      .where('platform', '=', 'slack')
      .where('app', '=', at.app)
      .where('tenant', '=', tenant)
      .executeTakeFirst()
    if (row === undefined) continue
    return {
      id: row.id,
      state: row.state,
      installedAtMs: row.installed_at.getTime(),
      isOrgWide: row.is_org_wide,
    }
  }
  return null
}
