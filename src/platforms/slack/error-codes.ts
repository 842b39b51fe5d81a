import type { Fault } from '../../deliver/platform.js'

type WithoutCode<F> = F extends Fault ? Omit<F, 'code' | 'vendorLogId' | 'scope' | 'retryAfterMs'> : never

/** What one refusal of Slack means: a fault without the parts that depend on the call. */
export type FaultRule = WithoutCode<Fault>

const RATE: FaultRule = { kind: 'rate_limited' }
const NOT_SENT: FaultRule = { kind: 'not_sent' }
const UNKNOWN: FaultRule = { kind: 'unknown' }
const TOKEN: FaultRule = { kind: 'token' }
const REINSTALL: FaultRule = { kind: 'installation_dead', remedy: 'reinstall' }
const ADMIN: FaultRule = { kind: 'installation_dead', remedy: 'admin' }
const CONVERSATION: FaultRule = { kind: 'conversation_dead' }
const ANCHOR: FaultRule = { kind: 'anchor_dead', fallback: 'conversation' }
const CONTENT: FaultRule = { kind: 'content', final: false }
const BUG: FaultRule = { kind: 'bug' }

/**
 * Every refusal (`ok: false`) Slack documents for the methods we call, by what must happen next.
 * Sources: docs.slack.dev/reference/methods pages of chat.postMessage, chat.update, chat.delete,
 * conversations.info/open/history/replies, users.info, files.*, reactions.remove, oauth.v2.access, read 2026-08-20.
 */
export const SLACK_ERRORS: Readonly<Record<string, FaultRule>> = {
  // Slack asks us to wait; nothing was done.
  ratelimited: RATE,
  rate_limited: RATE,
  message_limit_exceeded: RATE,

  // Nothing was done and the cause passes.
  service_unavailable: NOT_SENT,
  team_added_to_org: NOT_SENT,
  org_login_required: NOT_SENT,
  request_timeout: NOT_SENT,
  external_channel_migrating: NOT_SENT,

  // "It's possible some aspect of the operation succeeded before the error was raised."
  fatal_error: UNKNOWN,
  internal_error: UNKNOWN,
  update_failed: UNKNOWN,
  duplicate_message_not_found: UNKNOWN,
  duplicate_channel_not_found: UNKNOWN,

  token_expired: TOKEN,

  invalid_auth: REINSTALL,
  account_inactive: REINSTALL,
  token_revoked: REINSTALL,
  not_authed: REINSTALL,
  // oauth.v2.access, when a token is refreshed: a refresh token works once.
  invalid_refresh_token: REINSTALL,

  // Somebody with rights in the workspace must act.
  missing_scope: ADMIN,
  not_allowed_token_type: ADMIN,
  accesslimited: ADMIN,
  app_access_restricted: ADMIN,
  enterprise_is_restricted: ADMIN,
  team_access_not_granted: ADMIN,
  two_factor_setup_required: ADMIN,
  ekm_access_denied: ADMIN,
  is_bot: ADMIN,
  as_user_not_supported: ADMIN,
  metadata_must_be_sent_from_app: ADMIN,
  bad_client_secret: ADMIN,
  invalid_client_id: ADMIN,

  channel_not_found: CONVERSATION,
  not_in_channel: CONVERSATION,
  is_archived: CONVERSATION,
  // "Make sure your app is a member of the conversation": one conversation, not the installation.
  no_permission: CONVERSATION,
  access_denied: CONVERSATION,
  restricted_action: CONVERSATION,
  restricted_action_read_only_channel: CONVERSATION,
  restricted_action_thread_only_channel: CONVERSATION,
  messages_tab_disabled: CONVERSATION,
  team_not_found: CONVERSATION,
  send_on_behalf_not_allowed: CONVERSATION,
  slack_connect_canvas_sharing_blocked: CONVERSATION,
  slack_connect_file_link_sharing_blocked: CONVERSATION,
  slack_connect_lists_sharing_blocked: CONVERSATION,
  channel_is_limited_access: CONVERSATION,
  method_not_supported_for_channel_type: CONVERSATION,
  invalid_channel: CONVERSATION,
  // conversations.open: the person cannot be written to.
  user_not_found: CONVERSATION,
  user_not_visible: CONVERSATION,
  user_disabled: CONVERSATION,
  cannot_dm_bot: CONVERSATION,
  invalid_user_combination: CONVERSATION,

  // The thread cannot be answered; its channel can be written to.
  restricted_action_non_threadable_channel: ANCHOR,
  restricted_action_thread_locked: ANCHOR,
  thread_locked: ANCHOR,
  cannot_reply_to_message: ANCHOR,
  thread_not_found: ANCHOR,
  message_not_found: ANCHOR,

  msg_blocks_too_long: CONTENT,
  msg_too_long: CONTENT,
  msg_blocks_too_many: CONTENT,
  invalid_blocks: CONTENT,
  invalid_blocks_format: CONTENT,
  invalid_attachments: CONTENT,
  too_many_attachments: CONTENT,
  attachment_payload_limit_exceeded: CONTENT,
  too_many_contact_cards: CONTENT,
  no_text: CONTENT,
  markdown_text_conflict: CONTENT,
  metadata_too_large: CONTENT,
  invalid_metadata_format: CONTENT,
  invalid_metadata_schema: CONTENT,
  missing_file_data: CONTENT,
  // A refused file is sent as messages instead.
  file_uploads_disabled: CONTENT,
  file_uploads_except_images_disabled: CONTENT,
  file_upload_size_restricted: CONTENT,
  storage_limit_reached: CONTENT,
  posting_to_channel_denied: CONTENT,
  file_type_not_allowed: CONTENT,
  snippet_too_large: CONTENT,

  invalid_arg_name: BUG,
  invalid_arguments: BUG,
  missing_argument: BUG,
  invalid_array_arg: BUG,
  invalid_charset: BUG,
  invalid_form_data: BUG,
  invalid_post_type: BUG,
  missing_post_type: BUG,
  unknown_method: BUG,
  method_deprecated: BUG,
  deprecated_endpoint: BUG,
  draft_already_deleted: BUG,
  draft_already_sent: BUG,
  draft_has_conflict: BUG,
  draft_not_found: BUG,
  invalid_ts_oldest: BUG,
  invalid_ts_latest: BUG,
  too_many_users: BUG,
  not_enough_users: BUG,
  users_list_not_supplied: BUG,
}

/** Refusals of chat.update and chat.delete that mean: this message stays as it is, write another one. */
export const NOT_EDITABLE: ReadonlySet<string> = new Set([
  'message_not_found',
  'cant_update_message',
  'cant_delete_message',
  'edit_window_closed',
  'is_inactive',
  'block_mismatch',
  'streaming_state_conflict',
  'compliance_exports_prevent_deletion',
  'msg_too_long',
])

/**
 * Errors that only occur before a request was written: name look-up, connecting, TLS handshake.
 * Names: Node.js `errors` and `tls` documentation, OpenSSL reason codes, undici `errors.js`.
 */
export const NOTHING_LEFT_THE_HOST: ReadonlySet<string> = new Set([
  'LEASE_LAPSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
])
