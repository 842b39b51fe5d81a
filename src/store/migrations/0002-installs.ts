/**
 * Installing by many customers: leases around token refreshes, workspaces of organization-wide installations, keys of
 * producers, states of installations under way, events seen, and what a platform gives to an app rather than to one
 * of its installations (sealed).
 */
export const INSTALLS = `
alter table installations
  add column scopes text[],
  add column refresh_owner text,
  add column refresh_until timestamptz,
  add column refreshed_at timestamptz,
  add column refresh_code text;

create table workspaces (
  installation_id text not null references installations (id) on delete cascade,
  workspace text not null,
  name text,
  seen_at timestamptz not null default now(),
  primary key (installation_id, workspace)
);
create index workspaces_by_workspace on workspaces (workspace);

create table api_keys (
  id text primary key,
  hash text not null unique,
  name text not null,
  rights text[] not null,
  installation_ids text[],
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create table install_states (
  hash text primary key,
  app text not null,
  options jsonb not null,
  expires_at timestamptz not null
);
create index install_states_by_expiry on install_states (expires_at);

create table seen_events (
  source text not null,
  id text not null,
  seen_at timestamptz not null default now(),
  primary key (source, id)
);
create index seen_events_by_age on seen_events (seen_at);

create table app_secrets (
  platform text not null check (platform in ('slack', 'lark')),
  app text not null,
  name text not null,
  sealed text not null,
  updated_at timestamptz not null default now(),
  primary key (platform, app, name)
);
`
