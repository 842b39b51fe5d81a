import { sql } from 'kysely'
import type { LaneClaim } from '../deliver/ledger.js'
import type { Database } from './database.js'

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
 */
export async function claimLanes(
  db: Database,
  options: { readonly workerId: string; readonly limit: number; readonly cursor: string },
): Promise<readonly LaneClaim[]> {
  const { rows } = await sql<LaneClaim>`
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
             case when g.not_before is null then ${options.limit}::bigint
                  when now() < g.not_before then 0
                  else greatest(0, (case floor(extract(epoch from now() - g.not_before))
                                     when 0 then ${SLOW_START[0]}::bigint when 1 then ${SLOW_START[1]}::bigint else ${SLOW_START[2]}::bigint end)
                       - (select count(*) from lanes o where o.owner is not null and o.installation_id = i.id))
             end as most
        from walk
        join installations i on i.id = walk.installation_id and i.state = 'active'
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
    )
    update lanes
       set owner = ${options.workerId}, epoch = lanes.epoch + 1, ready_at = null
      from due
     where lanes.key = due.key and lanes.owner is null
    returning lanes.key, lanes.epoch, lanes.installation_id as "installationId"`.execute(db)
  return rows
}
