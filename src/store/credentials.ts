import { sql } from 'kysely'
import type { Database } from './database.js'
import type { Sealer } from './sealing.js'
import { placeOfWebhook } from './webhook-endpoints.js'

/** How long credentials are taken from memory, in ms; a change by another process is seen this late at most. */
const CACHE_MS = 2_000
const MAX_CACHED = 5_000

/** Credentials of one installation as they are kept. */
export interface StoredCredentials {
  /** What was sealed, parsed from JSON; its shape is the platform's. */
  readonly value: unknown
  /** The sealed text, to compare and set. */
  readonly sealed: string
  /** When the token ends, ms since the epoch, UTC; null when it does not. */
  readonly expiresAtMs: number | null
  readonly app: string
  readonly tenant: string
  readonly baseUrl: string | null
  readonly isOrgWide: boolean
}

/** Reads sealed credentials of installations that are not removed. */
export interface CredentialVault {
  /** From memory for a short time; null when there are none. */
  read(installationId: string): Promise<StoredCredentials | null>
  /** From the database. */
  readFresh(installationId: string): Promise<StoredCredentials | null>
  /** Drops what is in memory: the next read asks the database. */
  forget(installationId: string): void
}

/** The place a sealed value of an installation belongs to. */
export function placeOfInstallation(installationId: string): string {
  return `installation:${installationId}`
}

export function createCredentialVault(
  db: Database,
  sealer: Pick<Sealer, 'open'>,
  now: () => number,
): CredentialVault {
  type Entry = { readonly atMs: number; readonly found: Promise<StoredCredentials | null> }
  const cache = new Map<string, Entry>()

  function readFresh(id: string): Promise<StoredCredentials | null> {
    const entry: Entry = { atMs: now(), found: load(db, sealer, id) }
    cache.delete(id)
    cache.set(id, entry)
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED) break
      cache.delete(oldest)
    }
    // What failed, or was not there, is asked again at once: a new install must not be taken for the one before.
    const drop = () => {
      if (cache.get(id) === entry) cache.delete(id)
    }
    entry.found.then((found) => {
      if (found === null) drop()
    }, drop)
    return entry.found
  }

  return {
    read(id) {
      const known = cache.get(id)
      return known !== undefined && now() - known.atMs < CACHE_MS ? known.found : readFresh(id)
    },
    readFresh,
    forget: (id) => void cache.delete(id),
  }
}

async function load(
  db: Database,
  sealer: Pick<Sealer, 'open'>,
  id: string,
): Promise<StoredCredentials | null> {
  const row = await db
    .selectFrom('installations')
    .select(['credentials', 'credentials_expire_at', 'app', 'tenant', 'base_url', 'is_org_wide'])
    .where('id', '=', id)
    .where('state', '<>', 'removed')
    .executeTakeFirst()
  if (row === undefined || row.credentials === null) return null
  return {
    value: JSON.parse(await sealer.open(row.credentials, placeOfInstallation(id))),
    sealed: row.credentials,
    expiresAtMs: row.credentials_expire_at?.getTime() ?? null,
    app: row.app,
    tenant: row.tenant,
    baseUrl: row.base_url,
    isOrgWide: row.is_org_wide,
  }
}

export interface RotationProgress {
  readonly done: number
  readonly total: number
}

/**
 * Seals everything again with the first key. What changes meanwhile is left to its writer, who seals with the first
 * key too; safe to run again, and on a live system.
 *
 * @throws {LastwordError} `credentials_unreadable` when a value opens with none of the keys; nothing is lost
 */
export async function rotateKeys(
  db: Database,
  sealer: Sealer,
  onProgress: (progress: RotationProgress) => void,
): Promise<number> {
  const rows = await sealedRows(db)
  const stale = rows.filter((row) => sealer.kidOf(row.sealed) !== sealer.kid)
  for (const [index, row] of stale.entries()) {
    onProgress({ done: index, total: stale.length })
    const plain = await sealer.open(row.sealed, row.place)
    await row.replace(await sealer.seal(plain, row.place))
  }
  onProgress({ done: stale.length, total: stale.length })
  return stale.length
}

interface SealedRow {
  readonly place: string
  readonly sealed: string
  replace(sealed: string): Promise<unknown>
}

/** Every sealed value there is. A new sealed column belongs here, or its keys cannot be retired. */
async function sealedRows(db: Database): Promise<readonly SealedRow[]> {
  const installations = await db
    .selectFrom('installations')
    .select(['id', 'credentials'])
    .where('credentials', 'is not', null)
    .execute()
  const secrets = await db.selectFrom('app_secrets').selectAll().execute()
  const webhooks = await db.selectFrom('webhook_endpoints').select(['id', 'secret']).execute()
  return [
    ...webhooks.map(({ id, secret }) => ({
      place: placeOfWebhook(id),
      sealed: secret,
      replace: (sealed: string) =>
        db
          .updateTable('webhook_endpoints')
          .set({ secret: sealed })
          .where('id', '=', id)
          .where('secret', '=', secret)
          .execute(),
    })),
    ...installations.map(({ id, credentials }) => ({
      place: placeOfInstallation(id),
      sealed: credentials ?? '',
      replace: (sealed: string) =>
        db
          .updateTable('installations')
          .set({ credentials: sealed })
          .where('id', '=', id)
          .where('credentials', '=', credentials)
          .execute(),
    })),
    ...secrets.map((secret) => ({
      place: placeOfAppSecret(secret.platform, secret.app, secret.name),
      sealed: secret.sealed,
      replace: (sealed: string) =>
        db
          .updateTable('app_secrets')
          .set({ sealed, updated_at: sql`now()` })
          .where('platform', '=', secret.platform)
          .where('app', '=', secret.app)
          .where('name', '=', secret.name)
          .where('sealed', '=', secret.sealed)
          .execute(),
    })),
  ]
}

/** The place a sealed value of an app belongs to. */
export function placeOfAppSecret(platform: 'slack' | 'lark', app: string, name: string): string {
  return `app:${platform}:${app}:${name}`
}
