import { sql } from 'kysely'
import { placeOfAppSecret } from './credentials.js'
import type { Database } from './database.js'
import type { Sealer } from './sealing.js'

/** A secret a platform gave to an app, not to one of its installations, such as Lark's app ticket. */
export interface AppSecretName {
  readonly platform: 'slack' | 'lark'
  /** The app's key in the settings. */
  readonly app: string
  readonly name: string
}

/** Keeps secrets of apps sealed; every process on the database reads the same. */
export interface AppSecrets {
  put(name: AppSecretName, secret: string): Promise<void>
  /** The latest, with when it came (ms since the epoch, UTC), or null. */
  read(name: AppSecretName): Promise<{ readonly secret: string; readonly updatedAtMs: number } | null>
}

export function createAppSecrets(db: Database, sealer: Sealer): AppSecrets {
  return {
    async put(name, secret) {
      const sealed = await sealer.seal(secret, placeOfAppSecret(name.platform, name.app, name.name))
      await db
        .insertInto('app_secrets')
        .values({ ...name, sealed })
        .onConflict((conflict) =>
          conflict.columns(['platform', 'app', 'name']).doUpdateSet({ sealed, updated_at: sql`now()` }),
        )
        .execute()
    },

    async read(name) {
      const row = await db
        .selectFrom('app_secrets')
        .select(['sealed', 'updated_at'])
        .where('platform', '=', name.platform)
        .where('app', '=', name.app)
        .where('name', '=', name.name)
        .executeTakeFirst()
      if (row === undefined) return null
      const secret = await sealer.open(row.sealed, placeOfAppSecret(name.platform, name.app, name.name))
      return { secret, updatedAtMs: row.updated_at.getTime() }
    },
  }
}
