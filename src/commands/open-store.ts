import type { Config } from '../config.js'
import type { Logger } from '../log.js'
import { type OpenDatabase, openDatabase } from '../store/database.js'
import { attachEmbedded, startEmbedded } from '../store/embedded.js'
import { migrate } from '../store/migrate.js'

/**
 * Opens the database for a command: yours, or the embedded one, joining the Lastword that runs on it or starting it
 * for as long as the command takes.
 */
export async function withDatabase<T>(
  config: Config,
  log: Logger,
  use: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const known = config.DATABASE_URL ?? (await attachEmbedded(config.LASTWORD_DATA_DIR))
  const own = known === null ? await startEmbedded(config.LASTWORD_DATA_DIR, log) : null
  const database = openDatabase(known ?? own?.url ?? '', log, 4)
  try {
    if (own !== null) await migrate(database.pool)
    return await use(database)
  } finally {
    await database.close()
    await own?.stop()
  }
}
