import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createLogger } from '../../src/log.js'
import { openDatabase } from '../../src/store/database.js'
import { startEmbedded } from '../../src/store/embedded.js'
import { migrate } from '../../src/store/migrate.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the cluster's maintenance database; `test/support/database.ts` makes a fresh one from it. */
    postgresUrl: string
  }
}

/** Database that every test's own is copied from: migrated once. */
export const TEMPLATE = 'lastword_template'

/** Starts one real Postgres for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'lastword-test-'))
  const log = createLogger('silent')
  const embedded = await startEmbedded(folder, log)
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = openDatabase(embedded.url.replace(/\/[^/]+$/, `/${TEMPLATE}`), log)
  await migrate(template.pool)
  await template.close()
  // Nobody may be connected to a database that is copied, not even Postgres's own housekeeping.
  const owner = new pg.Client({ connectionString: embedded.url })
  await owner.connect()
  await owner.query(`alter database ${TEMPLATE} with is_template true allow_connections false`)
  await owner.end()
  project.provide('postgresUrl', embedded.url)
  return async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
