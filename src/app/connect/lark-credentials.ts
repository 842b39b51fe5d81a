import type { LarkCredentials } from '../../platforms/lark/credentials.js'
import type { Database } from '../../store/database.js'
import { type LarkTenant, readLarkTenant } from '../../store/lark-installations.js'
import type { LarkApp } from '../apps.js'

/** How long an installation is taken from memory, in ms; a removal by another process is seen this late at most. */
const CACHE_MS = 2_000
const MAX_CACHED = 5_000

/**
 * Credentials of stored installations: the app's, which the settings hold, for the tenant the store names. No secret
 * of an app is in the database.
 *
 * @param now milliseconds since the epoch, UTC
 */
export function createLarkCredentials(
  db: Database,
  apps: readonly LarkApp[],
  now: () => number,
): (installationId: string) => Promise<LarkCredentials | null> {
  const cache = new Map<string, { readonly atMs: number; readonly found: Promise<LarkTenant | null> }>()

  const tenantOf = (id: string): Promise<LarkTenant | null> => {
    const known = cache.get(id)
    if (known !== undefined && now() - known.atMs < CACHE_MS) return known.found
    const entry = { atMs: now(), found: readLarkTenant(db, id) }
    cache.delete(id)
    cache.set(id, entry)
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED) break
      cache.delete(oldest)
    }
    entry.found.catch(() => {
      if (cache.get(id) === entry) cache.delete(id)
    })
    return entry.found
  }

  return async (id) => {
    const known = await tenantOf(id)
    const app = known === null ? undefined : apps.find(({ key }) => key === known.app)
    return known === null || app === undefined ? null : larkCredentialsOf(app, known.tenant)
  }
}

/** What an app speaks with in one of its tenants. */
export function larkCredentialsOf(app: LarkApp, tenant: string): LarkCredentials {
  const { appId, appSecret, baseUrl, kind } = app
  return { appId, appSecret, baseUrl, kind, tenant }
}
