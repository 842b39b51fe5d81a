import { createHash, timingSafeEqual } from 'node:crypto'
import { type Producer, trustedProducer } from '../intake/producer.js'
import { type ApiKey, findApiKey } from '../store/api-keys.js'
import type { Database } from '../store/database.js'

/** How long a key is taken from memory, in ms: a revoked one ends this late at most. */
const CACHE_MS = 2_000
const MAX_CACHED = 1_000

/** Finds who holds a key: the operator's own first, then those that `lastword keys create` made. Null when nobody does. */
export function createProducers(
  db: Database,
  ownKey: string | null,
  now: () => number,
): (key: string) => Promise<Producer | null> {
  const owner = trustedProducer('owner')
  const known = new Map<string, { readonly atMs: number; readonly producer: Producer }>()
  return async (key) => {
    if (ownKey !== null && isSame(key, ownKey)) return owner
    // A key as it is never stays in memory.
    const digest = createHash('sha256').update(key).digest('base64url')
    const cached = known.get(digest)
    if (cached !== undefined && now() - cached.atMs < CACHE_MS) return cached.producer
    known.delete(digest)
    const found = await findApiKey(db, key)
    if (found === null) return null
    const producer = producerOfKey(found)
    known.set(digest, { atMs: now(), producer })
    for (const oldest of known.keys()) {
      if (known.size <= MAX_CACHED) break
      known.delete(oldest)
    }
    return producer
  }
}

/** What the holder of a key may do. */
export function producerOfKey(key: Pick<ApiKey, 'name' | 'rights' | 'installationIds'>): Producer {
  const rights = new Set(key.rights)
  const installations = key.installationIds === null ? null : new Set(key.installationIds)
  return {
    name: key.name,
    may: (right) => rights.has(right),
    mayPostTo: (id) => installations === null || installations.has(id),
    installationIds: key.installationIds,
  }
}

/** In constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
