/** Sessions of the console, known to every process, and the indexes its overview reads by. */
export const CONSOLE = `
create table console_sessions (
  hash text primary key,
  key_id text references api_keys (id) on delete cascade,
  proof text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index console_sessions_by_expiry on console_sessions (expires_at);

create index deliveries_waiting on deliveries (installation_id, accepted_at) where settled_at is null;
create index deliveries_by_reason_and_end_state on deliveries (reason, end_state, seq) where reason is not null;
create index installations_inactive on installations (state_at) where state <> 'active';
`
