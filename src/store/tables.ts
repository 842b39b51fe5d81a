import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Decision } from '../contract/decision.js'
import type { Run, Surface } from '../contract/run.js'
import type { Part, RenderNotes } from '../render/part.js'

type Json<T> = ColumnType<T, string, string>
type Moment = ColumnType<Date, Date | string, Date | string>
type Defaulted = ColumnType<Date, Date | string | undefined, Date | string>

export const DELIVERY_STATES = [
  'accepted',
  'planned',
  'delivering',
  'delivered',
  'dropped',
  'parked',
  'dead',
  'expired',
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export type PartState = 'pending' | 'sending' | 'sent' | 'unknown' | 'failed'
export type InstallationState = 'active' | 'parked' | 'removed'

export interface InstallationsTable {
  id: string
  platform: 'slack' | 'lark'
  tenant: string
  app: Generated<string>
  is_org_wide: Generated<boolean>
  enterprise: string | null
  name: string | null
  base_url: string | null
  credentials: string | null
  credentials_expire_at: Moment | null
  source: 'settings' | 'install'
  state: Generated<InstallationState>
  state_code: string | null
  state_at: Defaulted
  locale: string | null
  unknown_policy: 'resend' | 'hold' | null
  settings: ColumnType<Record<string, unknown>, string | undefined, string>
  installed_at: Defaulted
  updated_at: Defaulted
  scopes: string[] | null
  refresh_owner: string | null
  refresh_until: Moment | null
  refreshed_at: Moment | null
  refresh_code: string | null
}

export interface WorkspacesTable {
  installation_id: string
  workspace: string
  name: string | null
  seen_at: Defaulted
}

export interface ApiKeysTable {
  id: string
  hash: string
  name: string
  rights: string[]
  installation_ids: string[] | null
  created_at: Defaulted
  last_used_at: Moment | null
  revoked_at: Moment | null
}

export interface InstallStatesTable {
  hash: string
  app: string
  options: Json<unknown>
  expires_at: Moment
}

export interface SeenEventsTable {
  source: string
  id: string
  seen_at: Defaulted
}

export interface AppSecretsTable {
  platform: 'slack' | 'lark'
  app: string
  name: string
  sealed: string
  updated_at: Defaulted
}

export interface LanesTable {
  key: string
  installation_id: string
  ready_at: Moment | null
  owner: string | null
  epoch: Generated<number>
}

export interface DeliveriesTable {
  id: string
  seq: GeneratedAlways<number>
  lane_key: string
  installation_id: string
  run_id: string
  attempt: number
  conversation_key: string
  producer: string | null
  run: Json<Run>
  run_hash: string
  state: Generated<DeliveryState>
  reason: string | null
  decision: ColumnType<Decision | null, string | null, string | null>
  cause_key: string | null
  surface: Surface | null
  locale: string | null
  locale_from: string | null
  conversation_id: string | null
  anchor: string | null
  in_topic: Generated<boolean>
  notes: ColumnType<RenderNotes | null, string | null, string | null>
  tries: Generated<number>
  unknown_count: Generated<number>
  accepted_at: Defaulted
  planned_at: Moment | null
  settled_at: Moment | null
  /** The state once it is settled: what lists are indexed by. */
  end_state: GeneratedAlways<DeliveryState | null>
  expires_at: Moment
  notice_id: GeneratedAlways<string | null>
  notice_finding: string | null
}

export interface PartsTable {
  delivery_id: string
  index: number
  rendering: Generated<number>
  part: Json<Part>
  replaces: string | null
  state: Generated<PartState>
  attempt: Generated<number>
  epoch: Generated<number>
  first_attempt_at: Moment | null
  attempt_at: Moment | null
  sent_at: Moment | null
  message_id: string | null
  permalink: string | null
  code: string | null
}

export interface AttemptsTable {
  id: GeneratedAlways<number>
  delivery_id: string
  part_index: number
  number: number
  rendering: Generated<number>
  method: string
  started_at: Moment
  ended_at: Defaulted
  outcome: string
  code: string | null
  wait_ms: number | null
  vendor_log_id: string | null
  worker: string | null
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

export interface GatesTable {
  scope: string
  installation_id: string
  not_before: Moment
  code: string
  closed_at: Defaulted
}

export interface ConversationsTable {
  installation_id: string
  conversation_id: string
  surface: Surface | null
  is_member: boolean | null
  is_archived: Generated<boolean>
  is_topic_group: Generated<boolean>
  name: string | null
  locale: string | null
  state: Generated<'open' | 'dead'>
  state_code: string | null
  checked_at: Defaulted
}

export interface PeopleTable {
  installation_id: string
  person_id: string
  direct_id: string | null
  locale: string | null
  checked_at: Defaulted
}

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

export interface ConsoleSessionsTable {
  hash: string
  key_id: string | null
  proof: string | null
  created_at: Defaulted
  expires_at: Moment
}

export interface WorkersTable {
  id: string
  lock_key: number
  seen_at: Defaulted
}

/** The ledger as Kysely sees it: column names stop here. */
export interface Tables {
  installations: InstallationsTable
  lanes: LanesTable
  deliveries: DeliveriesTable
  parts: PartsTable
  attempts: AttemptsTable
  notices: NoticesTable
  gates: GatesTable
  conversations: ConversationsTable
  people: PeopleTable
  receipts: ReceiptsTable
  workers: WorkersTable
  workspaces: WorkspacesTable
  api_keys: ApiKeysTable
  install_states: InstallStatesTable
  seen_events: SeenEventsTable
  app_secrets: AppSecretsTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_messages: WebhookMessagesTable
  button_presses: ButtonPressesTable
  console_sessions: ConsoleSessionsTable
}
