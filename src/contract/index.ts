/**
 * The contract between an agent platform and a chat: what a finished run is, and what a conversation may see of it.
 * Runs in Node and in browsers; pure, without a clock, a network or a dependency.
 *
 * ```ts
 * import { settleTranscript, toOutcome, createSettler } from 'lastword/contract'
 *
 * // A transcript in one piece: what did the run come to?
 * const settlement = settleTranscript({ format: 'claude', text: stdout, exit: { exitCode: 0 } })
 * await post('/v1/runs', { runId, conversation, outcome: toOutcome(settlement) })
 *
 * // Or while it is being written, in constant memory:
 * const settler = createSettler('acp')
 * for await (const chunk of child.stdout) settler.push(chunk)
 * const { status, output, partialOutput } = settler.end({ runError: 'deadline', deadlineMs: 60_000 })
 *
 * // Or only the answer of an event log, by the one selection rule:
 * const answer = finalAssistantOutput([{ kind: 'assistant_message', content: [{ type: 'text', text: 'Done.' }] }])
 * ```
 *
 * @module
 */

export type { ClaudeCodeEvent, ProductResult } from './adapters/claude-code.js'
export { foldClaudeCode } from './adapters/claude-code.js'
export type { CodexEvent } from './adapters/codex.js'
export { CodexFold, readCodexEvent } from './adapters/codex.js'
export { classifyCause } from './cause.js'
export type { BackgroundJob } from './child/background-job.js'
export { settleBackgroundJob } from './child/background-job.js'
export { accountForWork } from './child/consumed-work.js'
export type { ForegroundResult } from './child/foreground.js'
export { finishChild, renderForeground } from './child/foreground.js'
export type { ChildEnding, ChildResult } from './child/result.js'
export type { SettlementNotice } from './child/settlement-notice.js'
export { routeNotice, sendSettlementNotice, settlementNotice } from './child/settlement-notice.js'
export type { ChildEnd, ChildStopReason } from './child-stop-reason.js'
export { CHILD_STOP_REASONS, childStopReason } from './child-stop-reason.js'
export type { Content, ContentBlock } from './content.js'
export { decide } from './decide.js'
export type { Cause, Circumstances, Decision, DropReason, Policy, SilenceKind } from './decision.js'
export { CAUSES, DROP_REASONS } from './decision.js'
export { composeDiagnostic, failureLine, limitDiagnostic, MAX_DIAGNOSTIC_BYTES } from './diagnostic.js'
export type { EndEvent, LifecycleEvent, RunEnd, RunIdentity, StartEvent } from './lifecycle/event.js'
export { LifecycleInvariants, LifecycleViolation } from './lifecycle/invariants.js'
export type { Lifecycle, LifecycleListener } from './lifecycle/lifecycle.js'
export { createLifecycle } from './lifecycle/lifecycle.js'
export { observeRun } from './lifecycle/observe-run.js'
export type { ReportedOutcome } from './normalize.js'
export { normalizeOutcome } from './normalize.js'
export type { AbortedBy, Outcome, RunStatus } from './outcome.js'
export { RUN_STATUSES } from './outcome.js'
export type { Conversation, Run, Surface, Trigger } from './run.js'
export type { AssistantEvent } from './selection/event.js'
export { AssistantOutputFold, createAssistantOutputFold, finalAssistantOutput } from './selection/fold.js'
export type { SettleOptions, Settler, Transcript, TranscriptFormat } from './settle.js'
export { createSettler, settleTranscript, TRANSCRIPT_FORMATS, toOutcome } from './settle.js'
export type { ExitFacts, Observation, Settlement } from './settlement.js'
export { recordReply } from './silence/bookkeeping.js'
export { projectContext } from './silence/context.js'
export { settleMessage, steeringInput } from './silence/delivery.js'
export type {
  NoticeClaim,
  NoticeRecord,
  NoticeRefusal,
  NoticeResolution,
  ResolvedNotice,
} from './silence/notice.js'
export { allowsSilence, checkNoticeClaim, resolveNotice, resolveNoticeRecord } from './silence/notice.js'
export type {
  ModelResponse,
  RuntimeEffect,
  RuntimeEvent,
  RuntimeState,
  RuntimeStep,
} from './silence/runtime.js'
export { EMPTY_MODEL_RESPONSE, startRun, stepRun } from './silence/runtime.js'
export type { StopReasonSource } from './status.js'
export { effectiveStatus, statusFromStopReason } from './status.js'
export { contentText, isVisible } from './visible-text.js'
