import { sql } from 'kysely'
import type { Database } from './database.js'
import { firstIdAt } from './delivery-list.js'

/** Ended deliveries that rates and reasons are read from: the newest, at most a day old. */
export const SAMPLE_LIMIT = 2_000
/** Accepted deliveries are counted up to here. */
export const ACCEPTED_LIMIT = 2_000
const GATE_LIMIT = 20
const INACTIVE_LIMIT = 20
/** Oldest deliveries of one installation looked at for one that is not parked. */
const PARKED_AHEAD_LIMIT = 100
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A worker that has not been seen for this long, in ms, is not counted as alive. */
const ALIVE_MS = 30_000

/** The oldest delivery of a platform that waits and is not parked. */
export interface OldestWaiting {
  readonly platform: 'slack' | 'lark'
  readonly deliveryId: string
  readonly acceptedAtMs: number
}

/** How the newest ended deliveries ended. `kind` is the receipt's, like `delivery.dropped`. */
export interface EndGroup {
  readonly kind: string
  readonly decision: string | null
  readonly why: string | null
  readonly reason: string | null
  readonly dayCount: number
  readonly hourCount: number
}

export interface RecentEnds {
  readonly groups: readonly EndGroup[]
  /** The oldest end looked at; null: there was none in a day. */
  readonly sinceMs: number | null
  /** There were more than were looked at: counts are of the time since `sinceMs`. */
  readonly isSample: boolean
}

export interface ClosedGate {
  readonly scope: string
  readonly installationId: string
  readonly code: string
  readonly notBeforeMs: number
}

export interface InactiveInstallation {
  readonly id: string
  readonly name: string | null
  readonly state: 'parked' | 'removed'
  readonly stateCode: string | null
  readonly stateAtMs: number
}

/** `exact`; `about`: read from the sequence, which may miss numbers; `more`: there are more than were counted. */
export interface AcceptedCount {
  readonly count: number
  readonly precision: 'exact' | 'about' | 'more'
}

