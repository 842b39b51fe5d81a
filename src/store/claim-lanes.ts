import { sql } from 'kysely'
import type { Claimant, LaneClaim } from '../deliver/ledger.js'
import type { Database } from './database.js'
import { type FoundHead, HEAD_COLUMNS, HEAD_JOINS, type HeadRow, headOf } from './lane-head.js'
import { isFree } from './lane-state.js'

/** A claimed lane, with its head where that is known; null: read it. */
export interface ClaimedLane {
  readonly lane: LaneClaim
  /** It had an owner, who did not work on it. */
  readonly isTakenOver: boolean
  readonly head: FoundHead | null
}

/** What one walk over the installations brought. */
export interface Claimed {
  readonly lanes: readonly ClaimedLane[]
  /** The last installation looked at, when there may be others behind it; null at the end. */
  readonly walkedTo: string | null
}

type ClaimRow = HeadRow & {
  readonly walkedTo: string | null
  readonly isTakenOver: boolean
  /** Null in the one row that says that nothing was claimed. */
  readonly laneKey: string | null
  readonly epoch: number
  readonly installationId: string
}

/** Installations looked at in one claim; the rest have their turn in the next ones. */
const INSTALLATIONS_PER_CLAIM = 64

/**
 * Lanes of one installation that may be worked on at the same time in the seconds after its gate opened again: one
 * probe first, then more, so that a pause does not end in a herd.
 */
const SLOW_START = [1, 4, 16] as const

/** Lanes at the head of an installation's line among which its owned ones are counted: these are the longest due. */
const OWNED_WITHIN = 256

/**
 * Claims up to `limit` due lanes, longest due first within an installation and an equal share for each installation,
 * starting after `cursor` and wrapping around. Lanes another worker is claiming are skipped, not waited for.
 *
 * The cost does not depend on the backlog: each step is an index probe, lanes that are worked on stand at the head of the
 * line and are few, and a claim writes no index (migration 0006). Rows are found again by their place in the table, which
 * names the version this statement saw: a lane that another worker had in between is left for the next claim. So the
 * head that comes with a lane, which saves a round trip, is its own, unless somebody still owned the lane: what such an
 * owner wrote last may be newer than this statement, and its head is read afterwards.
 *
 * Installations that are parked or whose gate is closed are passed over. A worker that is not known to live gets nothing.
 */
export async function claimLanes(
  db: Database,
  { limit, cursor, ...claimant }: Claimant & { readonly limit: number; readonly cursor: string },
): Promise<Claimed> {
  const { rows } = await sql<ClaimRow>`/* claim lanes */
    with recursive given as materialized (
      -- A limit that no plan knows: with a known one Postgres would plan every claim anew, in a millisecond.
      select ${limit}::bigint as most
    ),
    walk as (
      (select installation_id, 1 as step from lanes l
        where ready_at is not null and ${isFree(claimant)} and installation_id > ${cursor}
        order by installation_id limit 1)
      union all
      select (select l.installation_id from lanes l
               where l.ready_at is not null and ${isFree(claimant)} and l.installation_id > walk.installation_id
               order by l.installation_id limit 1), walk.step + 1
        from walk
       where walk.installation_id is not null and walk.step < ${sql.lit(INSTALLATIONS_PER_CLAIM)}
    ),
    open_installations as (
      select i.id,
             case when d.key is null then 0
                  when g.not_before is null then (select most from given)
                  when now() < g.not_before then 0
                  else greatest(0, (case floor(extract(epoch from now() - g.not_before))
                                     when 0 then ${sql.lit(SLOW_START[0])} when 1 then ${sql.lit(SLOW_START[1])} else ${sql.lit(SLOW_START[2])} end)
                       - (select count(*) from (select key, owner from lanes
                           where installation_id = i.id and ready_at is not null and ready_at <= now()
                           order by ready_at limit ${sql.lit(OWNED_WITHIN)}) l where not ${isFree(claimant)}))
             end as most
        from walk
        cross join lateral (
          select id from installations where id = walk.installation_id and state = 'active' limit 1
        ) i
        -- Who has nothing due takes no share.
        left join lateral (
          select key from lanes l
           where installation_id = i.id and ready_at is not null and ready_at <= now() and ${isFree(claimant)} limit 1
        ) d on true
        left join lateral (
          select max(not_before) as not_before from gates
           where installation_id = i.id and scope = i.id and not_before > now() - interval '3 seconds'
        ) g on true
    ),
    share as (
      select ceil((select most from given)::numeric / greatest(1, count(*)))::bigint as each from open_installations where most > 0
    ),
    due as (
      select l.place, l.key, l.owner
        from open_installations o
        cross join share
        cross join lateral (
          select ctid as place, key, owner from lanes l
           where installation_id = o.id and ready_at is not null and ready_at <= now() and ${isFree(claimant)}
           order by ready_at
           limit least(o.most, share.each)
             for no key update skip locked
        ) l
       limit (select most from given)
    ),
    claimed as (
      update lanes
         set owner = ${claimant.workerId}, epoch = lanes.epoch + 1, is_told = false
       where lanes.ctid = any (array(select place from due))
         and exists (select 1 from workers where id = ${claimant.workerId})
      returning lanes.key, lanes.epoch, lanes.installation_id
    )
    select (select case when max(step) = ${sql.lit(INSTALLATIONS_PER_CLAIM)} then max(installation_id) end
              from walk) as "walkedTo", heads.*
      from (select) one
      left join (
        select claimed.key as "laneKey", claimed.epoch, claimed.installation_id as "installationId",
               due.owner is not null as "isTakenOver", ${HEAD_COLUMNS}
          from claimed join due on due.key = claimed.key ${HEAD_JOINS}
      ) heads on true`.execute(db)
  return { lanes: rows.flatMap(laneOf), walkedTo: rows[0]?.walkedTo ?? null }
}

function laneOf({
  walkedTo: _,
  laneKey,
  epoch,
  installationId,
  isTakenOver,
  ...row
}: ClaimRow): readonly ClaimedLane[] {
  if (laneKey === null) return []
  const lane = { key: laneKey, epoch, installationId }
  return [{ lane, isTakenOver, head: isTakenOver ? null : headOf(row) }]
}
