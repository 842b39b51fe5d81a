import type { Decision } from '../contract/decision.js'
import type { Run, Surface } from '../contract/run.js'
import type { Part, RenderNotes } from '../render/part.js'
import type { LedgerNotice } from './notice.js'
import type { InstallationRef } from './platform.js'

/** The right to work on one conversation's deliveries. `epoch` is the fence: a newer owner has a greater one. */
export interface LaneClaim {
  readonly key: string
  readonly epoch: number
  readonly installationId: string
}

/** A worker, and what it knows of its own claims. */
export interface Claimant {
  readonly workerId: string
  /** Keys of the lanes it works on. */
  readonly heldKeys: readonly string[]
}

/** An installation as the worker needs it. */
export interface InstallationFacts extends InstallationRef {
  readonly locale: string | null
  readonly unknownPolicy: 'resend' | 'hold' | null
  readonly state: 'active' | 'parked' | 'removed'
  /** False once an upload was refused for want of the scope. */
  readonly files: boolean
}

/** What is remembered of a conversation; null fields were never asked. */
export interface ConversationMemory {
  readonly surface: Surface | null
  readonly isTopicGroup: boolean
  readonly locale: string | null
  readonly state: 'open' | 'dead'
  readonly stateCode: string | null
  readonly checkedAtMs: number
}

export type OpenState = 'accepted' | 'planned' | 'delivering' | 'parked'
export type EndState = 'delivered' | 'dropped' | 'dead' | 'expired'

export interface StoredPart {
  readonly index: number
  readonly rendering: number
  readonly part: Part
  /** A message of ours that this part is edited into. */
  readonly replaces: string | null
  readonly state: 'pending' | 'sending' | 'sent' | 'unknown' | 'failed'
  readonly attempt: number
  readonly firstAttemptAtMs: number | null
  readonly attemptAtMs: number | null
  readonly messageId: string | null
}

/** The first unsettled delivery of a lane. */
export interface Head {
  readonly id: string
  readonly seq: number
  readonly run: Run
  readonly state: OpenState
  readonly conversationKey: string
  readonly decision: Decision | null
  readonly causeKey: string | null
  readonly surface: Surface | null
  readonly locale: string | null
  readonly localeFrom: string | null
  readonly conversationId: string | null
  readonly anchor: string | null
  readonly inTopic: boolean
  readonly notes: RenderNotes | null
  /** What the ledger said of the notice the run claims, when it was decided. */
  readonly noticeFinding: string | null
  readonly tries: number
  readonly unknownCount: number
  readonly acceptedAtMs: number
  readonly expiresAtMs: number
  readonly producer: string | null
  readonly parts: readonly StoredPart[]
  readonly conversation: ConversationMemory | null
  /** A later attempt of the same run is here: this one is not what the run came to. */
  readonly hasLaterAttempt: boolean
}

/** A change of a delivery's row. Absent fields stay as they are. */
export interface DeliveryPatch {
  readonly state?: OpenState | EndState
  readonly reason?: string | null
  readonly decision?: Decision
  readonly causeKey?: string | null
  readonly surface?: Surface
  readonly locale?: string
  readonly localeFrom?: string
  readonly conversationId?: string
  readonly anchor?: string | null
  readonly inTopic?: boolean
  readonly notes?: RenderNotes
  readonly noticeFinding?: string | null
  readonly tries?: number
  readonly unknownCount?: number
  readonly plannedAtMs?: number
  readonly settledAtMs?: number
}

/** One call for one part, as the journal keeps it. Never text. */
export interface AttemptRecord {
  readonly partIndex: number
  readonly number: number
  readonly rendering: number
  readonly method: string
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly outcome: string
  readonly code: string | null
  readonly waitMs: number | null
  readonly vendorLogId: string | null
}

