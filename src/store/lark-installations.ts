import { sql } from 'kysely'
import type { LarkInstallation } from '../platforms/lark/handle-event.js'
import type { Database } from './database.js'
import { armInstallation, installationId } from './installations.js'

/** A tenant an app is installed in. */
export interface LarkTenant {
  /** The app's key in the settings. */
  readonly app: string
  readonly tenant: string
}

export async function findLarkInstallation(db: Database, at: LarkTenant): Promise<LarkInstallation | null> {
  const row = await db
    .selectFrom('installations')
    .select(['id', 'state', 'state_code', 'installed_at', 'state_at'])
    .where('platform', '=', 'lark')
    .where('app', '=', at.app)
    .where('tenant', '=', at.tenant)
    .executeTakeFirst()
  if (row === undefined) return null
  const { id, state, state_code: stateCode, installed_at, state_at } = row
  return { id, state, stateCode, installedAtMs: installed_at.getTime(), stateAtMs: state_at.getTime() }
}

/** Whom an installation that was not removed speaks for, or null. */
export async function readLarkTenant(db: Database, id: string): Promise<LarkTenant | null> {
  const row = await db
    .selectFrom('installations')
    .select(['app', 'tenant'])
    .where('id', '=', id)
    .where('platform', '=', 'lark')
    .where('state', '<>', 'removed')
    .executeTakeFirst()
  return row ?? null
}

/**
 * Makes the installation of a tenant, or brings it back when it was parked or removed. Two processes that hear of it
 * at once make one.
 */
export async function putLarkInstallation(
  db: Database,
  { app, tenant, baseUrl }: LarkTenant & { readonly baseUrl: string },
): Promise<LarkInstallation> {
  const id = installationId('lark', tenant, app)
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ installed_at: Date; state_at: Date }>`
      insert into installations (id, platform, tenant, app, base_url, source)
      values (${id}, 'lark', ${tenant}, ${app}, ${baseUrl}, 'install')
      on conflict (id) do update
        set base_url = excluded.base_url, state = 'active', state_code = null, state_at = now(), updated_at = now(),
            installed_at = case when installations.state = 'removed' then now() else installations.installed_at end,
            -- Somebody may have granted what was missing.
            settings = installations.settings - 'files'
        where installations.state <> 'active'
      returning installed_at, state_at`.execute(tx)
    const [changed] = rows
    if (changed === undefined) {
      const standing = await findLarkInstallation(tx, { app, tenant })
      if (standing === null) throw new TypeError('an installation that conflicts is not there')
      return standing
    }
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
    const { installed_at, state_at } = changed
    const installedAtMs = installed_at.getTime()
    return { id, state: 'active', stateCode: null, installedAtMs, stateAtMs: state_at.getTime() }
  })
}

/**
 * Parks an active installation, unless it was installed again since it was read.
 *
 * @returns whether it was parked by this call
 */
export async function parkLarkInstallation(
  db: Database,
  seen: Pick<LarkInstallation, 'id' | 'stateAtMs'>,
  code: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('installations')
      .set({ state: 'parked', state_code: code, state_at: sql`now()`, updated_at: sql`now()` })
      .where('id', '=', seen.id)
      .where('state', '=', 'active')
      .where(sql<boolean>`date_trunc('milliseconds', state_at) = ${new Date(seen.stateAtMs)}`)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await tx
      .insertInto('receipts')
      .values({
        kind: 'installation.parked',
        installation_id: seen.id,
        body: JSON.stringify({ installationId: seen.id, code, remedy: 'admin' }),
      })
      .execute()
    return true
  })
}
