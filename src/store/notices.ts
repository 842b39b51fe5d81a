import { sql } from 'kysely'
import type { Ledger } from '../deliver/ledger.js'
import type { Database } from './database.js'

/** Completion notices we vouch for: spent once, by the first settled reply in their own conversation. */
export function noticeSpending(db: Database): Pick<Ledger, 'spendNotice'> {
  return {
    async spendNotice(noticeId, conversationKey, deliveryId) {
      const { rows } = await sql<{ spent: boolean }>`
        update notices set state = 'completed', spent_by = ${deliveryId}, spent_at = coalesce(spent_at, now())
         where id = ${noticeId} and conversation_key = ${conversationKey}
           and (state = 'queued' or spent_by = ${deliveryId})
        returning true as spent`.execute(db)
      return rows.length > 0
    },
  }
}
