import type { RunStatus } from './outcome.js'

/** The closed list of causes a chat may be told. Each has a header in every locale. */
export const CAUSES = [
  'output_limit',
  'context_window',
  'turn_limit',
  'provider_auth',
  'provider_quota',
  'provider_overload',
  'provider_server',
  'provider_network',
  'model_unavailable',
  'unreadable_output',
  'timeout',
  'cancelled',
  'refused',
  'empty_response',
  'runtime_offline',
  'unknown',
] as const
export type Cause = (typeof CAUSES)[number]

export const DROP_REASONS = [
  'superseded',
  'expired',
  'other_surface',
  'retry_pending',
  'silent_channel',
  'silent_notice',
  'silent_unattended',
  'silent_issue',
  'cancelled_by_requester',
  'repeated_failure',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** Why a completed run had nothing to show. Recorded in receipts. */
export type SilenceKind = 'no_output' | 'blank_output' | 'no_text_blocks' | 'silence_token' | 'reasoning_only'

/** What a chat sees of a run. Made by `decide`, read by `render`. */
export type Decision =
  | { readonly kind: 'relay'; readonly text: string }
  | {
      readonly kind: 'notice'
      readonly notice: 'no_response' | 'aborted'
      readonly silence: SilenceKind | null
    }
  | {
      readonly kind: 'failure'
      readonly status: Exclude<RunStatus, 'completed'>
      readonly cause: Cause
      /** Already cut to 4096 UTF-8 bytes with a visible mark. */
      readonly diagnostic: string | null
      readonly partial: string | null
      /** What is left of the wait that a busy provider asked for, in ms. Absent: nothing to tell. */
      readonly retryAfterMs?: number
    }
  | { readonly kind: 'drop'; readonly why: DropReason; readonly silence: SilenceKind | null }

/** What the operator configured about silence and headers. */
export interface Policy {
  /** Whole outputs that mean silence. None by default. */
  readonly silenceTokens: readonly string[]
}

/** Facts about a run that only the ledger and the clock know. */
export interface Circumstances {
  /** Resolved by the platform when the run did not say. */
  readonly surface: 'direct' | 'channel'
  readonly nowMs: number
  /** True only when the ledger vouched for the run's completion notice. */
  readonly noticeAccepted: boolean
}
