/**
 * Completion notices in full: what kind of message they are, the conversation as it was given, and on each delivery
 * the notice it claims and what the ledger said of it.
 */
export const NOTICES = `
alter table notices
  add column kind text not null default 'completion' check (kind in ('completion', 'message', 'task')),
  add column conversation jsonb,
  add column body_hash text not null default '';
create index notices_by_conversation on notices (conversation_key, created_at);

alter table deliveries
  add column notice_id text generated always as (run #>> '{trigger,noticeId}') stored,
  add column notice_finding text;
`
