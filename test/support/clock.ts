import type pg from 'pg'

/** A clock that a test moves, in this process and in its database alike. */
export interface TestClock {
  readonly now: () => number
  /** Moves the time on. Living workers stay alive; everything else ages. */
  pass(ms: number): Promise<void>
}

/** Of a database whose `now()` a test may move: schemas in the order they are searched. */
const SEARCH_PATH = 'lastword,clock,public,pg_catalog'

/** The database's address for connections that read the moved time. */
export function withTestClock(url: string): string {
  return `${url}?options=${encodeURIComponent(`-c search_path=${SEARCH_PATH}`)}`
}

/** Lays a `now()` of our own before Postgres's, defaults of columns included. */
export async function installTestClock(pool: pg.Pool): Promise<TestClock> {
  await pool.query(`
    create schema clock;
    create table clock.shift (ms bigint not null);
    insert into clock.shift values (0);
    create function clock.now() returns timestamptz language sql stable as
      $$ select pg_catalog.now() + (select ms from clock.shift) * interval '1 millisecond' $$;
    do $$
    declare each record;
    begin
      for each in select table_name, column_name from information_schema.columns
                   where table_schema = 'lastword' and column_default = 'now()' loop
        execute format('alter table lastword.%I alter column %I set default clock.now()', each.table_name, each.column_name);
      end loop;
    end $$;`)
  let shiftMs = 0
  return {
    now: () => Date.now() + shiftMs,
    async pass(ms) {
      await pool.query(
        `update lastword.workers set seen_at = seen_at + $1::bigint * interval '1 millisecond'`,
        [ms],
      )
      const session = await pool.connect()
      try {
        // Both clocks move at once: until the commit nobody reads the database's, and whoever did has its answer.
        await session.query('begin; lock table clock.shift in access exclusive mode')
        await new Promise(setImmediate)
        await session.query('update clock.shift set ms = ms + $1', [ms])
        shiftMs += ms
        await session.query('commit')
      } finally {
        session.release()
      }
    },
  }
}
