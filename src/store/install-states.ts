import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { InstallStates } from '../platforms/slack/install.js'
import type { Database } from './database.js'

/**
 * States of installs under way: issued by one process, redeemed by any, once. Only hashes are kept, so that reading
 * the table does not let anyone finish another's install.
 */
export function installStates(db: Database, app: string): InstallStates {
  return {
    async issue(options, ttlMs) {
      const state = randomBytes(32).toString('base64url')
      await db.deleteFrom('install_states').where('expires_at', '<', sql<Date>`now()`).execute()
      await db
        .insertInto('install_states')
        .values({
          hash: hashOf(state),
          app,
          options: JSON.stringify(options),
          expires_at: sql<Date>`now() + ${ttlMs} * interval '1 millisecond'`,
        })
        .execute()
      return state
    },

    async redeem(state) {
      const row = await db
        .deleteFrom('install_states')
        .where('hash', '=', hashOf(state))
        .where('app', '=', app)
        .returning(['options', sql<boolean>`expires_at > now()`.as('isFresh')])
        .executeTakeFirst()
      return row?.isFresh ? row.options : null
    },
  }
}

function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('base64url')
}
