import { sql } from 'kysely'
import type { Database } from './database.js'
import type { InstallationState } from './tables.js'

/** An installation as an operator looks at it. No credentials. */
export interface InstallationHealth {
  readonly id: string
  readonly platform: 'slack' | 'lark'
  readonly tenant: string
  readonly app: string
  readonly name: string | null
  readonly isOrgWide: boolean
  readonly source: 'settings' | 'install'
  readonly state: InstallationState
  readonly stateCode: string | null
  readonly stateAtMs: number
  readonly locale: string | null
  readonly installedAtMs: number
  /** When its token ends unless it is refreshed; null: never, or not stored. */
  readonly tokenExpiresAtMs: number | null
  readonly refreshedAtMs: number | null
  /** Why the last refresh failed. */
  readonly refreshCode: string | null
  readonly scopes: readonly string[]
  /** Deliveries that wait, counted up to `WAITING_LIMIT`. */
  readonly waitingCount: number
  readonly oldestWaitingAtMs: number | null
}

/** Waiting deliveries are counted up to here. */
export const WAITING_LIMIT = 1_000

export interface InstallationPage {
  readonly limit: number
  /** The last id of the page before. */
  readonly afterId: string | null
  readonly state: InstallationState | null
}

type HealthRow = Omit<InstallationHealth, 'scopes'> & { readonly scopes: readonly string[] | null }

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

const HEALTH = sql`
  i.id, i.platform, i.tenant, i.app, i.name, i.is_org_wide as "isOrgWide", i.source, i.state,
  i.state_code as "stateCode", ${ms('i.state_at')} as "stateAtMs", i.locale,
  ${ms('i.installed_at')} as "installedAtMs", ${ms('i.credentials_expire_at')} as "tokenExpiresAtMs",
  ${ms('i.refreshed_at')} as "refreshedAtMs", i.refresh_code as "refreshCode", i.scopes,
  (select count(*)::int from (select 1 from deliveries d where d.installation_id = i.id and d.settled_at is null
                               limit ${sql.lit(WAITING_LIMIT)}) w) as "waitingCount",
  (select ${ms('min(d.accepted_at)')} from deliveries d
    where d.installation_id = i.id and d.settled_at is null) as "oldestWaitingAtMs"`

/** A page of installations in the order of their ids. Null `scope`: all. */
export async function listInstallationHealth(
  db: Database,
  scope: readonly string[] | null,
  page: InstallationPage,
): Promise<readonly InstallationHealth[]> {
  const mine = scope === null ? sql`true` : sql`i.id = any (${[...scope]}::text[])`
  const after = page.afterId === null ? sql`true` : sql`i.id > ${page.afterId}`
  const state = page.state === null ? sql`true` : sql`i.state = ${page.state}`
  // The page is cut before anything is counted.
  const { rows } = await sql<HealthRow>`
    select ${HEALTH}
      from (select * from installations i where ${mine} and ${after} and ${state} order by i.id limit ${page.limit}) i
     order by i.id`.execute(db)
  return rows.map(healthOf)
}

/** One installation, or null. */
export async function showInstallationHealth(db: Database, id: string): Promise<InstallationHealth | null> {
  const { rows } = await sql<HealthRow>`select ${HEALTH} from installations i where i.id = ${id}`.execute(db)
  const [row] = rows
  return row === undefined ? null : healthOf(row)
}

function healthOf(row: HealthRow): InstallationHealth {
  return { ...row, scopes: row.scopes ?? [] }
}
