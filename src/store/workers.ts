import { sql } from 'kysely'
import type { Claimant, LaneClaim, Ledger } from '../deliver/ledger.js'
import type { Database } from './database.js'
import { isFree } from './lane-state.js'

/** Lanes of inactive installations settled in one sweep; the rest have their turn in the next. */
const OVERDUE_PER_SWEEP = 64

/** Unsettled deliveries whose lanes one sweep looks after; the next goes on where it ends, so that none is never seen. */
const REARM_PAGE = 2_000

/** Who is alive, and what has lain too long. */
export function workerStore(db: Database): Pick<Ledger, 'beat' | 'reap' | 'sweep'> {
  /** The lane where the last sweep's page ended. */
  let sweptTo = ''

  return {
    async beat(workerId) {
      const { rows } = await sql<{ known: boolean }>`
        with known as (select 1 from workers where id = ${workerId})
        insert into workers (id, lock_key) values (${workerId}, hashtextextended(${workerId}, 0))
        on conflict (id) do update set seen_at = now()
        returning exists (select 1 from known) as known`.execute(db)
      return rows[0]?.known ?? false
    },

    async reap(staleMs, deadMs) {
      const { rows } = await sql<{ dead: number }>`
        with silent as (
          select id, lock_key, seen_at from workers where seen_at < now() - ${staleMs} * interval '1 millisecond'
             for update skip locked
        ),
        dead as (
          delete from workers w using silent s
           where w.id = s.id
             and (s.seen_at < now() - ${deadMs} * interval '1 millisecond' or pg_try_advisory_xact_lock(s.lock_key))
          returning w.id
        )
        select count(*)::int as dead from dead`.execute(db)
      return rows[0]?.dead ?? 0
    },

    async sweep(claimant: Claimant) {
      const { rows } = await sql<{
        woken: number
        rearmed: number
        overdue: readonly LaneClaim[]
        sweptTo: string | null
      }>`
        with late as materialized (
          select d.lane_key, i.state from deliveries d join installations i on i.id = d.installation_id
           where d.settled_at is null and d.expires_at <= now()
             and not exists (select 1 from deliveries e
                              where e.lane_key = d.lane_key and e.settled_at is null and e.seq < d.seq)
             -- What stands half in the chat is finished first; see HALF_SENT_GRACE_MS.
             and (d.expires_at <= now() - interval '24 hours'
                  or not exists (select 1 from parts p
                                  where p.delivery_id = d.id and p.state in ('sending', 'unknown', 'sent')))
           order by d.expires_at limit 500
        ),
        woken as (
          update lanes l set ready_at = now()
           where l.key in (select key from lanes l
                            where ${isFree(claimant)} and (ready_at is null or ready_at > now())
                              and key in (select lane_key from late where state = 'active')
                              for update skip locked)
          returning 1
        ),
        taken as (
          select key from lanes l
           where ${isFree(claimant)} and key in (select lane_key from late where state <> 'active')
           limit ${OVERDUE_PER_SWEEP} for update skip locked
        ),
        overdue as (
          update lanes l set owner = ${claimant.workerId}, epoch = l.epoch + 1, ready_at = least(l.ready_at, now()), is_told = false
            from taken where l.key = taken.key
          returning l.key, l.epoch, l.installation_id
        ),
        page as materialized (
          select lane_key, state, accepted_at from deliveries
           where settled_at is null and lane_key > ${sweptTo}
           order by lane_key, seq limit ${REARM_PAGE}
        ),
        rearmed as (
          update lanes l set ready_at = now()
           where l.key in (select key from lanes l
                            where l.ready_at is null and ${isFree(claimant)}
                              and key in (select lane_key from page
                                           where (state in ('accepted', 'planned', 'delivering')
                                                  -- An owner that died may have been about to work on anything.
                                                  or l.owner is not null)
                                             and accepted_at < now() - interval '5 seconds')
                              and key not in (select key from taken)
                              for update skip locked)
          returning 1
        ),
        forgotten as (delete from gates where not_before < now() - interval '1 hour')
        select (select count(*) from woken)::int as woken, (select count(*) from rearmed)::int as rearmed,
               (select case when count(*) = ${REARM_PAGE}::int then max(lane_key) end from page) as "sweptTo",
               (select coalesce(jsonb_agg(jsonb_build_object(
                         'key', key, 'epoch', epoch, 'installationId', installation_id)), '[]') from overdue) as overdue`.execute(
        db,
      )
      const { sweptTo: end, ...swept } = rows[0] ?? { sweptTo: null, woken: 0, rearmed: 0, overdue: [] }
      sweptTo = end ?? ''
      return swept
    },
  }
}
