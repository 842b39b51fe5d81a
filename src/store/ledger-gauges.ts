import { sql } from 'kysely'
import type { LedgerGauges } from '../observe/gauges.js'
import type { Database } from './database.js'
import { HAS_NO_LIVING_OWNER } from './lane-state.js'

/** Bounds of one look: rows read, not rows there are. */
const BOUNDS = {
  /** Oldest open deliveries looked at; with more parked ones than that, the age shown is the youngest of these. */
  oldest: 2_000,
  open: 100_000,
  check: 1_000,
  installations: 1_000,
} as const

/** Deliveries that ended longer ago than this may have lost their receipts to pruning. */
const CHECK_HOURS = 24

interface Row {
  readonly oldest: { readonly slack: number | null; readonly lark: number | null }
  readonly open: number
  readonly gates: { readonly slack: number; readonly lark: number }
  readonly parked: { readonly slack: number; readonly lark: number }
  readonly lateLaneMs: number
  readonly check: {
    readonly accepted: number
    readonly open: number
    readonly delivered: number
    readonly dropped: number
    readonly dead: number
    readonly expired: number
  }
  readonly webhooksDisabled: number
  readonly lateWebhookMs: number
}

const AGE_MS = (column: string) => sql.raw(`(extract(epoch from now() - ${column}) * 1000)::float8`)

/** Reads every figure in one statement and one snapshot. */
export async function readLedgerGauges(db: Database): Promise<LedgerGauges> {
  const { rows } = await sql<Row>`
    with oldest as materialized (
      select d.accepted_at, i.platform, i.state
        from (select accepted_at, installation_id from deliveries where settled_at is null
               order by accepted_at limit ${BOUNDS.oldest}) d
        join installations i on i.id = d.installation_id
    ),
    recent as materialized (
      select d.settled_at is null as is_open,
             case when d.settled_at is not null then (
               select r.kind from receipts r where r.delivery_id = d.id and r.kind like 'delivery.%'
                order by r.id desc limit 1) end as told
        from (select id, settled_at from deliveries order by seq desc limit ${BOUNDS.check}) d
       where d.settled_at is null or d.settled_at > now() - make_interval(hours => ${CHECK_HOURS})
    ),
    due as (
      select (select min(l.ready_at) from lanes l
               where l.installation_id = i.id and l.ready_at is not null and ${HAS_NO_LIVING_OWNER}) as ready_at
        from (select id from installations
               where state = 'active'
                 and not exists (select 1 from gates g where g.scope = installations.id and g.not_before > now())
               limit ${BOUNDS.installations}) i
    )
    select
      (select jsonb_build_object(
         'slack', max(${AGE_MS('accepted_at')}) filter (where platform = 'slack' and state = 'active'),
         'lark', max(${AGE_MS('accepted_at')}) filter (where platform = 'lark' and state = 'active')) from oldest) as oldest,
      (select count(*)::int from (select 1 from deliveries where settled_at is null limit ${BOUNDS.open}) o) as open,
      (select jsonb_build_object('slack', count(*) filter (where i.platform = 'slack'),
                                 'lark', count(*) filter (where i.platform = 'lark'))
         from gates g join installations i on i.id = g.installation_id where g.not_before > now()) as gates,
      (select jsonb_build_object('slack', count(*) filter (where platform = 'slack'),
                                 'lark', count(*) filter (where platform = 'lark'))
         from installations where state = 'parked') as parked,
      coalesce((select max(greatest(0, ${AGE_MS('ready_at')})) from due), 0) as "lateLaneMs",
      (select jsonb_build_object('accepted', count(*), 'open', count(*) filter (where is_open),
         'delivered', count(*) filter (where told = 'delivery.delivered'),
         'dropped', count(*) filter (where told = 'delivery.dropped'),
         'dead', count(*) filter (where told = 'delivery.dead'),
         'expired', count(*) filter (where told = 'delivery.expired')) from recent) as "check",
      (select count(*)::int from webhook_endpoints where state = 'disabled') as "webhooksDisabled",
      coalesce((select max(greatest(0, ${AGE_MS('m.due_at')})) from webhook_endpoints e
         cross join lateral (select due_at from webhook_messages
                              where endpoint_id = e.id and state = 'pending' order by due_at limit 1) m
        where e.state = 'active'), 0) as "lateWebhookMs"`.execute(db)
  const [row] = rows
  if (row === undefined) throw new TypeError('a select without a table answers one row')
  const { accepted, open, ...ended } = row.check
  return {
    oldestMs: row.oldest,
    open: row.open,
    gatesClosed: row.gates,
    parkedInstallations: row.parked,
    lateLaneMs: row.lateLaneMs,
    check: { accepted, open, ended },
    webhooksDisabled: row.webhooksDisabled,
    lateWebhookMs: row.lateWebhookMs,
  }
}
