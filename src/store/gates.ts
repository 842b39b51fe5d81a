import { sql } from 'kysely'
import type { Gate, Ledger } from '../deliver/ledger.js'
import type { Database } from './database.js'

/**
 * Not-before rows shared by all workers. A gate only ever moves later while it is closed. Waits go in and out, so that
 * every worker keeps them by its own clock and the database by its own.
 */
export function gateStore(db: Database, now: () => number): Pick<Ledger, 'closeGate' | 'gates'> {
  return {
    async closeGate(gate) {
      const { rows } = await sql<{ wasOpen: boolean }>`
        with known as (select not_before from gates where scope = ${gate.scope} for update)
        insert into gates (scope, installation_id, not_before, code)
        values (${gate.scope}, ${gate.installationId}, now() + ${gate.notBeforeMs - now()}::float8 * interval '1 millisecond', ${gate.code})
        on conflict (scope) do update
           set not_before = greatest(gates.not_before, excluded.not_before), code = excluded.code, closed_at = now()
        returning not exists (select 1 from known where not_before > now()) as "wasOpen"`.execute(db)
      return rows[0]?.wasOpen ?? true
    },

    async gates() {
      // Before the question: an answer that took long must not keep a gate closed for longer.
      const nowMs = now()
      const { rows } = await sql<Omit<Gate, 'notBeforeMs'> & { readonly waitMs: number }>`
        select scope, installation_id as "installationId", code,
               (extract(epoch from not_before - now()) * 1000)::float8 as "waitMs"
          from gates where not_before > now()`.execute(db)
      return rows.map(({ waitMs, ...gate }) => ({ ...gate, notBeforeMs: nowMs + waitMs }))
    },
  }
}
