import type { Config } from '../config.js'
import { LastwordError } from '../errors.js'
import type { Logger } from '../log.js'
import { type OpenDatabase, openDatabase } from '../store/database.js'
import { startEmbedded } from '../store/embedded.js'
import { migrate } from '../store/migrate.js'

export interface LedgerDatabase {
  readonly url: string
  readonly database: OpenDatabase
  /** Closes the connections, and the embedded Postgres when it is ours. */
  readonly stop: () => Promise<void>
}

/**
 * Opens the operator's Postgres, or starts the embedded one, with the schema up to date.
 *
 * @throws {LastwordError} `database_unreachable`, `data_dir_in_use`, `embedded_start_failed`
 */
export async function openLedgerDatabase(config: Config, log: Logger): Promise<LedgerDatabase> {
  const embedded =
    config.DATABASE_URL === undefined ? await startEmbedded(config.LASTWORD_DATA_DIR, log) : null
  const url = config.DATABASE_URL ?? embedded?.url ?? ''
  const database = openDatabase(url, log)
  const stop = async () => {
    await database.close()
    await embedded?.stop()
  }
  await migrate(database.pool).catch(async (cause) => {
    await stop()
    throw new LastwordError('database_unreachable', undefined, { cause })
  })
  return { url, database, stop }
}
