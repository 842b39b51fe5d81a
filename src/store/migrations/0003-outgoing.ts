/**
 * What goes out to producers and what comes back from readers: webhook endpoints and their messages, presses of
 * buttons, and the indexes that lists and cursors read by.
 */
export const OUTGOING = `
create index receipts_by_commit on receipts (transaction_id, id);
create index receipts_by_installation on receipts (installation_id, transaction_id, id);
create unique index deliveries_by_seq on deliveries (seq);

create table webhook_endpoints (
  id text primary key,
  url text not null,
  secret text not null,
  kinds text[],
  installation_ids text[],
  may_be_private boolean not null default false,
  state text not null default 'active' check (state in ('active', 'disabled')),
  state_code text,
  state_at timestamptz not null default now(),
  failing_since timestamptz,
  not_before timestamptz,
  last_success_at timestamptz,
  cursor_transaction xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  cursor_id bigint not null default 0,
  created_by text,
  created_at timestamptz not null default now()
);

create table webhook_messages (
  id bigint generated always as identity primary key,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  receipt_id bigint not null references receipts (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  claimed_until timestamptz,
  claimed_by text,
  code text,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  unique (endpoint_id, receipt_id)
);
create index webhook_messages_due on webhook_messages (endpoint_id, due_at) where state = 'pending';
create index webhook_messages_by_receipt on webhook_messages (receipt_id);
create index webhook_messages_by_end on webhook_messages (ended_at) where ended_at is not null;

create table button_presses (
  delivery_id text not null references deliveries (id) on delete cascade,
  button text not null check (button in ('continue', 'retry', 'good', 'bad')),
  pressed_for text not null,
  person text not null,
  pressed_at timestamptz not null default now(),
  shown_at timestamptz,
  show_at timestamptz,
  show_tries integer not null default 0,
  primary key (delivery_id, button, pressed_for)
);
create index button_presses_to_show on button_presses (show_at) where show_at is not null;
`
