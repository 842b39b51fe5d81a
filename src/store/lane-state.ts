import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Claimant } from '../deliver/ledger.js'

/** True of a lane `l` without an owner, or with one that is not alive. */
export const HAS_NO_LIVING_OWNER: RawBuilder<SqlBool> = sql`(l.owner is null or l.owner not in (select id from workers))`

/**
 * True of a lane `l` that nobody works on: it has no owner, or one that is not alive, or it is the claimant's own and not
 * held by it, since the answer to a claim or a release was lost with its connection. No index names the owner; see
 * migration 0006.
 */
export function isFree({ workerId, heldKeys }: Claimant): RawBuilder<SqlBool> {
  return sql`(${HAS_NO_LIVING_OWNER}
    or (l.owner = ${workerId} and l.key not in (select unnest(${[...heldKeys]}::text[]))))`
}

/** What an update sets to have a lane worked on at once: now, or again by whoever works on it. */
export const ARMED = sql`ready_at = least(lanes.ready_at, now()), is_told = true`
