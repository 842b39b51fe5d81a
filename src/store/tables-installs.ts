import type { ColumnType, Generated } from 'kysely'
import type { Surface } from '../contract/run.js'
import type { Defaulted, Json, Moment } from './columns.js'

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

export interface ConsoleSessionsTable {
  hash: string
  key_id: string | null
  proof: string | null
  created_at: Defaulted
  expires_at: Moment
}
