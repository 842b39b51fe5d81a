/**
 * The ledger. Every table of design.md, plus `lanes` (the queue of conversations with work), `conversations` (what
 * the platform said of them), `receipts` (what producers are told) and `workers` (who is alive).
 */
export const LEDGER = `
create table installations (
  id text primary key,
  platform text not null check (platform in ('slack', 'lark')),
  tenant text not null,
  app text not null default '',
  is_org_wide boolean not null default false,
  enterprise text,
  name text,
  base_url text,
  credentials text,
  credentials_expire_at timestamptz,
  source text not null check (source in ('settings', 'install')),
  state text not null default 'active' check (state in ('active', 'parked', 'removed')),
  state_code text,
  state_at timestamptz not null default now(),
  locale text,
  unknown_policy text check (unknown_policy in ('resend', 'hold')),
  settings jsonb not null default '{}',
  installed_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (platform, tenant, app)
);

create table lanes (
  key text primary key,
  installation_id text not null references installations (id),
  ready_at timestamptz,
  owner text,
  epoch bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index lanes_ready on lanes (installation_id, ready_at) where owner is null and ready_at is not null;
create index lanes_owned on lanes (owner) where owner is not null;

create table deliveries (
  id text primary key,
  seq bigint generated always as identity,
  lane_key text not null,
  installation_id text not null references installations (id),
  run_id text not null,
  attempt integer not null,
  conversation_key text not null,
  producer text,
  run jsonb not null,
  run_hash text not null,
  state text not null default 'accepted'
    check (state in ('accepted', 'planned', 'delivering', 'delivered', 'dropped', 'parked', 'dead', 'expired')),
  reason text,
  decision jsonb,
  cause_key text,
  surface text,
  locale text,
  locale_from text,
  conversation_id text,
  anchor text,
  in_topic boolean not null default false,
  notes jsonb,
  tries integer not null default 0,
  unknown_count integer not null default 0,
  accepted_at timestamptz not null default now(),
  planned_at timestamptz,
  settled_at timestamptz,
  end_state text generated always as (case when settled_at is not null then state end) stored,
  expires_at timestamptz not null,
  unique (run_id, conversation_key, attempt)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
-- No index names a column that changes while a delivery is open: its planning then writes no index at all (HOT).
create index deliveries_open on deliveries (lane_key, seq) where settled_at is null;
create index deliveries_expiry on deliveries (expires_at) where settled_at is null;
create index deliveries_oldest on deliveries (accepted_at) where settled_at is null;
create index deliveries_open_by_seq on deliveries (seq) where settled_at is null;
create index deliveries_by_end_state on deliveries (end_state, seq) where end_state is not null;
create index deliveries_by_installation on deliveries (installation_id, seq);
create index deliveries_by_conversation on deliveries (conversation_key, seq);
create index deliveries_by_reason on deliveries (reason, seq) where reason is not null;
create index deliveries_repeats on deliveries (conversation_key, cause_key, settled_at) where cause_key is not null;

create table parts (
  delivery_id text not null references deliveries (id) on delete cascade,
  index integer not null,
  rendering integer not null default 0,
  part jsonb not null,
  replaces text,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'unknown', 'failed')),
  attempt integer not null default 0,
  epoch bigint not null default 0,
  first_attempt_at timestamptz,
  attempt_at timestamptz,
  sent_at timestamptz,
  message_id text,
  permalink text,
  code text,
  primary key (delivery_id, index)
) with (fillfactor = 70);

create table attempts (
  id bigint generated always as identity primary key,
  delivery_id text not null references deliveries (id) on delete cascade,
  part_index integer not null,
  number integer not null,
  rendering integer not null default 0,
  method text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null default now(),
  outcome text not null,
  code text,
  wait_ms integer,
  vendor_log_id text,
  worker text
);
create index attempts_by_delivery on attempts (delivery_id, id);

create table notices (
  id text primary key,
  installation_id text references installations (id),
  conversation_key text not null,
  content jsonb,
  origin jsonb,
  reply_to text,
  producer text,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted')),
  spent_by text,
  created_at timestamptz not null default now(),
  spent_at timestamptz
);
create index notices_by_age on notices (created_at);

create table gates (
  scope text primary key,
  installation_id text not null,
  not_before timestamptz not null,
  code text not null,
  closed_at timestamptz not null default now()
);
create index gates_by_installation on gates (installation_id, not_before);

create table conversations (
  installation_id text not null references installations (id) on delete cascade,
  conversation_id text not null,
  surface text,
  is_member boolean,
  is_archived boolean not null default false,
  is_topic_group boolean not null default false,
  name text,
  locale text,
  state text not null default 'open' check (state in ('open', 'dead')),
  state_code text,
  checked_at timestamptz not null default now(),
  primary key (installation_id, conversation_id)
);

create table people (
  installation_id text not null references installations (id) on delete cascade,
  person_id text not null,
  direct_id text,
  locale text,
  checked_at timestamptz not null default now(),
  primary key (installation_id, person_id)
);

create table receipts (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  kind text not null,
  delivery_id text,
  installation_id text,
  producer text,
  body jsonb not null,
  created_at timestamptz not null default now()
);
create index receipts_by_delivery on receipts (delivery_id);

create table workers (
  id text primary key,
  lock_key bigint not null,
  seen_at timestamptz not null default now()
);
`
