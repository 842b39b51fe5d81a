import { sql } from 'kysely'
import { LastwordError } from '../errors.js'
import type { Database } from './database.js'
import { armInstallation } from './installations.js'

/**
 * Brings a parked installation back by hand: its deliveries are tried again at once. When the platform still refuses
 * its token, the next call parks it again.
 *
 * @throws {LastwordError} `not_found`; `not_replayable` when it is active, or removed and so without credentials
 */
export async function resumeInstallation(db: Database, id: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('installations')
    .set({ state: 'active', state_code: null, state_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'parked')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) {
    await armInstallation(db, id)
    return
  }
  const known = await db.selectFrom('installations').select('id').where('id', '=', id).executeTakeFirst()
  if (known === undefined) throw new LastwordError('not_found')
  throw new LastwordError('not_replayable', undefined, {
    faults: [{ path: '/id', expected: 'an installation that is parked' }],
  })
}
