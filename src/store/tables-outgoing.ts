import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Defaulted, Json, Moment } from './columns.js'

export interface ReceiptsTable {
  id: GeneratedAlways<number>
  transaction_id: Generated<string>
  kind: string
  delivery_id: string | null
  installation_id: string | null
  producer: string | null
  body: Json<unknown>
  created_at: Defaulted
}

export interface WebhookEndpointsTable {
  id: string
  url: string
  secret: string
  kinds: string[] | null
  installation_ids: string[] | null
  may_be_private: Generated<boolean>
  state: Generated<'active' | 'disabled'>
  state_code: string | null
  state_at: Defaulted
  failing_since: Moment | null
  not_before: Moment | null
  last_success_at: Moment | null
  cursor_transaction: Generated<string>
  cursor_id: Generated<number>
  created_by: string | null
  created_at: Defaulted
}

export interface WebhookMessagesTable {
  id: GeneratedAlways<number>
  endpoint_id: string
  receipt_id: number
  state: Generated<'pending' | 'sent' | 'failed'>
  attempts: Generated<number>
  due_at: Moment
  claimed_until: Moment | null
  claimed_by: string | null
  code: string | null
  ended_at: Moment | null
  created_at: Defaulted
}

export interface ButtonPressesTable {
  delivery_id: string
  button: 'continue' | 'retry' | 'good' | 'bad'
  pressed_for: string
  person: string
  pressed_at: Defaulted
  shown_at: Moment | null
  show_at: Moment | null
  show_tries: Generated<number>
}

export interface NoticesTable {
  id: string
  installation_id: string | null
  conversation_key: string
  conversation: ColumnType<unknown, string | null, string | null>
  kind: Generated<'completion' | 'message' | 'task'>
  body_hash: Generated<string>
  content: ColumnType<unknown, string | null, string | null>
  origin: ColumnType<unknown, string | null, string | null>
  reply_to: string | null
  producer: string | null
  state: Generated<'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted'>
  spent_by: string | null
  created_at: Defaulted
  spent_at: Moment | null
}
