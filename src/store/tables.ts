import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Decision } from '../contract/decision.js'
import type { Run, Surface } from '../contract/run.js'
import type { Part, RenderNotes } from '../render/part.js'
import type { Defaulted, Json, Moment } from './columns.js'
import type {
  ApiKeysTable,
  AppSecretsTable,
  ConsoleSessionsTable,
  ConversationsTable,
  InstallationsTable,
  InstallStatesTable,
  PeopleTable,
  SeenEventsTable,
  WorkspacesTable,
} from './tables-installs.js'
import type {
  ButtonPressesTable,
  NoticesTable,
  ReceiptsTable,
  WebhookEndpointsTable,
  WebhookMessagesTable,
} from './tables-outgoing.js'

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
export type { InstallationState } from './tables-installs.js'

export interface LanesTable {
  key: string
  installation_id: string
  ready_at: Moment | null
  owner: string | null
  epoch: Generated<number>
  /** Armed again since it was claimed. Means nothing while nobody owns it. */
  is_told: Generated<boolean>
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

export interface GatesTable {
  scope: string
  installation_id: string
  not_before: Moment
  code: string
  closed_at: Defaulted
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
