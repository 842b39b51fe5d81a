import type { Database } from './database.js'

/** A session as it is kept: hashes, never what the browser holds. */
export interface SessionRecord {
  readonly hash: string
  /** The key it was opened with; null: the operator's own, which is in no table. */
  readonly keyId: string | null
  /** Shows that the operator's own key was known; null with a `keyId`. */
  readonly proof: string | null
}

/** What the holder of a session's key may do now; null: the operator's own key. */
export interface SessionKey {
  readonly name: string
  readonly rights: readonly string[]
  readonly installationIds: readonly string[] | null
}

/** Sessions looked at in one sweep of expired ones. */
const EXPIRED_PER_SWEEP = 200

/** Keeps a session and forgets some that have expired. */
export async function openSessionRecord(
  db: Database,
  record: SessionRecord,
  expiresAtMs: number,
  nowMs: number,
): Promise<void> {
  await db
    .deleteFrom('console_sessions')
    .where('hash', 'in', (query) =>
      query
        .selectFrom('console_sessions')
        .select('hash')
        .where('expires_at', '<=', new Date(nowMs))
        .limit(EXPIRED_PER_SWEEP),
    )
    .execute()
  await db
    .insertInto('console_sessions')
    .values({
      hash: record.hash,
      key_id: record.keyId,
      proof: record.proof,
      expires_at: new Date(expiresAtMs),
    })
    .execute()
}

/** A session that has not expired and whose key still works, or null. */
export async function findSessionRecord(
  db: Database,
  hash: string,
  nowMs: number,
): Promise<{ readonly proof: string | null; readonly key: SessionKey | null } | null> {
  const row = await db
    .selectFrom('console_sessions as s')
    .leftJoin('api_keys as k', 'k.id', 's.key_id')
    .select(['s.proof', 's.key_id', 'k.name', 'k.rights', 'k.installation_ids', 'k.revoked_at'])
    .where('s.hash', '=', hash)
    .where('s.expires_at', '>', new Date(nowMs))
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.key_id === null) return { proof: row.proof, key: null }
  if (row.name === null || row.rights === null || row.revoked_at !== null) return null
  return {
    proof: null,
    key: { name: row.name, rights: row.rights, installationIds: row.installation_ids },
  }
}

export async function closeSessionRecord(db: Database, hash: string): Promise<void> {
  await db.deleteFrom('console_sessions').where('hash', '=', hash).execute()
}
