import { sql } from 'kysely'
import type { Database } from './database.js'
import { ARMED } from './lane-state.js'

/** The platform says a conversation takes no messages any more. */
export async function closeConversation(
  db: Database,
  installationId: string,
  conversationId: string,
  code: string,
): Promise<void> {
  const isArchived = code === 'is_archived'
  const row = {
    state: 'dead',
    state_code: code,
    checked_at: sql<Date>`now()`,
    ...(isArchived ? { is_archived: true } : { is_member: false }),
  } as const
  await db
    .insertInto('conversations')
    .values({ installation_id: installationId, conversation_id: conversationId, ...row })
    .onConflict((conflict) => conflict.columns(['installation_id', 'conversation_id']).doUpdateSet(row))
    .execute()
}

/**
 * The platform says a conversation takes messages again: what was remembered is forgotten, so that it is asked anew,
 * and what waits for it is tried now.
 *
 * @returns how many lanes were armed
 */
export async function openConversation(
  db: Database,
  installationId: string,
  conversationId: string,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('conversations')
      .where('installation_id', '=', installationId)
      .where('conversation_id', '=', conversationId)
      .execute()
    const { numAffectedRows } = await sql`
      with waiting as materialized (
        select l.key from lanes l
         where l.installation_id = ${installationId}
           and exists (select 1 from deliveries d
                        where d.lane_key = l.key and d.settled_at is null and d.conversation_id = ${conversationId})
         order by l.key for no key update
      )
      update lanes set ${ARMED} from waiting where lanes.key = waiting.key`.execute(tx)
    return Number(numAffectedRows ?? 0n)
  })
}

/** The platform says a conversation has another name. Nothing when it was never asked about. */
export async function renameConversation(
  db: Database,
  installationId: string,
  conversationId: string,
  name: string,
): Promise<void> {
  await db
    .updateTable('conversations')
    .set({ name })
    .where('installation_id', '=', installationId)
    .where('conversation_id', '=', conversationId)
    .execute()
}
