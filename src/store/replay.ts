import { type SqlBool, sql } from 'kysely'
import { LastwordError } from '../errors.js'
import { WORK_CHANNEL } from './accept-delivery.js'
import type { Database } from './database.js'
import { ARMED, HAS_NO_LIVING_OWNER } from './lane-state.js'

/** Which given-up deliveries are meant: those of these states, narrowed by everything that is set. */
export interface ReplayFilter {
  readonly ids?: readonly string[] | undefined
  /** Accepted since, ms since the epoch. */
  readonly sinceMs?: number | undefined
  readonly reason?: string | undefined
  readonly installationId?: string | undefined
  /** Installations the asker may act for; absent: all. */
  readonly installationIds?: readonly string[] | undefined
}

export interface ReplayOptions {
  /** How long the replayed have until they expire, in ms. */
  readonly maxAgeMs: number
  /** Send parts again of which nobody can tell whether they stand; else they are looked up again. */
  readonly resendUnknown: boolean
}

/** Groups of deliveries a replay would take up, largest first. */
export interface ReplayGroup {
  readonly installationId: string
  readonly state: string
  readonly reason: string | null
  readonly count: number
}

/** What a replay would take up: the dry run. */
export async function countReplayable(db: Database, filter: ReplayFilter): Promise<readonly ReplayGroup[]> {
  const { rows } = await sql<ReplayGroup>`
    select d.installation_id as "installationId", d.state, d.reason, count(*)::int as count
      from deliveries d where ${matching(filter)}
     group by 1, 2, 3 order by count desc, 1, 3`.execute(db)
  return rows
}

/**
 * Opens the next `limit` given-up deliveries after `afterSeq` again, each in its old place of its conversation. Parts
 * that were sent stay sent. A conversation that had been given up is believed to be back. Interrupted or repeated, it
 * goes on: what is open again no longer matches.
 *
 * @returns their ids, and where to go on; `lastSeq` is null when nothing is left
 */
export async function replayBatch(
  db: Database,
  filter: ReplayFilter,
  options: ReplayOptions,
  page: { readonly afterSeq: number; readonly limit: number },
): Promise<{ readonly ids: readonly string[]; readonly lastSeq: number | null }> {
  const { rows } = await sql<{ id: string; seq: number }>`
    with chosen as materialized (
      select d.id, d.seq, d.lane_key, d.installation_id,
             coalesce(d.conversation_id, d.run #>> '{conversation,place,id}') as place
        from deliveries d
       where d.seq > ${page.afterSeq} and ${matching(filter)}
       order by d.seq limit ${page.limit} for update skip locked
    ),
    armed as (
      insert into lanes (key, installation_id, ready_at)
      select lane_key, min(installation_id), now() from chosen group by lane_key order by lane_key
      on conflict (key) do update set ${ARMED}
      returning key
    ),
    revived as (
      update conversations c set state = 'open', state_code = null
        from chosen where c.installation_id = chosen.installation_id and c.conversation_id = chosen.place
         and c.state = 'dead'
    ),
    freed as (
      update parts p set state = 'pending'
        from chosen
       where p.delivery_id = chosen.id
         and (p.state = 'failed' or (p.state = 'unknown' and ${options.resendUnknown}))
    ),
    opened as (
      update deliveries d
         set state = case when d.decision is null or d.decision->>'kind' = 'drop' then 'accepted' else 'planned' end,
             decision = case when d.decision->>'kind' = 'drop' then null else d.decision end,
             reason = 'replayed', tries = 0, settled_at = null,
             expires_at = greatest(d.expires_at, now() + ${options.maxAgeMs} * interval '1 millisecond')
        from chosen where d.id = chosen.id and d.lane_key in (select key from armed)
      returning d.id, d.seq
    ),
    told as (select pg_notify(${WORK_CHANNEL}, '') where exists (select 1 from opened))
    select o.id, o.seq from opened o left join told on true order by o.seq`.execute(db)
  return { ids: rows.map(({ id }) => id), lastSeq: rows.at(-1)?.seq ?? null }
}

/**
 * Opens one given-up delivery again, in its old place.
 *
 * @throws {LastwordError} `not_found`; `not_replayable` when it was not given up
 */
export async function replayDelivery(db: Database, id: string, options: ReplayOptions): Promise<void> {
  const { ids } = await replayBatch(db, { ids: [id] }, options, { afterSeq: 0, limit: 1 })
  if (ids.length > 0) return
  const known = await db.selectFrom('deliveries').select('state').where('id', '=', id).executeTakeFirst()
  if (known === undefined) throw new LastwordError('not_found', `there is no delivery ${JSON.stringify(id)}`)
  throw new LastwordError('not_replayable', undefined, {
    faults: [{ path: '/id', expected: 'one that was given up or has expired' }],
  })
}

/** Wakes every lane of active installations that owes something accepted since; returns how many. */
export async function armUndelivered(db: Database, sinceMs: number): Promise<number> {
  const { rows } = await sql<{ armed: number }>`
    with owing as (
      select l.key from lanes l join installations i on i.id = l.installation_id
       where ${HAS_NO_LIVING_OWNER} and i.state = 'active'
         and l.key in (select lane_key from deliveries
                        where settled_at is null and accepted_at >= to_timestamp(${sinceMs}::float8 / 1000))
         for update of l skip locked
    ),
    armed as (update lanes set ${ARMED} from owing where lanes.key = owing.key returning 1),
    told as (select pg_notify(${WORK_CHANNEL}, '') where exists (select 1 from owing))
    select count(*)::int as armed from armed left join told on true`.execute(db)
  return rows[0]?.armed ?? 0
}

function matching(filter: ReplayFilter) {
  const moment = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`
  const conditions = [
    sql<SqlBool>`d.end_state in ('dead', 'expired')`,
    filter.ids === undefined ? null : sql<SqlBool>`d.id = any(${[...filter.ids]})`,
    filter.sinceMs === undefined ? null : sql<SqlBool>`d.accepted_at >= ${moment(filter.sinceMs)}`,
    filter.reason === undefined ? null : sql<SqlBool>`d.reason = ${filter.reason}`,
    filter.installationId === undefined ? null : sql<SqlBool>`d.installation_id = ${filter.installationId}`,
    filter.installationIds === undefined
      ? null
      : sql<SqlBool>`d.installation_id = any(${[...filter.installationIds]})`,
  ]
  return sql.join(
    conditions.filter((condition) => condition !== null),
    sql` and `,
  )
}
