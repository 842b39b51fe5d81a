import type { PgBoss } from 'pg-boss'
import type { Config } from '../config.js'
import type { DeliveryEvent } from '../deliver/engine.js'
import type { Worker } from '../deliver/worker.js'
import { RUNS_QUEUE } from '../intake/queue-jobs.js'
import type { Logger } from '../log.js'
import { createCodeLabel } from '../observe/codes.js'
import { logDeliveryEvents } from '../observe/log-events.js'
import { createMetrics, type Metrics } from '../observe/metrics.js'
import { readReadiness, type UnreadyReason } from '../observe/readiness.js'
import { LARK_CODES } from '../platforms/lark/codes.js'
import { SLACK_ERRORS } from '../platforms/slack/error-codes.js'
import type { OpenDatabase } from '../store/database.js'
import { readLedgerGauges } from '../store/ledger-gauges.js'

/** Longest wait for an answer to a probe, in ms; Kubernetes gives one second by default, Docker thirty. */
const PROBE_MS = 900

export interface Observability {
  readonly metrics: Metrics
  /** To be told of every event. */
  readonly listeners: readonly ((event: DeliveryEvent) => void)[]
  /** Why this process should get no traffic; empty when it may. */
  readiness(): Promise<readonly UnreadyReason[]>
}

/** What an operator sees of one process and of the ledger. */
export function openObservability(options: {
  readonly config: Pick<Config, 'LASTWORD_STUCK_MS'>
  readonly database: OpenDatabase
  readonly boss: Pick<PgBoss, 'getQueue'>
  readonly worker: Pick<Worker, 'activeLanes'>
  readonly log: Logger
  readonly now: () => number
}): Observability {
  const { db, pool } = options.database
  const readGauges = () => readLedgerGauges(db)
  const metrics = createMetrics({
    readGauges,
    activeLanes: options.worker.activeLanes,
    codeLabel: createCodeLabel([...Object.keys(SLACK_ERRORS), ...Object.keys(LARK_CODES)]),
    now: options.now,
  })
  return {
    metrics,
    listeners: [metrics.event, logDeliveryEvents(options.log)],
    readiness: () =>
      readReadiness({
        pingDatabase: () => pool.query('select 1'),
        pingQueue: () => options.boss.getQueue(RUNS_QUEUE),
        readGauges,
        stuckMs: options.config.LASTWORD_STUCK_MS,
        timeoutMs: PROBE_MS,
      }),
  }
}
