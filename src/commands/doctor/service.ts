import { sql } from 'kysely'
import { placeOfInstallation } from '../../store/credentials.js'
import type { Database } from '../../store/database.js'
import { HAS_NO_LIVING_OWNER } from '../../store/lane-state.js'
import type { Sealer } from '../../store/sealing.js'
import { type Check, note, ok, problem } from './check.js'

/** Oldest due work that is still normal, in seconds. */
const MAX_WAIT_SECONDS = 60

/** The database, the queue in it, and whether stored credentials open. */
export async function checkService(
  db: Database,
  sealer: Sealer,
  nowMs: () => number,
): Promise<readonly Check[]> {
  return [await checkDatabase(db, nowMs), await checkQueue(db), ...(await checkSealed(db, sealer))]
}

async function checkDatabase(db: Database, nowMs: () => number): Promise<Check> {
  const startedAtMs = nowMs()
  const { rows } = await sql<{ version: string; clockMs: number }>`
    select current_setting('server_version') as version,
           (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs"`.execute(db)
  const tookMs = Math.round(nowMs() - startedAtMs)
  const [row] = rows
  const skewMs = Math.abs((row?.clockMs ?? 0) - nowMs())
  if (skewMs > 60_000) {
    return problem(
      'database',
      `its clock is ${Math.round(skewMs / 1_000)} s from this machine's`,
      'set both clocks by NTP: waits and deadlines are reckoned by the database',
    )
  }
  return ok('database', `Postgres ${row?.version ?? '?'}, ${tookMs} ms`)
}

async function checkQueue(db: Database): Promise<Check> {
  const { rows } = await sql<{ open: number; lateSeconds: number | null; dead: number }>`
    select (select count(*) from deliveries where settled_at is null)::float8 as open,
           (select count(*) from deliveries where state = 'dead')::float8 as dead,
           (select extract(epoch from now() - min(l.ready_at)) from lanes l
              join installations i on i.id = l.installation_id and i.state = 'active'
             where ${HAS_NO_LIVING_OWNER} and l.ready_at <= now())::float8 as "lateSeconds"`.execute(db)
  const { open = 0, dead = 0, lateSeconds = null } = rows[0] ?? {}
  if (lateSeconds !== null && lateSeconds > MAX_WAIT_SECONDS) {
    return problem(
      'queue',
      `work has waited for ${Math.round(lateSeconds)} s and nobody takes it`,
      'is `lastword serve` running on this database?',
    )
  }
  if (dead > 0)
    return note('queue', `${open} open, ${dead} dead`, 'see `lastword deliveries list --state dead`')
  return ok('queue', `${open} open`)
}

async function checkSealed(db: Database, sealer: Sealer): Promise<readonly Check[]> {
  const rows = await db
    .selectFrom('installations')
    .select(['id', 'credentials'])
    .where('credentials', 'is not', null)
    .execute()
  if (rows.length === 0) return []
  const opened = await Promise.allSettled(
    rows.map((row) => sealer.open(row.credentials ?? '', placeOfInstallation(row.id))),
  )
  const lost = rows.filter((_, index) => opened[index]?.status === 'rejected').map((row) => row.id)
  if (lost.length > 0) {
    return [
      problem(
        'encryption keys',
        `credentials of ${lost.join(', ')} open with none of the keys`,
        'bring the key they were sealed with back into LASTWORD_ENCRYPTION_KEYS, after the first',
      ),
    ]
  }
  const stale = rows.filter((row) => sealer.kidOf(row.credentials ?? '') !== sealer.kid).length
  if (stale === 0) return [ok('encryption keys', `${rows.length} sealed with ${sealer.kid}`)]
  return [note('encryption keys', `${stale} sealed with an older key`, 'run `lastword keys rotate`')]
}