export interface ReceiptRecord {
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Everything one step of a lane writes, in one transaction, refused as a whole when the lane has a newer owner. A
 * part is written only over an older attempt or over this epoch's own.
 */
export interface LaneWrite {
  readonly lane: LaneClaim
  readonly deliveryId?: string
  readonly patch?: DeliveryPatch
  readonly parts?: readonly StoredPart[]
  readonly attempt?: AttemptRecord
  readonly receipt?: ReceiptRecord
  readonly release?: Release
}

/**
 * Gives the lane back: `at` a moment, `when_told` (something is accepted or an installation comes back), or
 * `if_idle`: only when no unsettled delivery is left, else the lane stays ours.
 */
export type Release =
  | { readonly kind: 'at'; readonly readyAtMs: number }
  | { readonly kind: 'when_told' }
  | { readonly kind: 'if_idle' }

/** `lost`: another worker owns the lane, or already took this attempt of the part. `released`: written, and the lane is given back. */
export type WriteResult = 'written' | 'released' | 'lost'

/** Not-before of a scope. `scope` is `installation|kind|id`. */
export interface Gate {
  readonly scope: string
  readonly installationId: string
  readonly notBeforeMs: number
  readonly code: string
}

/** An earlier delivery whose messages a later one may edit. */
export interface EarlierDelivery {
  readonly id: string
  readonly messageIds: readonly string[]
  readonly repeatCount: number
}

/**
 * What the lane worker needs of the store. Every method is one short transaction; none is open across a platform
 * call.
 */
export interface Ledger {
  /**
   * Claims up to `limit` due lanes that nobody works on, a fair share an installation. `takenOver` of them had an owner:
   * a worker that died, or the claimant itself, which never heard of it.
   */
  claim(
    claimant: Claimant,
    limit: number,
  ): Promise<{ readonly lanes: readonly LaneClaim[]; readonly takenOver: number }>
  /** The first unsettled delivery of a claimed lane, with its parts, or null when the lane is done. */
  head(lane: LaneClaim): Promise<Head | null>
  write(workerId: string, write: LaneWrite): Promise<WriteResult>

  installation(id: string): Promise<InstallationFacts | null>
  /** Stops an installation's lanes until it is revived; true when it was active until now. */
  parkInstallation(id: string, code: string): Promise<boolean>
  noteFilesRefused(installationId: string): Promise<void>
  rememberConversation(
    installationId: string,
    conversationId: string,
    memory: ConversationMemory & {
      readonly isMember: boolean | null
      readonly isArchived: boolean
      readonly name: string | null
    },
  ): Promise<void>
  markConversationDead(installationId: string, conversationId: string, code: string): Promise<void>
  /** A conversation that was given up can be written to again. */
  reviveConversation(installationId: string, conversationId: string): Promise<void>
  person(
    installationId: string,
    personId: string,
  ): Promise<{
    readonly directId: string | null
    readonly locale: string | null
    readonly checkedAtMs: number
  } | null>
  rememberPerson(
    installationId: string,
    personId: string,
    facts: { readonly directId?: string; readonly locale?: string | null },
  ): Promise<void>

  /** Tells operators and producers something about an installation. */
  announce(installationId: string, receipt: ReceiptRecord): Promise<void>

  /** Closes a gate, or keeps it closed for longer; true when it had been open. */
  closeGate(gate: Gate): Promise<boolean>
  gates(): Promise<readonly Gate[]>

  /** The latest earlier attempt of the same run in the conversation that showed a notice. */
  earlierNotice(head: Head): Promise<EarlierDelivery | null>
  /** The delivery that showed the same failure header in the conversation since `sinceMs`. */
  repeatOf(head: Head, causeKey: string, sinceMs: number): Promise<EarlierDelivery | null>
  /** The notice recorded under this id, or null. It is spent by the write that settles a delivery which claims it. */
  notice(noticeId: string): Promise<LedgerNotice | null>

  /** Says that this worker lives. False when it had been declared dead meanwhile. */
  beat(workerId: string): Promise<boolean>
  /** Forgets workers that died, which frees their lanes for the next claim; returns how many workers. */
  reap(staleMs: number, deadMs: number): Promise<number>
  /**
   * Wakes lanes whose oldest delivery is past its deadline, and arms those that have work and nobody to do it.
   * `overdue` are such lanes of installations that are not active, claimed for the claimant: no other claim ever takes them.
   */
  sweep(claimant: Claimant): Promise<{
    readonly woken: number
    readonly rearmed: number
    readonly overdue: readonly LaneClaim[]
  }>
}
