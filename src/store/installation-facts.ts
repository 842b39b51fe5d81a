import { sql } from 'kysely'
import type { InstallationFacts, Ledger } from '../deliver/ledger.js'
import type { Database } from './database.js'

/** How long an installation's row is taken from memory; a change by another process is seen this late at most. */
const CACHE_MS = 2_000
const MAX_CACHED = 5_000

/** Installations as the worker reads and parks them. Credentials are not read here. */
export function installationFacts(
  db: Database,
  now: () => number,
): Pick<Ledger, 'installation' | 'parkInstallation' | 'noteFilesRefused' | 'announce'> {
  const cache = new Map<string, { readonly atMs: number; readonly facts: InstallationFacts | null }>()

  async function read(id: string): Promise<InstallationFacts | null> {
    const row = await db
      .selectFrom('installations')
      .select(['id', 'platform', 'tenant', 'locale', 'unknown_policy', 'state', 'settings'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (row === undefined) return null
    const { unknown_policy, settings, ...rest } = row
    return { ...rest, unknownPolicy: unknown_policy, files: settings.files !== false }
  }

  return {
    async installation(id) {
      const known = cache.get(id)
      // Only what works is remembered: one that came back on another process must not be parked by our memory.
      if (known?.facts?.state === 'active' && now() - known.atMs < CACHE_MS) return known.facts
      const facts = await read(id)
      cache.delete(id)
      cache.set(id, { atMs: now(), facts })
      for (const oldest of cache.keys()) {
        if (cache.size <= MAX_CACHED) break
        cache.delete(oldest)
      }
      return facts
    },

    async parkInstallation(id, code) {
      cache.delete(id)
      const { numUpdatedRows } = await db
        .updateTable('installations')
        .set({ state: 'parked', state_code: code, state_at: sql`now()`, updated_at: sql`now()` })
        .where('id', '=', id)
        .where('state', '=', 'active')
        // Whoever found no credentials may have looked before a new install brought some.
        .$if(code === 'not_installed', (query) => query.where('credentials', 'is', null))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async announce(installationId, receipt) {
      await db
        .insertInto('receipts')
        .values({ kind: receipt.kind, installation_id: installationId, body: JSON.stringify(receipt.body) })
        .execute()
    },

    async noteFilesRefused(id) {
      cache.delete(id)
      await db
        .updateTable('installations')
        .set({ settings: sql<string>`settings || '{"files": false}'` })
        .where('id', '=', id)
        .execute()
    },
  }
}