export interface Overview {
  readonly oldest: readonly OldestWaiting[]
  readonly acceptedHour: AcceptedCount
  readonly acceptedDay: AcceptedCount
  readonly ends: RecentEnds
  readonly gates: readonly ClosedGate[]
  readonly inactive: readonly InactiveInstallation[]
  readonly aliveWorkers: number
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/**
 * How things stand. Every query is bounded: by an index and a limit, never by the size of a table.
 *
 * @param scope installations the reader may see; null: all
 */
export async function readOverview(
  db: Database,
  scope: readonly string[] | null,
  nowMs: number,
): Promise<Overview> {
  const [oldest, acceptedHour, acceptedDay, ends, gates, inactive, aliveWorkers] = await Promise.all([
    oldestWaiting(db, scope),
    acceptedSince(db, scope, nowMs - HOUR_MS),
    acceptedSince(db, scope, nowMs - DAY_MS),
    recentEnds(db, scope, nowMs),
    closedGates(db, scope, nowMs),
    inactiveInstallations(db, scope),
    countAlive(db, nowMs),
  ])
  return { oldest, acceptedHour, acceptedDay, ends, gates, inactive, aliveWorkers }
}

/** Hops from one installation with waiting deliveries to the next: the others are never looked at. */
async function oldestWaiting(
  db: Database,
  scope: readonly string[] | null,
): Promise<readonly OldestWaiting[]> {
  const { rows } = await sql<OldestWaiting>`
    with recursive waiting as (
      (select installation_id from deliveries where settled_at is null order by installation_id limit 1)
      union all
      select (select d.installation_id from deliveries d
               where d.settled_at is null and d.installation_id > w.installation_id
               order by d.installation_id limit 1)
        from waiting w where w.installation_id is not null
    )
    select distinct on (i.platform) i.platform, o.id as "deliveryId", ${ms('o.accepted_at')} as "acceptedAtMs"
      from waiting w join installations i on i.id = w.installation_id and i.state = 'active'
           cross join lateral (
             select * from (select d.id, d.accepted_at, d.state from deliveries d
                             where d.installation_id = i.id and d.settled_at is null
                             order by d.accepted_at limit ${PARKED_AHEAD_LIMIT}) d
              where d.state <> 'parked' order by d.accepted_at limit 1) o
     where ${within('i.id', scope)}
     order by i.platform, o.accepted_at`.execute(db)
  return rows
}

async function acceptedSince(
  db: Database,
  scope: readonly string[] | null,
  sinceMs: number,
): Promise<AcceptedCount> {
  const first = sql`(select seq from deliveries where id >= ${firstIdAt(sinceMs)} order by id limit 1)`
  const some =
    scope === null
      ? sql`select 1 from deliveries d where d.seq >= ${first} limit ${ACCEPTED_LIMIT}`
      : sql`select 1 from unnest(${[...scope]}::text[]) as mine (id)
              cross join lateral (select 1 from deliveries d where d.installation_id = mine.id and d.seq >= ${first}
                                   limit ${ACCEPTED_LIMIT}) d
             limit ${ACCEPTED_LIMIT}`
  const { rows } = await sql<{ counted: number; span: number }>`
    select (select count(*) from (${some}) d)::int as counted,
           coalesce((select seq from deliveries order by seq desc limit 1) - ${first} + 1, 0)::int as span`.execute(
    db,
  )
  const { counted, span } = rows[0] ?? { counted: 0, span: 0 }
  if (counted < ACCEPTED_LIMIT) return { count: counted, precision: 'exact' }
  return scope === null ? { count: span, precision: 'about' } : { count: ACCEPTED_LIMIT, precision: 'more' }
}

async function recentEnds(db: Database, scope: readonly string[] | null, nowMs: number): Promise<RecentEnds> {
  const columns = sql`r.kind, r.body->>'decision' as decision, r.body->>'why' as why, r.body->>'reason' as reason,
                      r.created_at as at, r.transaction_id, r.id`
  const fresh = sql`r.kind like 'delivery.%' and r.created_at >= ${new Date(nowMs - DAY_MS)}`
  // Cut before it is filtered, so that a quiet day does not read the table from end to end.
  const newest =
    scope === null
      ? sql`(select * from receipts order by id desc limit ${SAMPLE_LIMIT})`
      : sql`(select own.* from unnest(${[...scope]}::text[]) as mine (id) cross join lateral (
               select * from receipts r where r.installation_id = mine.id
                order by r.transaction_id desc, r.id desc limit ${SAMPLE_LIMIT}) own
              order by own.id desc limit ${SAMPLE_LIMIT})`
  const { rows } = await sql<EndGroup & { readonly sinceMs: number; readonly looked: number }>`
    with newest as materialized (select ${columns} from ${newest} r where ${fresh})
    select kind, decision, why, reason, count(*)::int as "dayCount",
           (count(*) filter (where at >= ${new Date(nowMs - HOUR_MS)}))::int as "hourCount",
           ${ms('min(min(at)) over ()')} as "sinceMs", (sum(count(*)) over ())::int as looked
      from newest group by kind, decision, why, reason order by "dayCount" desc, kind, decision, why`.execute(
    db,
  )
  const [first] = rows
  return {
    groups: rows.map(({ sinceMs: _since, looked: _looked, ...group }) => group),
    sinceMs: first?.sinceMs ?? null,
    isSample: (first?.looked ?? 0) >= SAMPLE_LIMIT,
  }
}

async function closedGates(
  db: Database,
  scope: readonly string[] | null,
  nowMs: number,
): Promise<readonly ClosedGate[]> {
  const { rows } = await sql<ClosedGate>`
    select scope, installation_id as "installationId", code, ${ms('not_before')} as "notBeforeMs"
      from gates where not_before > ${new Date(nowMs)} and ${within('installation_id', scope)}
     order by not_before desc limit ${GATE_LIMIT}`.execute(db)
  return rows
}

async function inactiveInstallations(
  db: Database,
  scope: readonly string[] | null,
): Promise<readonly InactiveInstallation[]> {
  const { rows } = await sql<InactiveInstallation>`
    select id, name, state, state_code as "stateCode", ${ms('state_at')} as "stateAtMs"
      from installations where state <> 'active' and ${within('id', scope)}
     order by state_at desc limit ${INACTIVE_LIMIT}`.execute(db)
  return rows
}

async function countAlive(db: Database, nowMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workers where seen_at > ${new Date(nowMs - ALIVE_MS)}`.execute(db)
  return rows[0]?.count ?? 0
}

function within(column: string, scope: readonly string[] | null) {
  return scope === null ? sql`true` : sql`${sql.ref(column)} = any (${[...scope]}::text[])`
}
