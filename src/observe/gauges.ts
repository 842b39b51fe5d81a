import type { PlatformName } from '../contract/run.js'
import type { EndState } from '../deliver/ledger.js'

/** The newest accepted deliveries, counted by two books that must agree: rows of deliveries, and what was told. */
export interface LedgerCheck {
  readonly accepted: number
  /** By the receipts, not by the deliveries' own state. */
  readonly ended: Readonly<Record<EndState, number>>
  readonly open: number
}

/** Accepted minus ended minus open: 0, or something was lost between being taken in and being told. */
export function ledgerGap({ accepted, ended, open }: LedgerCheck): number {
  return accepted - open - Object.values(ended).reduce((sum, count) => sum + count, 0)
}

/** What only the database knows; every figure is bounded work, whatever the backlog. Ages in ms. */
export interface LedgerGauges {
  /** Age of the oldest delivery that is owed, by platform; parked installations are not counted. Null: none. */
  readonly oldestMs: Readonly<Record<PlatformName, number | null>>
  /** Unsettled deliveries, counted up to a bound. */
  readonly open: number
  readonly gatesClosed: Readonly<Record<PlatformName, number>>
  readonly parkedInstallations: Readonly<Record<PlatformName, number>>
  /** How long a lane that may be worked on has waited for a worker; 0 when none waits. */
  readonly lateLaneMs: number
  readonly check: LedgerCheck
  readonly webhooksDisabled: number
  /** Age of the oldest webhook message that is due; 0 when none is. */
  readonly lateWebhookMs: number
}
