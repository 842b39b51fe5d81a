import type { LifecycleEvent, RunIdentity } from './event.js'

/** What can be wrong with a stream of lifecycle events. */
export const VIOLATIONS = [
  'empty_name',
  'repeated_run_id',
  'no_matching_start',
  'identity_diverges',
  'repeated_provider',
  'unknown_provider',
] as const
export type Violation = (typeof VIOLATIONS)[number]

const SUMMARIES = {
  empty_name: 'names and ids must be non-empty',
  repeated_run_id: 'start with a repeated run id',
  no_matching_start: 'end with no matching start',
  identity_diverges: 'end whose identity diverges from its start',
  repeated_provider: 'provider added with a repeated name',
  unknown_provider: 'unknown provider removed',
} as const satisfies Record<Violation, string>

/** A lifecycle event that must not be sent. Branch on `code`. */
export class LifecycleViolation extends Error {
  override readonly name = 'LifecycleViolation'
  readonly code: Violation

  constructor(code: Violation) {
    super(SUMMARIES[code])
    this.code = code
  }
}

/** Refuses events that are unpaired, repeated or drift. Remembers open runs only, so it may run for ever. */
export class LifecycleInvariants {
  readonly #open = new Map<string, RunIdentity>()
  readonly #providers = new Set<string>()

  /** @throws {LifecycleViolation} when the event may not follow the ones before it; it is then not counted */
  check(event: LifecycleEvent): void {
    if (event.edge === 'start') this.#start(event)
    else this.#end(event)
  }

  /** @throws {LifecycleViolation} when the name is empty or already added */
  addProvider(name: string): void {
    if (name === '') throw new LifecycleViolation('empty_name')
    if (this.#providers.has(name)) throw new LifecycleViolation('repeated_provider')
    this.#providers.add(name)
  }

  /** @throws {LifecycleViolation} when no such provider was added */
  removeProvider(name: string): void {
    if (!this.#providers.delete(name)) throw new LifecycleViolation('unknown_provider')
  }

  /** The start of a run that has not ended. */
  findOpen(runId: string): RunIdentity | null {
    return this.#open.get(runId) ?? null
  }

  #start({ runId, provider, id, local }: RunIdentity): void {
    if (runId === '' || provider === '' || id === '') throw new LifecycleViolation('empty_name')
    if (this.#open.has(runId)) throw new LifecycleViolation('repeated_run_id')
    this.#open.set(runId, { runId, provider, id, local })
  }

  #end(event: RunIdentity): void {
    const start = this.#open.get(event.runId)
    if (start === undefined) throw new LifecycleViolation('no_matching_start')
    const isSame = start.provider === event.provider && start.id === event.id && start.local === event.local
    if (!isSame) throw new LifecycleViolation('identity_diverges')
    this.#open.delete(event.runId)
  }
}
