import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { LastwordError } from '../errors.js'
import type { Right } from '../intake/producer.js'
import type { Database } from './database.js'

/** How often the time of last use is written, in ms. */
const USE_RESOLUTION_MS = 300_000

/** A producer's key as it may be shown: never the key itself. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly rights: readonly string[]
  /** Installations it may post to; null is all of them. */
  readonly installationIds: readonly string[] | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export interface NewApiKey {
  readonly name: string
  readonly rights: readonly Right[]
  readonly installationIds: readonly string[] | null
}

/**
 * Makes a key and keeps its hash. 256 random bits need no salt and no slow hash.
 *
 * @returns the key: shown once, never again
 * @throws {LastwordError} `unknown_installation`
 */
export async function createApiKey(
  db: Database,
  given: NewApiKey,
): Promise<{ readonly key: string; readonly id: string }> {
  await mustExist(db, given.installationIds ?? [])
  const key = `lw_${randomBytes(32).toString('base64url')}`
  const id = `key_${randomBytes(6).toString('hex')}`
  await db
    .insertInto('api_keys')
    .values({
      id,
      hash: hashOf(key),
      name: given.name,
      rights: [...given.rights],
      installation_ids: given.installationIds === null ? null : [...given.installationIds],
    })
    .execute()
  return { key, id }
}

async function mustExist(db: Database, installationIds: readonly string[]): Promise<void> {
  for (const id of installationIds) {
    const row = await db.selectFrom('installations').select('id').where('id', '=', id).executeTakeFirst()
    if (row === undefined) {
      throw new LastwordError('unknown_installation', `there is no installation ${id}`, {
        faults: [
          { path: '/installationIds', expected: 'ids of installations, as `lastword doctor` names them' },
        ],
      })
    }
  }
}

/** Every key, newest first, revoked ones included. */
export async function listApiKeys(db: Database): Promise<readonly ApiKey[]> {
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('created_at', 'desc').execute()
  return rows.map(shown)
}

/** @throws {LastwordError} `not_found` when there is no such key that works */
export async function revokeApiKey(db: Database, id: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LastwordError('not_found', `there is no key ${id} that works`)
}

/** The key's row while it works, or null. Looked up by hash: how long it takes tells nothing of the key. */
export async function findApiKey(db: Database, key: string): Promise<ApiKey | null> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('hash', '=', hashOf(key))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  if (Date.now() - (row.last_used_at?.getTime() ?? 0) > USE_RESOLUTION_MS) {
    await db.updateTable('api_keys').set({ last_used_at: sql`now()` }).where('id', '=', row.id).execute()
  }
  return shown(row)
}

function shown(row: {
  id: string
  name: string
  rights: string[]
  installation_ids: string[] | null
  created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}): ApiKey {
  return {
    id: row.id,
    name: row.name,
    rights: row.rights,
    installationIds: row.installation_ids,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
