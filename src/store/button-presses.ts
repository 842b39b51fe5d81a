import { sql } from 'kysely'
import type { Surface } from '../contract/run.js'
import {
  type ButtonName,
  type Press,
  type PressedDelivery,
  pressedFor,
  pressReceipt,
} from '../deliver/press.js'
import type { PressToShow, ShowBook } from '../deliver/show-press.js'
import type { Part } from '../render/part.js'
import type { Database } from './database.js'

/** A press that a process was showing when it died is shown again after this, in seconds. */
const CLAIM_SECONDS = 60

/**
 * The delivery of a button, when it belongs to the installation that was pressed in: named by its id, or by any of its
 * workspaces. Null when it does not.
 */
export async function findPressedDelivery(
  db: Database,
  deliveryId: string,
  at: {
    readonly platform: 'slack' | 'lark'
    readonly installationId: string | null
    readonly workspaces: readonly string[]
  },
): Promise<PressedDelivery | null> {
  const { rows } = await sql<PressedDelivery>`
    select d.run, d.installation_id as "installationId", d.producer, d.conversation_key as "conversationKey",
           d.conversation_id as "conversationId", d.surface, d.locale,
           coalesce((select jsonb_agg(p.message_id) from parts p
                      where p.delivery_id = d.id and p.message_id is not null), '[]') as "messageIds",
           exists (select 1 from parts p where p.delivery_id = d.id and p.state in ('sending', 'unknown')) as "mayStand",
           exists (select 1 from deliveries u where u.run_id = d.run_id and u.conversation_key = d.conversation_key
                      and u.attempt > d.attempt) as "isReplaced"
      from deliveries d join installations i on i.id = d.installation_id
     where d.id = ${deliveryId} and i.platform = ${at.platform} and i.state <> 'removed'
       and (i.id = ${at.installationId} or i.tenant = any (${[...at.workspaces]}::text[])
            or exists (select 1 from workspaces w where w.installation_id = i.id
                          and w.workspace = any (${[...at.workspaces]}::text[])))`.execute(db)
  return rows[0] ?? null
}

/**
 * Records a press and tells of it in one commit; the same press again changes nothing.
 *
 * @returns whether it is the first
 */
export async function recordPress(
  db: Database,
  press: Press,
  delivery: PressedDelivery,
  when: { readonly pressedAtMs: number; readonly showAtMs: number | null },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const inserted = await tx
      .insertInto('button_presses')
      .values({
        delivery_id: press.deliveryId,
        button: press.button,
        pressed_for: pressedFor(press),
        person: press.person,
        pressed_at: new Date(when.pressedAtMs),
        show_at: when.showAtMs === null ? null : new Date(when.showAtMs),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('delivery_id')
      .execute()
    if (inserted.length === 0) return false
    await tx
      .insertInto('receipts')
      .values({
        kind: 'button.pressed',
        delivery_id: press.deliveryId,
        installation_id: delivery.installationId,
        producer: delivery.producer,
        body: JSON.stringify(pressReceipt(press, delivery, when.pressedAtMs)),
      })
      .execute()
    return true
  })
}

interface ShowRow {
  readonly deliveryId: string
  readonly button: ButtonName
  readonly pressedFor: string
  readonly tries: number
  readonly installationId: string
  readonly platform: 'slack' | 'lark'
  readonly tenant: string
  readonly workspace: string
  readonly conversationId: string
  readonly anchor: string | null
  readonly inTopic: boolean
  readonly surface: Surface
  readonly locale: string | null
  readonly isNotice: boolean
  readonly parts: readonly {
    readonly index: number
    readonly rendering: number
    readonly messageId: string
    readonly part: Part
  }[]
}

/** Presses whose messages do not tell of them yet. Any number of processes may show them. */
export function showBook(db: Database): ShowBook {
  return {
    async claim(nowMs, limit) {
      const at = sql`to_timestamp(${nowMs}::float8 / 1000)`
      const { rows } = await sql<ShowRow>`
        with due as materialized (
          select delivery_id, button, pressed_for from button_presses
           where show_at is not null and show_at <= ${at} order by show_at limit ${limit} for update skip locked
        ),
        claimed as (
          update button_presses b set show_at = ${at} + make_interval(secs => ${CLAIM_SECONDS}), show_tries = show_tries + 1
            from due where b.delivery_id = due.delivery_id and b.button = due.button and b.pressed_for = due.pressed_for
          returning b.*
        )
        select c.delivery_id as "deliveryId", c.button, c.pressed_for as "pressedFor", c.show_tries as tries,
               i.id as "installationId", i.platform, i.tenant,
               coalesce(d.run #>> '{conversation,workspace}', i.tenant) as workspace,
               d.conversation_id as "conversationId", d.anchor, d.in_topic as "inTopic",
               coalesce(d.surface, 'channel') as surface, d.locale,
               coalesce(d.decision->>'kind', '') <> 'relay' as "isNotice",
               -- A later attempt may have been edited into the message: then it is not ours to change any more.
               case when exists (select 1 from deliveries u where u.run_id = d.run_id
                                   and u.conversation_key = d.conversation_key and u.attempt > d.attempt)
                    then '[]'
                    else coalesce((select jsonb_agg(jsonb_build_object('index', p.index, 'rendering', p.rendering,
                                     'messageId', p.message_id, 'part', p.part) order by p.index desc)
                                     from parts p where p.delivery_id = d.id and p.state = 'sent'
                                      and p.message_id is not null), '[]') end as parts
          from claimed c join deliveries d on d.id = c.delivery_id join installations i on i.id = d.installation_id`.execute(
        db,
      )
      return rows.map(toShow)
    },

    async done(press, nowMs) {
      await touch(db, press, { shown_at: new Date(nowMs), show_at: null })
    },

    async again(press, showAtMs) {
      await touch(db, press, { show_at: showAtMs === null ? null : new Date(showAtMs) })
    },
  }
}

function toShow(row: ShowRow): PressToShow {
  const { deliveryId, button, tries, locale, isNotice, parts } = row
  const installation = { id: row.installationId, platform: row.platform, tenant: row.tenant }
  const { workspace, conversationId, anchor, inTopic, surface } = row
  return {
    deliveryId,
    button,
    pressedFor: row.pressedFor,
    tries,
    locale,
    isNotice,
    parts,
    target: { installation, workspace, conversationId, anchor, inTopic, surface },
  }
}

async function touch(
  db: Database,
  press: Pick<PressToShow, 'deliveryId' | 'button' | 'pressedFor'>,
  change: { readonly show_at: Date | null; readonly shown_at?: Date },
): Promise<void> {
  await db
    .updateTable('button_presses')
    .set(change)
    .where('delivery_id', '=', press.deliveryId)
    .where('button', '=', press.button)
    .where('pressed_for', '=', press.pressedFor)
    .execute()
}
