import type { Pool } from 'pg'

export interface Seeded {
  readonly deliveries: number
  /** A busy installation (a third of all), and a quiet one. */
  readonly busyInstallation: string
  readonly quietInstallation: string
}

const INSTALLATIONS = 250
const CONVERSATIONS = 20_000
const BATCH = 100_000
const SPAN = '30 days'

/** A month of deliveries, most of them answers, spread unevenly over installations; parts, attempts and receipts too. */
export async function seedDeliveries(
  pool: Pool,
  count: number,
  progress: (done: number) => void,
): Promise<Seeded> {
  await pool.query(
    `insert into installations (id, platform, tenant, name, source, state, state_code)
     select case when n % 5 = 0 then 'lark:t' else 'slack:T' end || n, case when n % 5 = 0 then 'lark' else 'slack' end,
            't' || n, 'Workspace ' || n, 'install', case when n % 50 = 49 then 'parked' else 'active' end,
            case when n % 50 = 49 then 'token_revoked' end
       from generate_series(1, $1) n`,
    [INSTALLATIONS],
  )
  for (let from = 1; from <= count; from += BATCH) {
    await pool.query(SEED, [from, Math.min(count, from + BATCH - 1), count])
    progress(Math.min(count, from + BATCH - 1))
  }
  await pool.query('vacuum analyze')
  return { deliveries: count, busyInstallation: 'slack:T1', quietInstallation: 'slack:T202' }
}

/** $1 to $2 of $3 deliveries. A third goes to the first installation; every 200th ends badly; the newest still wait. */
const SEED = `
with given as (
  select n, now() - interval '${SPAN}' * (1 - n::float8 / $3) as at,
         case when n % 3 = 0 then 1 else 1 + (n::bigint * 7919 % ${INSTALLATIONS})::int end as i,
         (n::bigint * 104729 % ${CONVERSATIONS})::int as c
    from generate_series($1::int, $2::int) n
),
shaped as (
  select *, case when i % 5 = 0 then 'lark:t' else 'slack:T' end || i as installation,
         'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 20, '0') as id,
         case when n > $3 - 2000 and i % 50 = 49 then 'parked' when n > $3 - 500 then 'accepted'
              when n % 200 = 7 then 'dead' when n % 211 = 5 then 'expired'
              when n % 12 = 1 then 'dropped' else 'delivered' end as state
    from given
),
written as (
  insert into deliveries (id, lane_key, installation_id, run_id, attempt, conversation_key, producer, run, run_hash,
                          state, reason, decision, surface, locale, locale_from, conversation_id, accepted_at, planned_at,
                          settled_at, expires_at)
  select id, installation || '|C' || c, installation, 'run_' || n, 1, installation || '|C' || c, 'bench',
         jsonb_build_object('runId', 'run_' || n, 'trigger', jsonb_build_object('kind', 'user'),
                            'outcome', jsonb_build_object('status', 'completed', 'output', repeat('An answer. ', 40))),
         md5(id), state,
         case state when 'dropped' then (array['silent_channel', 'superseded', 'retry_pending'])[1 + n % 3]
                    when 'dead' then (array['invalid_blocks', 'channel_not_found', 'unknown_outcome'])[1 + n % 3]
                    when 'expired' then 'expired' when 'parked' then 'token_revoked' end,
         case when state = 'dropped' then '{"kind": "drop", "why": "silent_channel", "silence": "no_output"}'::jsonb
              else jsonb_build_object('kind', 'relay', 'text', repeat('An answer. ', 40)) end,
         'channel', 'en', 'conversation', 'C' || c, at, at, case when state in ('accepted', 'parked') then null else at end,
         at + interval '1 day'
    from shaped
),
parts as (
  insert into parts (delivery_id, index, part, state, attempt, sent_at, message_id)
  select id, 0, jsonb_build_object('kind', 'message', 'rung', 'rich', 'markdown', repeat('An answer. ', 40),
                                   'content', jsonb_build_object('text', repeat('An answer. ', 40))),
         case when state = 'delivered' then 'sent' else 'failed' end, 1, at, '1732960000.' || lpad(n::text, 6, '0')
    from shaped where state in ('delivered', 'dead')
),
attempts as (
  insert into attempts (delivery_id, part_index, number, method, started_at, ended_at, outcome, code)
  select id, 0, 1, 'chat.postMessage', at, at, case when state = 'dead' then 'content' else 'sent' end,
         case when state = 'dead' then 'invalid_blocks' end
    from shaped where state in ('delivered', 'dead')
)
insert into receipts (kind, delivery_id, installation_id, producer, body, created_at)
select 'delivery.' || state, id, installation, 'bench',
       jsonb_build_object('deliveryId', id, 'runId', 'run_' || n, 'decision', case when state = 'dropped' then 'drop' else 'relay' end,
                          'why', case when state = 'dropped' then 'silent_channel' end, 'state', state,
                          'reason', case when state = 'dropped' then 'silent_channel' end, 'parts', '[]'::jsonb), at
  from shaped where state not in ('accepted', 'parked')`
