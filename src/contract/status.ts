import type { RunStatus } from './outcome.js'

/** Stop reasons that mean an output or context limit cut the run. Contract section 2, and the wire words of its sources. */
const TRUNCATED = [
  'truncated',
  'max_tokens',
  'max_output_tokens',
  'length',
  'max_turn_requests',
  'max_turns',
  'error_max_turns',
  'model_context_window_exceeded',
  'context_window_exceeded',
  'context_length_exceeded',
  'context_exhausted',
  'context_overflow',
  'prompt_too_long',
] as const

const REFUSED = ['refused', 'refusal', 'content_filter', 'blocked', 'safety'] as const

function rows(reasons: readonly string[], status: RunStatus): readonly (readonly [string, RunStatus])[] {
  return reasons.map((reason) => [reason, status] as const)
}

const GENERIC: ReadonlyMap<string, RunStatus> = new Map([
  ...rows(
    ['completed', 'complete', 'success', 'succeeded', 'end_turn', 'stop', 'stop_sequence'],
    'completed',
  ),
  ...rows(TRUNCATED, 'truncated'),
  ...rows(REFUSED, 'refused'),
  ...rows(['failed', 'error'], 'failed'),
  ...rows(['timeout', 'timed_out', 'deadline', 'deadline_exceeded'], 'timeout'),
  ...rows(['aborted', 'abort', 'cancelled', 'canceled', 'interrupted'], 'aborted'),
])

const TURN_ENDS = [
  ...rows(['completed'], 'completed'),
  ...rows(['max_tokens'], 'truncated'),
  ...rows(['aborted'], 'aborted'),
  ...rows(['error'], 'failed'),
] as const

/**
 * What each source's own stop reasons mean, keys normalised. A word that is not in its source's table is a failure.
 * A reason that says the model asked for a tool (`tool_use`, `tool_calls`) is no end of a turn and so in no table.
 * Sources: harness turn ends; ACP `StopReason` (https://agentclientprotocol.com/protocol/prompt-turn#stop-reasons);
 * OpenAI `finish_reason` (https://platform.openai.com/docs/api-reference/chat/object); Anthropic `stop_reason`
 * (https://docs.claude.com/en/api/handling-stop-reasons).
 */
const TABLES = {
  'in-process': new Map([...TURN_ENDS, ...rows(['blocked'], 'refused'), ...rows(['interrupted'], 'failed')]),
  sdk: new Map([...TURN_ENDS, ...rows(['blocked', 'interrupted'], 'failed')]),
  continuable: new Map([...TURN_ENDS, ...rows(['blocked'], 'refused'), ...rows(['interrupted'], 'aborted')]),
  acp: new Map([
    ...rows(['end_turn'], 'completed'),
    ...rows(['max_tokens', 'max_turn_requests'], 'truncated'),
    ...rows(['refusal'], 'refused'),
    ...rows(['cancelled'], 'aborted'),
  ]),
  codex: new Map([
    ...rows(['completed'], 'completed'),
    ...rows(['context_window_exceeded'], 'truncated'),
    ...rows(['failed', 'interrupted'], 'failed'),
  ]),
  'claude-code': new Map([
    ...rows(['success'], 'completed'),
    ...rows(['error_max_turns'], 'truncated'),
    ...rows(['error_during_execution', 'error_max_budget_usd'], 'failed'),
  ]),
  openai: new Map([
    ...rows(['stop', 'completed'], 'completed'),
    ...rows(['length', 'max_output_tokens'], 'truncated'),
    ...rows(['content_filter', 'refusal'], 'refused'),
    ...rows(['failed', 'error'], 'failed'),
    ...rows(['cancelled'], 'aborted'),
  ]),
  anthropic: new Map([
    ...rows(['end_turn', 'stop_sequence'], 'completed'),
    ...rows(['max_tokens', 'model_context_window_exceeded'], 'truncated'),
    ...rows(['refusal'], 'refused'),
  ]),
  generic: GENERIC,
} as const satisfies Record<string, ReadonlyMap<string, RunStatus>>

/** Who wrote a stop reason. `generic` knows the words of all of them. */
export type StopReasonSource = keyof typeof TABLES

/** How a run ended, from its source's own stop reason. An unknown or missing reason is a failure, never a success. */
export function statusFromStopReason(source: StopReasonSource, stopReason: string | null): RunStatus {
  if (stopReason === null) return 'failed'
  return TABLES[source].get(canonicalReason(stopReason)) ?? 'failed'
}

/**
 * The status a run really has: one reported as completed whose stop reason says that it was cut or declined is not
 * complete. Any other stop reason leaves the reported status as it is.
 */
export function effectiveStatus(status: RunStatus, stopReason: string | null): RunStatus {
  if (status !== 'completed' || stopReason === null) return status
  const meant = GENERIC.get(canonicalReason(stopReason))
  return meant === 'truncated' || meant === 'refused' ? meant : status
}

/** One spelling for `max-tokens`, `MAX_TOKENS`, `maxTokens` and `max tokens`. */
export function canonicalReason(reason: string): string {
  return reason
    .trim()
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
}
