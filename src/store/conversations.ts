import { sql } from 'kysely'
import type { Ledger } from '../deliver/ledger.js'
import type { Database } from './database.js'

/** What the platforms said of conversations and people, so that they are asked once. */
export function conversationMemory(
  db: Database,
): Pick<
  Ledger,
  'rememberConversation' | 'markConversationDead' | 'reviveConversation' | 'person' | 'rememberPerson'
> {
  return {
    async rememberConversation(installationId, conversationId, facts) {
      const row = {
        surface: facts.surface,
        is_member: facts.isMember,
        is_archived: facts.isArchived,
        is_topic_group: facts.isTopicGroup,
        name: facts.name,
        locale: facts.locale,
        state: facts.state,
        state_code: facts.stateCode,
        checked_at: new Date(facts.checkedAtMs),
      }
      await db
        .insertInto('conversations')
        .values({ installation_id: installationId, conversation_id: conversationId, ...row })
        .onConflict((conflict) => conflict.columns(['installation_id', 'conversation_id']).doUpdateSet(row))
        .execute()
    },

    async markConversationDead(installationId, conversationId, code) {
      await db
        .insertInto('conversations')
        .values({
          installation_id: installationId,
          conversation_id: conversationId,
          state: 'dead',
          state_code: code,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['installation_id', 'conversation_id'])
            .doUpdateSet({ state: 'dead', state_code: code, checked_at: sql`now()` }),
        )
        .execute()
    },

    async reviveConversation(installationId, conversationId) {
      await db
        .updateTable('conversations')
        .set({ state: 'open', state_code: null })
        .where('installation_id', '=', installationId)
        .where('conversation_id', '=', conversationId)
        .where('state', '=', 'dead')
        .execute()
    },

    async person(installationId, personId) {
      const row = await db
        .selectFrom('people')
        .select(['direct_id', 'locale', 'checked_at'])
        .where('installation_id', '=', installationId)
        .where('person_id', '=', personId)
        .executeTakeFirst()
      return row === undefined
        ? null
        : { directId: row.direct_id, locale: row.locale, checkedAtMs: row.checked_at.getTime() }
    },

    async rememberPerson(installationId, personId, facts) {
      const row = {
        ...(facts.directId === undefined ? {} : { direct_id: facts.directId }),
        ...(facts.locale === undefined ? {} : { locale: facts.locale, checked_at: sql<Date>`now()` }),
      }
      await db
        .insertInto('people')
        .values({ installation_id: installationId, person_id: personId, ...row })
        .onConflict((conflict) =>
          conflict.columns(['installation_id', 'person_id']).doUpdateSet({ ...row, person_id: personId }),
        )
        .execute()
    },
  }
}
