import { sql } from 'kysely'
import type { Ledger } from '../deliver/ledger.js'
import type { Database } from './database.js'

/** Who is alive, whose lanes are free again, and what has lain too long. */
export function workerStore(db: Database): Pick<Ledger, 'beat' | 'reap' | 'sweep'> {
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
      const { rows } = await sql<{ freed: number }>`
        with silent as (
          select id, lock_key, seen_at from workers where seen_at < now() - ${staleMs} * interval '1 millisecond'
             for update skip locked
        ),
        dead as (
          delete from workers w using silent s
           where w.id = s.id
             and (s.seen_at < now() - ${deadMs} * interval '1 millisecond' or pg_try_advisory_xact_lock(s.lock_key))
          returning w.id
        ),
        freed as (
          update lanes set owner = null, epoch = epoch + 1, ready_at = now()
           where owner in (select id from dead) returning 1
        ),
        stray as (
          update lanes l set owner = null, epoch = epoch + 1, ready_at = now()
           where l.owner is not null and not exists (select 1 from workers w where w.id = l.owner) returning 1
        )
        select (select count(*) from freed)::int + (select count(*) from stray)::int as freed`.execute(db)
      return rows[0]?.freed ?? 0
    },

    async sweep() {
      const { rows } = await sql<{ expired: number; rearmed: number }>`
        with overdue as (
          update lanes l set ready_at = now()
           where l.owner is null and (l.ready_at is null or l.ready_at > now())
             and l.key in (select d.lane_key from deliveries d
                            where d.settled_at is null and d.expires_at <= now() order by d.expires_at limit 500)
          returning 1
        ),
        rearmed as (
          update lanes l set ready_at = now()
           where l.owner is null and l.ready_at is null
             and l.key in (select d.lane_key from deliveries d
                            where d.settled_at is null and d.state in ('accepted', 'planned', 'delivering')
                              and d.accepted_at < now() - interval '5 seconds' order by d.accepted_at limit 500)
          returning 1
        )
        select (select count(*) from overdue)::int as expired, (select count(*) from rearmed)::int as rearmed`.execute(
        db,
      )
      return rows[0] ?? { expired: 0, rearmed: 0 }
    },
  }
}
