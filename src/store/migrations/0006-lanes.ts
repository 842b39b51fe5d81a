/**
 * A claim writes no index: `ready_at` stays while a lane is worked on, and nothing that a claim changes is indexed, so
 * that its update is heap-only (HOT). Before, each claim put a new entry at a random place of `lanes_pkey`, which cost
 * more the larger the backlog. What arms a lane that somebody works on sets `is_told` instead.
 */
export const LANES = `
alter table lanes add column is_told boolean not null default false;
update lanes set ready_at = now() where owner is not null and ready_at is null;
create index lanes_in_line on lanes (installation_id, ready_at) where ready_at is not null;
drop index lanes_ready;
drop index lanes_owned;
`
