import type { Job, PgBoss } from 'pg-boss'

/** Where producers that share the database put completed runs, and where those go that cannot be read. */
export const RUNS_QUEUE = 'agent-runs'
export const DEAD_RUNS_QUEUE = 'agent-runs-dead'

/** A job that was taken by a process that died is taken again after this, in seconds. */
const EXPIRE_SECONDS = 60

/** Longest a run or a dead letter waits in the queue before pg-boss deletes it, in seconds. */
const RETENTION_SECONDS = 30 * 86_400

/** Makes a queue of ours unless it is there. */
export async function ensureQueue(boss: PgBoss, name: string): Promise<void> {
  if ((await boss.getQueue(name)) !== null) return
  const made = boss.createQueue(name, {
    policy: 'standard',
    expireInSeconds: EXPIRE_SECONDS,
    retentionSeconds: RETENTION_SECONDS,
    retryLimit: 10_000,
    retryBackoff: true,
    retryDelayMax: 60,
  })
  // Another process that starts in the same moment may have been first.
  await made.catch(async (error: unknown) => {
    if ((await boss.getQueue(name)) === null) throw error
  })
}

/** Jobs that were taken and not finished, by a process that died or lost its turn, are offered again, in their order. */
export async function offerAgain(boss: PgBoss): Promise<void> {
  await boss
    .getDb()
    .executeSql(
      `update pgboss.job set state = 'retry', start_after = now() where name = $1 and state = 'active'`,
      [RUNS_QUEUE],
    )
}

/**
 * Jobs by when they were sent, to the microsecond: pg-boss fetches the oldest, but hands them over in any order, and
 * gives their times in milliseconds.
 */
export async function sorted(boss: PgBoss, jobs: readonly Job<unknown>[]): Promise<readonly Job<unknown>[]> {
  const { rows } = await boss
    .getDb()
    .executeSql('select id from pgboss.job where name = $1 and id = any($2::uuid[]) order by created_on', [
      RUNS_QUEUE,
      jobs.map(({ id }) => id),
    ])
  const places = new Map(rows.map((row: { readonly id: string }, place) => [row.id, place]))
  return jobs.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
}
