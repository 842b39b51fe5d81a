import { sql } from 'kysely'
import type { EarlierDelivery, Ledger } from '../deliver/ledger.js'
import type { Database } from './database.js'

const MESSAGES = sql.raw(`(select coalesce(jsonb_agg(p.message_id order by p.index), '[]')
  from parts p where p.delivery_id = d.id and p.state = 'sent' and p.message_id is not null)`)

/** Earlier deliveries of a conversation whose messages a later one edits instead of adding to. */
export function earlierDeliveries(db: Database): Pick<Ledger, 'earlierNotice' | 'repeatOf'> {
  return {
    async earlierNotice(head) {
      const { rows } = await sql<EarlierDelivery>`
        select d.id, ${MESSAGES} as "messageIds", 0 as "repeatCount"
          from deliveries d
         where d.run_id = ${head.run.runId} and d.conversation_key = ${head.conversationKey}
           and d.attempt < ${head.run.attempt} and d.state = 'delivered' and d.decision->>'kind' in ('failure', 'notice')
           -- What also counts the failures of other runs still speaks for them, and stays.
           and not exists (select 1 from deliveries r
                            where r.conversation_key = d.conversation_key and r.cause_key = d.cause_key
                              and r.settled_at >= d.settled_at and r.run_id <> d.run_id and r.reason = 'repeated_failure')
         order by d.attempt desc limit 1`.execute(db)
      return rows.find((row) => row.messageIds.length > 0) ?? null
    },

    async repeatOf(head, causeKey, sinceMs) {
      const { rows } = await sql<EarlierDelivery>`
        select d.id, ${MESSAGES} as "messageIds",
               (select count(*) from deliveries r
                 where r.conversation_key = d.conversation_key and r.cause_key = d.cause_key
                   and r.settled_at >= d.settled_at and r.id <> d.id and r.reason = 'repeated_failure')::int as "repeatCount"
          from deliveries d
         where d.conversation_key = ${head.conversationKey} and d.cause_key = ${causeKey}
           and d.settled_at > to_timestamp(${sinceMs}::float8 / 1000) and d.state = 'delivered' and d.id <> ${head.id}
           -- A later attempt of that run has edited the notice away: its messages show something else now.
           and not exists (select 1 from deliveries u
                            where u.run_id = d.run_id and u.conversation_key = d.conversation_key
                              and u.attempt > d.attempt and u.state = 'delivered')
         order by d.settled_at desc limit 1`.execute(db)
      return rows.find((row) => row.messageIds.length > 0) ?? null
    },
  }
}
