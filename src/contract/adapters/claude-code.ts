import type { ChildStopReason } from '../child-stop-reason.js'
import type { ContentBlock } from '../content.js'
import type { FailureFact } from '../diagnostic.js'

/** What a product run in its own process came to, for the agent that started it. */
export interface ProductResult {
  readonly output: readonly ContentBlock[]
  readonly stopReason: ChildStopReason
  /** The safe facts of a failure; null on success and on cancel. */
  readonly failure: FailureFact | null
}

/** What a Claude Code run reports, as its host sees it. */
export type ClaudeCodeEvent =
  | {
      readonly kind: 'result'
      readonly subtype: string
      readonly is_error: boolean
      readonly result?: string | undefined
    }
  | { readonly kind: 'process_exit'; readonly exitCode: number | null }
  | { readonly kind: 'iterator_error' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'system' | 'permission_denied' | 'other' }

/** Failure subtypes that may be named. Source: https://docs.claude.com/en/api/agent-sdk/typescript (SDKResultMessage). */
const KNOWN_FAILURES: ReadonlySet<string> = new Set([
  'error_during_execution',
  'error_max_turns',
  'error_max_budget_usd',
  'error_max_structured_output_retries',
])

/**
 * The result of a Claude Code child: the last result, if it is a success with visible words and nothing failed after it.
 * Fails closed: a failed or cancelled run has no output at all.
 */
export function foldClaudeCode(events: Iterable<ClaudeCodeEvent>): ProductResult {
  let last: Extract<ClaudeCodeEvent, { kind: 'result' }> | null = null
  let exitCode: number | null = null
  let isBroken = false
  let isCancelled = false
  for (const event of events) {
    if (event.kind === 'result') last = event
    if (event.kind === 'process_exit') exitCode = event.exitCode
    if (event.kind === 'iterator_error') isBroken = true
    if (event.kind === 'cancel') isCancelled = true
  }
  if (isCancelled) return { output: [], stopReason: 'aborted', failure: null }
  if (exitCode !== null && exitCode !== 0) return failed('process', 'process-exit', exitCode)
  if (isBroken) return failed('query-run', 'unknown')
  if (last === null) return failed('query-run', 'missing-result')
  if (last.subtype !== 'success' || last.is_error) return failed('query-run', failureCategory(last.subtype))
  const text = last.result ?? ''
  if (text.trim() === '') return failed('query-run', 'invalid-success')
  return { output: [{ type: 'text', text }], stopReason: 'completed', failure: null }
}

function failureCategory(subtype: string): string {
  if (subtype === 'success') return 'invalid-success'
  return KNOWN_FAILURES.has(subtype) ? subtype : 'unknown'
}

function failed(stage: string, category: string, exitCode?: number): ProductResult {
  return { output: [], stopReason: 'error', failure: { product: 'claude-code', stage, category, exitCode } }
}
