import { sql } from 'kysely'
import { outcomeChars } from '../contract/content-size.js'
import type { AcceptanceLedger, Accepted, NewDelivery } from '../intake/accept.js'
import { createBatcher, MAX_BATCH_CHARS } from './batch.js'
import type { Database } from './database.js'

/** Channel on which workers hear of new work. */
export const WORK_CHANNEL = 'lastword_work'

/** How the ledger takes runs in: many concurrent callers share one statement, one commit and one notification. */
export function acceptanceLedger(db: Database): AcceptanceLedger {
  return {
    accept: createBatcher<NewDelivery, Accepted>({
      flush: (deliveries) => acceptDeliveries(db, deliveries),
      maxItems: 128,
      maxFlushes: 2,
      weigh: ({ run }) => outcomeChars(run.outcome),
      maxWeight: MAX_BATCH_CHARS,
    }),

    async findInstallations(platform, tenant) {
      // Of one app, a workspace's own installation is meant before its organization's.
      const { rows } = await sql<{ id: string; tenant: string }>`
        select id, tenant from (
          select distinct on (app) id, tenant, app from installations i
           where ${tenant}::text is not null and platform = ${platform} and state <> 'removed'
             and (tenant = ${tenant}
               or (is_org_wide and exists (select 1 from workspaces w
                                            where w.installation_id = i.id and w.workspace = ${tenant})))
           order by app, (tenant = ${tenant}) desc
        ) named
        union all
        select id, tenant from installations
         where ${tenant}::text is null and platform = ${platform} and state <> 'removed'
         order by id limit 100`.execute(db)
      return rows
    },
  }
}

/**
 * Inserts deliveries and arms their lanes. The lane rows are locked first, in the order of their keys: within a lane
 * the sequence is the order of commit, and two batches never wait for each other in a circle.
 *
 * A run that stands already is answered with what stands.
 */
export async function acceptDeliveries(
  db: Database,
  deliveries: readonly NewDelivery[],
): Promise<readonly Accepted[]> {
  const input = deliveries.map((delivery) => ({
    ...delivery,
    runId: delivery.run.runId,
    attempt: delivery.run.attempt,
  }))
  const { rows } = await sql<{ id: string; runHash: string; inputId: string }>`/* accept deliveries */
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(input)}::json) as d (
        id text, "installationId" text, "laneKey" text, "conversationKey" text, "conversationId" text,
        "runId" text, attempt int, run jsonb, "runHash" text, producer text, "expiresAtMs" float8)
    ),
    fresh as materialized (
      select i.* from input i
       where (select 1 from deliveries d where d.run_id = i."runId"
                 and d.conversation_key = i."conversationKey" and d.attempt = i.attempt) is null
    ),
    armed as (
      -- A lane that is armed already is only locked, and whoever works on it is told.
      insert into lanes (key, installation_id, ready_at)
      select "laneKey", min("installationId"), now() from fresh group by "laneKey" order by "laneKey"
      on conflict (key) do update set ready_at = coalesce(lanes.ready_at, now()), is_told = true
       where lanes.ready_at is null or (lanes.owner is not null and not lanes.is_told)
      returning 1
    ),
    inserted as (
      insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, conversation_id,
                              producer, run, run_hash, expires_at)
      select f.id, f."laneKey", f."installationId", f."runId", f.attempt, f."conversationKey",
             f."conversationId", f.producer, f.run, f."runHash", to_timestamp(f."expiresAtMs" / 1000)
        from fresh f where (select count(*) from armed) >= 0
      on conflict (run_id, conversation_key, attempt) do nothing
      returning id, run_id, conversation_key, attempt, run_hash
    ),
    told as (select pg_notify(${WORK_CHANNEL}, '') where exists (select 1 from inserted))
    select coalesce(n.id, d.id) as id, coalesce(n.run_hash, d.run_hash) as "runHash", i.id as "inputId"
      from input i
      left join inserted n on n.run_id = i."runId" and n.conversation_key = i."conversationKey"
                          and n.attempt = i.attempt
      left join lateral (
        select id, run_hash from deliveries
         where run_id = i."runId" and conversation_key = i."conversationKey" and attempt = i.attempt limit 1) d on true
      left join told on true`.execute(db)
  const byInput = new Map(rows.map((row) => [row.inputId, row]))
  return Promise.all(deliveries.map((delivery) => answerOf(db, delivery, byInput.get(delivery.id))))
}

/** A run that another transaction committed in the same moment is not in the statement's snapshot: look again. */
async function answerOf(
  db: Database,
  delivery: NewDelivery,
  row: { readonly id: string | null; readonly runHash: string | null } | undefined,
): Promise<Accepted> {
  if (row?.id != null && row.runHash != null) {
    return { deliveryId: row.id, runHash: row.runHash, isNew: row.id === delivery.id }
  }
  const standing = await db
    .selectFrom('deliveries')
    .select(['id', 'run_hash'])
    .where('run_id', '=', delivery.run.runId)
    .where('conversation_key', '=', delivery.conversationKey)
    .where('attempt', '=', delivery.run.attempt)
    .executeTakeFirstOrThrow()
  return { deliveryId: standing.id, runHash: standing.run_hash, isNew: false }
}
