import { sql } from 'kysely'
import type { Database } from './database.js'

/** An installation as an event about it is judged. */
export interface InstallationAtHand {
  readonly id: string
  readonly state: 'active' | 'parked' | 'removed'
  /** Ms since the epoch, UTC. Tells one install from the next. */
  readonly installedAtMs: number
}

/**
 * Removes an installation: its credentials are deleted, its deliveries park, and runs for it are refused. Does
 * nothing when it was installed again since it was read.
 *
 * @returns whether it was removed by this call
 */
export async function removeInstallation(
  db: Database,
  seen: Pick<InstallationAtHand, 'id' | 'installedAtMs'>,
  code: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('installations')
      .set({
        state: 'removed',
        state_code: code,
        state_at: sql`now()`,
        updated_at: sql`now()`,
        credentials: null,
        credentials_expire_at: null,
        scopes: null,
        refresh_owner: null,
        refresh_until: null,
        refresh_code: null,
      })
      .where('id', '=', seen.id)
      .where('state', '<>', 'removed')
      .where(sql<boolean>`date_trunc('milliseconds', installed_at) = ${new Date(seen.installedAtMs)}`)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    // Lanes first and in the order of keys, as every write of a worker, so that the two never wait in a circle.
    await sql`select key from lanes where installation_id = ${seen.id} order by key for no key update`.execute(
      tx,
    )
    await tx
      .updateTable('deliveries')
      .set({ state: 'parked', reason: code })
      .where('installation_id', '=', seen.id)
      .where('settled_at', 'is', null)
      .execute()
    // The bot is in none of them any more; what was known is asked again after a new install.
    await tx.deleteFrom('conversations').where('installation_id', '=', seen.id).execute()
    await tx.deleteFrom('workspaces').where('installation_id', '=', seen.id).execute()
    await tx
      .insertInto('receipts')
      .values({
        kind: 'installation.removed',
        installation_id: seen.id,
        body: JSON.stringify({ installationId: seen.id, code, remedy: 'reinstall' }),
      })
      .execute()
    return true
  })
}
