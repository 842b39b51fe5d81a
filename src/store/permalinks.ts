import { sql } from 'kysely'
import type { Surface } from '../contract/run.js'
import type { PermalinkStore } from '../receipts/permalinks.js'
import type { Database } from './database.js'

interface UnlinkedRow {
  readonly deliveryId: string
  readonly index: number
  readonly messageId: string
  readonly installationId: string
  readonly platform: 'slack' | 'lark'
  readonly tenant: string
  readonly workspace: string
  readonly conversationId: string
  readonly anchor: string | null
  readonly inTopic: boolean
  readonly surface: Surface
}

/** Links of messages, kept with their parts. Lark has none, so that its parts are never asked about. */
export function permalinkStore(db: Database): PermalinkStore {
  return {
    async unlinked(deliveryIds, limit) {
      const { rows } = await sql<UnlinkedRow>`
        select p.delivery_id as "deliveryId", p.index, p.message_id as "messageId", i.id as "installationId",
               i.platform, i.tenant, coalesce(d.run #>> '{conversation,workspace}', i.tenant) as workspace,
               d.conversation_id as "conversationId", d.anchor, d.in_topic as "inTopic",
               coalesce(d.surface, 'channel') as surface
          from parts p join deliveries d on d.id = p.delivery_id join installations i on i.id = d.installation_id
         where p.delivery_id = any (${[...deliveryIds]}::text[]) and p.state = 'sent' and p.message_id is not null
           and p.permalink is null and d.conversation_id is not null and i.platform = 'slack' and i.state = 'active'
         order by p.delivery_id, p.index limit ${limit}`.execute(db)
      return rows.map(({ installationId, platform, tenant, deliveryId, index, messageId, ...place }) => ({
        deliveryId,
        index,
        messageId,
        target: { installation: { id: installationId, platform, tenant }, ...place },
      }))
    },

    async keep({ deliveryId, index }, permalink) {
      await db
        .updateTable('parts')
        .set({ permalink })
        .where('delivery_id', '=', deliveryId)
        .where('index', '=', index)
        .execute()
    },

    async known(deliveryIds) {
      const rows = await db
        .selectFrom('parts')
        .select(['delivery_id', 'index', 'permalink'])
        .where('delivery_id', 'in', [...deliveryIds])
        .where('permalink', 'is not', null)
        .execute()
      const known = new Map<string, Map<number, string>>()
      for (const { delivery_id, index, permalink } of rows) {
        const links = known.get(delivery_id) ?? new Map<number, string>()
        if (permalink !== null) links.set(index, permalink)
        known.set(delivery_id, links)
      }
      return known
    },
  }
}
