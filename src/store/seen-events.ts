import { sql } from 'kysely'
import type { Database } from './database.js'

/** Platforms redeliver for about an hour (Slack three times, Lark four times up to 7.1 h); days are kept to be safe. */
const KEEP_DAYS = 3

/** Which events were handled, on whatever process. */
export interface SeenEvents {
  /** Whether this event was handled already. */
  has(source: string, id: string): Promise<boolean>
  /** Notes that it was; after the handling, so that a handling that failed is done again. */
  add(source: string, id: string): Promise<void>
  /** Forgets old ones; returns how many. */
  prune(): Promise<number>
}

export function seenEvents(db: Database): SeenEvents {
  return {
    async has(source, id) {
      const row = await db
        .selectFrom('seen_events')
        .select('id')
        .where('source', '=', source)
        .where('id', '=', id)
        .executeTakeFirst()
      return row !== undefined
    },

    async add(source, id) {
      await db
        .insertInto('seen_events')
        .values({ source, id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async prune() {
      const { numDeletedRows } = await db
        .deleteFrom('seen_events')
        .where('seen_at', '<', sql<Date>`now() - make_interval(days => ${KEEP_DAYS})`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
