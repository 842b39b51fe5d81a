import type { Policy } from '../contract/decision.js'
import type { PlatformName } from '../contract/run.js'
import type { Language, Words } from '../locales.js'
import type { Logger } from '../log.js'
import type { CallSlots } from './call-slots.js'
import type { Gates } from './gates.js'
import type { KeptLease } from './lease.js'
import type { Ledger } from './ledger.js'
import type { Pacer } from './pacer.js'
import type { Platform } from './platform.js'
import type { StepName } from './steps.js'
import type { WorkObserver } from './work-lifecycle.js'

/** What an operator may set about delivering. Times in ms. */
export interface DeliverSettings {
  readonly policy: Policy
  readonly defaultLanguage: Language
  /** Parts above which an answer becomes a preview and a file. */
  readonly maxParts: number
  /** How long an unknown outcome is left alone before it is looked up. */
  readonly settleMs: number
  /** Window in which the same failure header is shown once. */
  readonly repeatWindowMs: number
  readonly unknownPolicy: 'resend' | 'hold'
}

/** Something that happened to a delivery, for metrics and logs. Ids and codes only. */
export type DeliveryEvent =
  | {
      readonly kind: 'planned'
      readonly deliveryId: string
      readonly runId: string
      readonly platform: PlatformName
      readonly decision: string
      readonly why: string | null
    }
  | {
      readonly kind: 'attempted'
      readonly deliveryId: string
      readonly platform: PlatformName
      readonly outcome: string
      readonly code: string | null
      readonly durationMs: number
    }
  | {
      readonly kind: 'settled'
      readonly deliveryId: string
      readonly runId: string
      readonly platform: PlatformName
      readonly state: string
      readonly reason: string | null
      readonly acceptedAtMs: number
      readonly settledAtMs: number
    }
  | {
      readonly kind: 'gate_closed'
      readonly installationId: string
      readonly code: string
      readonly waitMs: number
    }
  | { readonly kind: 'installation_parked'; readonly installationId: string; readonly code: string }

/** Everything a lane needs to do its work. One a process. */
export interface Engine {
  readonly workerId: string
  readonly ledger: Ledger
  readonly platformOf: (name: PlatformName) => Platform | null
  readonly words: Words
  readonly settings: DeliverSettings
  readonly pacer: Pacer
  readonly gates: Gates
  /** Whether this process may still speak. */
  readonly lease: KeptLease
  /** Calls under way at the same time in this process. */
  readonly calls: CallSlots
  /** Literal secrets of an installation, to be masked in what is sent. */
  readonly secretsOf: (installationId: string) => Promise<readonly string[]>
  readonly now: () => number
  /** Returns [0, 1). */
  readonly random: () => number
  readonly emit: (event: DeliveryEvent) => void
  /** Told where the work on a delivery begins and ends in this process. */
  readonly observer: WorkObserver
  /** Told of every moment between two steps; does nothing but in crash tests. */
  readonly reached: (step: StepName) => void
  readonly log: Logger
}
