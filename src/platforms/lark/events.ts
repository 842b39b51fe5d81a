import { z } from 'zod'

/** What an event changes for us. */
export type LarkChange =
  /** A store app's ticket, pushed about hourly; a secret. */
  | { readonly kind: 'ticket'; readonly ticket: string }
  /** The app works in this tenant: opened for the first time, or switched on again. */
  | { readonly kind: 'enabled' }
  | { readonly kind: 'disabled'; readonly code: 'app_disabled' | 'app_stopped_by_platform' }
  | { readonly kind: 'uninstalled' }
  | { readonly kind: 'conversation_closed'; readonly chat: string; readonly code: ConversationEnd }
  | { readonly kind: 'conversation_opened'; readonly chat: string }
  | { readonly kind: 'conversation_renamed'; readonly chat: string; readonly name: string }
  /** Something about it changed that decides how we send. */
  | { readonly kind: 'conversation_changed'; readonly chat: string }
  /** Somebody used a button or a form of a card. */
  | { readonly kind: 'card_action'; readonly action: LarkCardAction }
  /** Nothing for us in it; it still tells that the app lives in this tenant. */
  | { readonly kind: 'other' }

/** In Lark's own codes, as a send would be refused: the bot is not in the group, the group is dissolved. */
export type ConversationEnd = '230002' | '232009'

/** One use of a card's control (open.feishu.cn, feishu-cards/card-callback-communication). */
export interface LarkCardAction {
  /** Open id of whoever acted. */
  readonly person: string
  /** The card's message, and its chat; null where Lark does not tell. */
  readonly message: string | null
  readonly chat: string | null
  /** What the control carries: for a button of ours, what we put there. */
  readonly value: unknown
  /** Fields of a form, by name. */
  readonly form: Readonly<Record<string, unknown>>
  /** Good for updating the card within 30 minutes; a secret. */
  readonly updateToken: string | null
}

export interface LarkEvent {
  readonly eventId: string
  /** When it happened, ms since the epoch, UTC. */
  readonly happenedAtMs: number
  /** Null for what concerns the app itself. */
  readonly tenant: string | null
  readonly change: LarkChange
}

/** Schema 2.0: a header that says what and when (open.feishu.cn, event-subscription-guide/event-structure). */
const Current = z.object({
  schema: z.literal('2.0'),
  header: z.object({
    event_id: z.string().min(1).max(200),
    event_type: z.string().max(200),
    create_time: z.string().regex(/^\d{1,19}$/),
    tenant_key: z.string().max(64).nullish(),
  }),
  event: z.looseObject({}).nullish(),
})

/** Schema 1.0, which app lifecycle events still have; `ts` is in seconds with a fraction. */
const Older = z.object({
  type: z.literal('event_callback'),
  uuid: z.string().min(1).max(200),
  ts: z.string().regex(/^\d{1,13}(\.\d{1,9})?$/),
  event: z.looseObject({ type: z.string().max(200), tenant_key: z.string().max(64).nullish() }),
})

/** Reads an event of either schema. Null when it is none; one we do not know or cannot read changes nothing. */
export function parseLarkEvent(body: unknown): LarkEvent | null {
  const current = Current.safeParse(body)
  if (current.success) {
    const { header, event } = current.data
    return {
      eventId: header.event_id,
      happenedAtMs: millisecondsOf(header.create_time),
      tenant: header.tenant_key || null,
      change: changeOf(header.event_type, event ?? {}) ?? { kind: 'other' },
    }
  }
  const older = Older.safeParse(body)
  if (!older.success) return null
  const { uuid, ts, event } = older.data
  return {
    eventId: uuid,
    happenedAtMs: Math.floor(Number(ts) * 1_000),
    tenant: event.tenant_key || null,
    change: changeOf(event.type, event) ?? { kind: 'other' },
  }
}

/** The page says milliseconds; microseconds are seen in public logs of old events. */
function millisecondsOf(createTime: string): number {
  return Math.floor(createTime.length > 14 ? Number(createTime) / 1_000 : Number(createTime))
}

const chat = z.string().regex(/^oc_[\w-]{1,125}$/)
const Ticket = z.object({ app_ticket: z.string().min(1).max(1_000) })
const Status = z.object({ status: z.string() })
const Chat = z.union([
  z.object({ chat_id: chat }).transform((event) => event.chat_id),
  z.object({ open_chat_id: chat }).transform((event) => event.open_chat_id),
])
const Updated = z.object({
  chat_id: chat,
  after_change: z.looseObject({ name: z.string().min(1).nullish() }).nullish(),
})
const Action = z.object({
  operator: z.object({ open_id: z.string().min(1).max(200) }),
  token: z.string().nullish(),
  action: z.object({ value: z.unknown(), form_value: z.record(z.string(), z.unknown()).nullish() }),
  context: z.object({ open_message_id: z.string().nullish(), open_chat_id: z.string().nullish() }).nullish(),
})

function changeOf(type: string, event: unknown): LarkChange | null {
  switch (type) {
    case 'app_ticket': {
      const read = Ticket.safeParse(event)
      return read.success ? { kind: 'ticket', ticket: read.data.app_ticket } : null
    }
    case 'app_open':
      return { kind: 'enabled' }
    case 'app_status_change':
      return statusChange(event)
    case 'app_uninstalled':
      return { kind: 'uninstalled' }
    // The names without a version are those of schema 1.0.
    case 'im.chat.member.bot.added_v1':
    case 'add_bot':
      return withChat(event, (id) => ({ kind: 'conversation_opened', chat: id }))
    case 'im.chat.member.bot.deleted_v1':
    case 'remove_bot':
      return withChat(event, (id) => ({ kind: 'conversation_closed', chat: id, code: '230002' }))
    case 'im.chat.disbanded_v1':
    case 'chat_disband':
      return withChat(event, (id) => ({ kind: 'conversation_closed', chat: id, code: '232009' }))
    case 'im.chat.updated_v1':
      return chatUpdate(event)
    case 'card.action.trigger':
      return cardAction(event)
    default:
      return null
  }
}

function statusChange(event: unknown): LarkChange | null {
  const read = Status.safeParse(event)
  switch (read.success ? read.data.status : '') {
    case 'start_by_tenant':
      return { kind: 'enabled' }
    case 'stop_by_tenant':
      return { kind: 'disabled', code: 'app_disabled' }
    case 'stop_by_platform':
      return { kind: 'disabled', code: 'app_stopped_by_platform' }
    default:
      return null
  }
}

function withChat(event: unknown, change: (chat: string) => LarkChange): LarkChange | null {
  const read = Chat.safeParse(event)
  return read.success ? change(read.data) : null
}

function chatUpdate(event: unknown): LarkChange | null {
  const read = Updated.safeParse(event)
  if (!read.success) return null
  const { chat_id: id, after_change: after } = read.data
  const changed = Object.keys(after ?? {})
  const name = after?.name
  return changed.length === 1 && name
    ? { kind: 'conversation_renamed', chat: id, name }
    : { kind: 'conversation_changed', chat: id }
}

function cardAction(event: unknown): LarkChange | null {
  const read = Action.safeParse(event)
  if (!read.success) return null
  const { operator, token, action, context } = read.data
  return {
    kind: 'card_action',
    action: {
      person: operator.open_id,
      message: context?.open_message_id ?? null,
      chat: context?.open_chat_id ?? null,
      value: action.value,
      form: action.form_value ?? {},
      updateToken: token ?? null,
    },
  }
}
