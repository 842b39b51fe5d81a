import { sql } from 'kysely'
import type { PlatformName } from '../contract/run.js'
import type { Database } from './database.js'
import { ARMED } from './lane-state.js'

/** An installation that comes from the settings: one bot token or one app id, in the environment. */
export interface SettingsInstallation {
  readonly platform: PlatformName
  readonly tenant: string
  readonly app: string
  readonly name: string | null
  readonly baseUrl: string | null
  /** Slack: the token of an organization, good for its workspaces. */
  readonly isOrgWide?: boolean
  /** Digest of the credential, so that an installation is never taken for that of another token. */
  readonly fingerprint: string
}

/** What a later start may go on with while the platform does not answer. */
export interface KnownSettingsInstallation {
  readonly id: string
  readonly tenant: string
  readonly isOrgWide: boolean
}

/** The one spelling of an installation's id. Readable, since operators type it. */
export function installationId(platform: PlatformName, tenant: string, app: string): string {
  return app === '' ? `${platform}:${tenant}` : `${platform}:${tenant}:${app}`
}

/** Writes the installation that the settings describe, and brings it back when it had been parked. */
export async function putSettingsInstallation(db: Database, given: SettingsInstallation): Promise<string> {
  const id = installationId(given.platform, given.tenant, given.app)
  const fingerprint = JSON.stringify({ fingerprint: given.fingerprint })
  const row = {
    name: given.name,
    base_url: given.baseUrl,
    is_org_wide: given.isOrgWide ?? false,
    source: 'settings',
    state: 'active',
  } as const
  await db
    .insertInto('installations')
    .values({
      id,
      platform: given.platform,
      tenant: given.tenant,
      app: given.app,
      settings: fingerprint,
      ...row,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...row,
        state_code: null,
        state_at: sql`now()`,
        updated_at: sql`now()`,
        // A token with more scopes may upload again.
        settings: sql<string>`(installations.settings - 'files') || ${fingerprint}::jsonb`,
      }),
    )
    .execute()
  await armInstallation(db, id)
  return id
}

/** The installation that this very credential was known to be when the platform last answered. */
export async function findSettingsInstallation(
  db: Database,
  platform: PlatformName,
  fingerprint: string,
): Promise<KnownSettingsInstallation | null> {
  const row = await db
    .selectFrom('installations')
    .select(['id', 'tenant', 'is_org_wide as isOrgWide'])
    .where('platform', '=', platform)
    .where('source', '=', 'settings')
    .where(sql<string>`settings->>'fingerprint'`, '=', fingerprint)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Takes out the installations of earlier settings: a run that names no workspace means the one that is configured
 * now. Their deliveries wait; the same settings bring them back.
 */
export async function removeOtherSettingsInstallations(
  db: Database,
  platform: PlatformName,
  keptIds: readonly string[],
): Promise<void> {
  await db
    .updateTable('installations')
    .set({ state: 'removed', state_code: 'not_in_settings', state_at: sql`now()`, updated_at: sql`now()` })
    .where('platform', '=', platform)
    .where('source', '=', 'settings')
    .where('state', '<>', 'removed')
    .where('id', 'not in', keptIds.length === 0 ? [''] : [...keptIds])
    .execute()
}

/**
 * Arms every lane of an installation that has unsettled work: it came back. Also lanes that are worked on: whoever
 * gives one up at this moment still takes the installation for parked.
 */
export async function armInstallation(db: Database, id: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with owing as materialized (
      -- In the order of keys, as all who lock many lanes.
      select l.key from lanes l
       where l.installation_id = ${id} and (l.ready_at is null or l.owner is not null)
         and exists (select 1 from deliveries d where d.lane_key = l.key and d.settled_at is null)
       order by l.key for no key update
    )
    update lanes set ${ARMED} from owing where lanes.key = owing.key`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
