import type { LedgerGauges } from './gauges.js'

/** Why a process should get no traffic. Stable words, for probes and alerts. */
export type UnreadyReason = 'database_unreachable' | 'queue_unreachable' | 'work_stuck'

export interface ReadinessOptions {
  /** Resolves when the database answers. */
  readonly pingDatabase: () => Promise<unknown>
  /** Resolves when the queue's tables answer. */
  readonly pingQueue: () => Promise<unknown>
  readonly readGauges: () => Promise<Pick<LedgerGauges, 'lateLaneMs'>>
  /** A conversation that may be worked on and has waited for longer than this, in ms, means that nobody works. */
  readonly stuckMs: number
  /** Longest wait for all answers, in ms. */
  readonly timeoutMs: number
}

/**
 * Whether this Lastword does its work. What waits because a platform is down or asked us to wait is no reason: taking
 * this process out of service would stop runs from being taken in, and help nobody.
 */
export async function readReadiness(options: ReadinessOptions): Promise<readonly UnreadyReason[]> {
  const [database, queue, gauges] = await Promise.all([
    within(options.timeoutMs, options.pingDatabase()),
    within(options.timeoutMs, options.pingQueue()),
    within(options.timeoutMs, options.readGauges()),
  ])
  const reasons: UnreadyReason[] = []
  if (database === null) reasons.push('database_unreachable')
  if (queue === null && database !== null) reasons.push('queue_unreachable')
  if (gauges !== null && gauges.value.lateLaneMs > options.stuckMs) reasons.push('work_stuck')
  return reasons
}

/** The answer, or null when it failed or did not come in time. */
async function within<T>(timeoutMs: number, asked: Promise<T>): Promise<{ readonly value: T } | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), timeoutMs)
  })
  try {
    return await Promise.race([asked.then((value) => ({ value })), late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
