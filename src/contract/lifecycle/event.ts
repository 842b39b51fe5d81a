import type { Content } from '../content.js'

/** Who runs what. `runId` pairs the two notifications; `id` may repeat across runs. */
export interface RunIdentity {
  readonly runId: string
  /** Who carries the run out. It may be gone by the time the run ends. */
  readonly provider: string
  readonly id: string
  /** Whether the work happens in this process. */
  readonly local: boolean
}

export interface StartEvent extends RunIdentity {
  readonly edge: 'start'
}

/** `lastAssistantMessage` is absent when there is none; it is never an empty list or text. */
export interface EndEvent extends RunIdentity {
  readonly edge: 'end'
  readonly stopReason: string
  readonly lastAssistantMessage?: Content
}

export type LifecycleEvent = StartEvent | EndEvent

/** How a run ended, for its end notification. */
export interface RunEnd {
  readonly stopReason: string
  readonly lastAssistantMessage?: Content | null | undefined
}
