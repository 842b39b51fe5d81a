import { sql } from 'kysely'
import type { Database } from './database.js'

/** What asking for the right to refresh a token found. */
export type RefreshClaim =
  /** Ours until the lease ends. `sealed`: what is stored now. */
  | { readonly kind: 'mine'; readonly sealed: string; readonly refreshedAgoMs: number | null }
  /** Another process is at it, or a failure is being waited out. */
  | {
      readonly kind: 'taken'
      readonly untilMs: number
      readonly isFailure: boolean
      readonly code: string | null
    }
  /** Removed, or there is nothing to refresh. */
  | { readonly kind: 'gone' }

/**
 * The right to refresh one installation's token: a refresh token works once, so one process at a time uses it. The
 * row is locked for a moment only; no transaction is open while the platform is called.
 */
export interface RefreshLeases {
  claim(installationId: string, owner: string, leaseMs: number): Promise<RefreshClaim>
  /** Stores the new credentials unless others were stored meanwhile (a new install); true when stored. */
  complete(
    installationId: string,
    before: string,
    after: { readonly sealed: string; readonly expiresAtMs: number | null },
  ): Promise<boolean>
  /** Gives the right back unused. */
  release(installationId: string, owner: string): Promise<void>
  /** Makes a failure visible on the installation and lets the next try begin after `retryMs`. */
  fail(installationId: string, owner: string, code: string, retryMs: number): Promise<void>
}

export function refreshLeases(db: Database): RefreshLeases {
  return {
    async claim(id, owner, leaseMs) {
      const { rows } = await sql<{
        isMine: boolean
        sealed: string
        until: Date | null
        owner: string | null
        code: string | null
      }>`
        with mine as (
          update installations
             set refresh_owner = ${owner}, refresh_until = now() + ${leaseMs} * interval '1 millisecond'
           where id = ${id} and state <> 'removed' and credentials is not null
             and (refresh_until is null or refresh_until <= now())
          returning id
        )
        select exists (select 1 from mine) as "isMine", credentials as sealed, 
               refresh_until as until, refresh_owner as owner, refresh_code as code
          from installations where id = ${id} and state <> 'removed' and credentials is not null`.execute(db)
      const [row] = rows
      if (row === undefined) return { kind: 'gone' }
      if (row.isMine) {
        // Read again: another process may have finished between this statement's snapshot and its lock.
        const current = await db
          .selectFrom('installations')
          .select([
            'credentials',
            sql<number | null>`(extract(epoch from now() - refreshed_at) * 1000)::float8`.as(
              'refreshedAgoMs',
            ),
          ])
          .where('id', '=', id)
          .executeTakeFirst()
        if (current?.credentials == null) return { kind: 'gone' }
        return {
          kind: 'mine',
          sealed: current.credentials,
          refreshedAgoMs: current.refreshedAgoMs,
        }
      }
      return {
        kind: 'taken',
        untilMs: row.until?.getTime() ?? 0,
        isFailure: row.owner === null && row.code !== null,
        code: row.code,
      }
    },

    async complete(id, before, after) {
      const { numUpdatedRows } = await db
        .updateTable('installations')
        .set({
          credentials: after.sealed,
          credentials_expire_at: after.expiresAtMs === null ? null : new Date(after.expiresAtMs),
          refreshed_at: sql`now()`,
          refresh_owner: null,
          refresh_until: null,
          refresh_code: null,
          updated_at: sql`now()`,
        })
        .where('id', '=', id)
        .where('credentials', '=', before)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async release(id, owner) {
      await db
        .updateTable('installations')
        .set({ refresh_owner: null, refresh_until: null })
        .where('id', '=', id)
        .where('refresh_owner', '=', owner)
        .execute()
    },

    async fail(id, owner, code, retryMs) {
      await db
        .updateTable('installations')
        .set({
          refresh_owner: null,
          refresh_until: sql<Date>`now() + ${retryMs} * interval '1 millisecond'`,
          refresh_code: code,
          updated_at: sql`now()`,
        })
        .where('id', '=', id)
        .where('refresh_owner', '=', owner)
        .execute()
    },
  }
}
