import { sql } from 'kysely'
import type { PlatformName } from '../contract/run.js'
import type { Database } from './database.js'

/** An installation that comes from the settings: one bot token or one app id, in the environment. */
export interface SettingsInstallation {
  readonly platform: PlatformName
  readonly tenant: string
  readonly app: string
  readonly name: string | null
  readonly baseUrl: string | null
  /** Slack: the token of an organization, good for its workspaces. */
  readonly isOrgWide?: boolean
}

/** The one spelling of an installation's id. Readable, since operators type it. */
export function installationId(platform: PlatformName, tenant: string, app: string): string {
  return app === '' ? `${platform}:${tenant}` : `${platform}:${tenant}:${app}`
}

/** Writes the installation that the settings describe, and brings it back when it had been parked. */
export async function putSettingsInstallation(db: Database, given: SettingsInstallation): Promise<string> {
  const id = installationId(given.platform, given.tenant, given.app)
  const row = {
    name: given.name,
    base_url: given.baseUrl,
    is_org_wide: given.isOrgWide ?? false,
    source: 'settings',
    state: 'active',
  } as const
  await db
    .insertInto('installations')
    .values({ id, platform: given.platform, tenant: given.tenant, app: given.app, ...row })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...row,
        state_code: null,
        state_at: sql`now()`,
        updated_at: sql`now()`,
        // A token with more scopes may upload again.
        settings: sql<string>`installations.settings - 'files'`,
      }),
    )
    .execute()
  await armInstallation(db, id)
  return id
}

/** Arms every lane of an installation that has unsettled work: it came back. */
export async function armInstallation(db: Database, id: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update lanes l set ready_at = now()
     where l.installation_id = ${id} and l.owner is null and l.ready_at is null
       and exists (select 1 from deliveries d where d.lane_key = l.key and d.settled_at is null)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
