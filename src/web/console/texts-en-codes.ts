import type { DropReason } from '../../contract/decision.js'
import type { OperatorReason } from '../../deliver/operator-reason.js'
import type { DeliveryState, InstallationState, PartState } from '../../store/tables.js'

export const states: Record<DeliveryState, string> = {
  accepted: 'accepted',
  planned: 'planned',
  delivering: 'delivering',
  delivered: 'delivered',
  dropped: 'dropped',
  parked: 'parked',
  dead: 'dead',
  expired: 'expired',
}

export const parts: Record<PartState, string> = {
  pending: 'waiting',
  sending: 'being sent',
  sent: 'sent',
  unknown: 'unknown',
  failed: 'failed',
}

export const installationStates: Record<InstallationState, string> = {
  active: 'active',
  parked: 'parked',
  removed: 'removed',
}

/** Reasons of ours in words; codes of platforms are shown as they are. */
export const reasons: Record<
  DropReason | OperatorReason | 'unknown_outcome' | 'resent_unknown' | 'replayed',
  string
> = {
  superseded: 'a newer run replaced it',
  expired: 'its deadline passed before it was decided',
  other_surface: 'the run was asked for somewhere else',
  retry_pending: 'the producer will try again',
  silent_channel: 'nothing to say, in a channel',
  silent_notice: 'nothing to add to a completion notice',
  silent_unattended: 'nothing to say, and nobody had asked',
  silent_issue: 'nothing to say on an issue',
  cancelled_by_requester: 'cancelled by the person who had asked',
  repeated_failure: 'the same failure was shown a moment before; it was counted there',
  cancelled_by_operator: 'cancelled by an operator',
  unknown_outcome: 'nobody can tell whether it was posted; held by policy',
  resent_unknown: 'nobody could tell whether it was posted; sent again by policy',
  replayed: 'put back by an operator',
}

export const silences: Record<string, string> = {
  no_output: 'no output',
  blank_output: 'blank output',
  no_text_blocks: 'output without text',
  silence_token: 'a silence token',
  reasoning_only: 'reasoning only',
}

export const decisions: Record<string, string> = {
  relay: "the agent's answer",
  notice: 'a notice of ours',
  failure: 'a failure header',
  drop: 'nothing',
}

export const localeSources: Record<string, string> = {
  run: 'the run',
  person: 'the person',
  conversation: 'the conversation',
  installation: 'the installation',
  default: 'the default',
}

export const rungs: Record<string, string> = {
  rich: 'rich',
  simple: 'simpler',
  text: 'plain text',
  file: 'file',
}
