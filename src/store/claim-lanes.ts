import { sql } from 'kysely'
import type { Head, LaneClaim } from '../deliver/ledger.js'
import type { Database } from './database.js'
import { HEAD_COLUMNS, HEAD_JOINS, type HeadRow, headOf } from './lane-head.js'

/** A claimed lane, with its head where that is known for certain; null: read it. */
export interface ClaimedLane {
  readonly lane: LaneClaim
  readonly head: Head | null
}

/** What one walk over the installations brought. */
export interface Claimed {
  readonly lanes: readonly ClaimedLane[]
  /** The last installation looked at, when there may be others behind it; null at the end. */
  readonly walkedTo: string | null
}

type ClaimRow = HeadRow & {
  readonly walkedTo: string | null
  /** Null in the one row that says that nothing was claimed. */
  readonly laneKey: string | null
  readonly epoch: number
  readonly installationId: string
  readonly isCurrent: boolean
}

/** Installations looked at in one claim; the rest have their turn in the next ones. */
const INSTALLATIONS_PER_CLAIM = 64

/**
 * Lanes of one installation that may be worked on at the same time in the seconds after its gate opened again: one
 * probe first, then more, so that a pause does not end in a herd.
 */
const SLOW_START = [1, 4, 16] as const

/**
 * Claims up to `limit` due lanes for `workerId`, longest due first within an installation and an equal share for each
 * installation, starting after `cursor` and wrapping around. Lanes another worker is claiming are skipped, not waited
 * for. The cost does not depend on the backlog: each step is an index probe (partial index `lanes_ready`).
 *
 * Installations that are parked or whose gate is closed are passed over.
 *
 * The head of each lane comes with it, which saves every delivery a round trip.
 */
export async function claimLanes(
  db: Database,
  options: { readonly workerId: string; readonly limit: number; readonly cursor: string },
): Promise<Claimed> {
  const { rows } = await sql<ClaimRow>`/* claim lanes */
    with recursive walk as (
      (select installation_id, 1 as step from lanes
        where owner is null and ready_at is not null and installation_id > ${options.cursor}
        order by installation_id limit 1)
      union all
      select (select l.installation_id from lanes l
               where l.owner is null and l.ready_at is not null and l.installation_id > walk.installation_id
               order by l.installation_id limit 1), walk.step + 1
        from walk
       where walk.installation_id is not null and walk.step < ${INSTALLATIONS_PER_CLAIM}::int
    ),
    open_installations as (
      select i.id,
             case when d.key is null then 0
                  when g.not_before is null then ${options.limit}::bigint
                  when now() < g.not_before then 0
                  else greatest(0, (case floor(extract(epoch from now() - g.not_before))
                                     when 0 then ${SLOW_START[0]}::bigint when 1 then ${SLOW_START[1]}::bigint else ${SLOW_START[2]}::bigint end)
                       - (select count(*) from lanes o where o.owner is not null and o.installation_id = i.id))
             end as most
        from walk
        cross join lateral (
          select id from installations where id = walk.installation_id and state = 'active' limit 1
        ) i
        -- Who has nothing due takes no share.
        left join lateral (
          select key from lanes
           where installation_id = i.id and owner is null and ready_at is not null and ready_at <= now() limit 1
        ) d on true
        left join lateral (
          select max(not_before) as not_before from gates
           where installation_id = i.id and scope = i.id and not_before > now() - interval '3 seconds'
        ) g on true
    ),
    share as (
      select ceil(${options.limit}::numeric / greatest(1, count(*)))::bigint as each from open_installations where most > 0
    ),
    due as (
      select l.key
        from open_installations o
        cross join share
        cross join lateral (
          select key from lanes
           where installation_id = o.id and owner is null and ready_at is not null and ready_at <= now()
           order by ready_at
           limit least(o.most, share.each)
             for update skip locked
        ) l
       limit ${options.limit}
    ),
    claimed as (
      update lanes
         set owner = ${options.workerId}, epoch = lanes.epoch + 1, ready_at = null
       where lanes.key = any (array(select key from due)) and lanes.owner is null
      returning lanes.key, lanes.epoch, lanes.installation_id
    )
    -- seen is the lane as it was when this statement began: when another worker had it in between, the delivery
    -- seen with it may have been settled since.
    select (select case when max(step) = ${INSTALLATIONS_PER_CLAIM}::int then max(installation_id) end
              from walk) as "walkedTo", heads.*
      from (select) one
      left join (
        select claimed.key as "laneKey", claimed.epoch, claimed.installation_id as "installationId",
               claimed.epoch = seen.epoch + 1 as "isCurrent", ${HEAD_COLUMNS}
          from claimed cross join lateral (select epoch from lanes where key = claimed.key limit 1) seen ${HEAD_JOINS}
      ) heads on true`.execute(db)
  return { lanes: rows.flatMap(laneOf), walkedTo: rows[0]?.walkedTo ?? null }
}

function laneOf({
  walkedTo: _,
  laneKey,
  epoch,
  installationId,
  isCurrent,
  ...row
}: ClaimRow): readonly ClaimedLane[] {
  if (laneKey === null) return []
  return [{ lane: { key: laneKey, epoch, installationId }, head: isCurrent ? headOf(row) : null }]
}
