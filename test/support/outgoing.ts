import { vi } from 'vitest'
import { createOutgoing, type Outgoing } from '../../src/app/outgoing.js'
import { createLogger } from '../../src/log.js'
import { createPoster } from '../../src/receipts/post.js'
import { createSealer, newSealingKey, parseSealingKeys } from '../../src/store/sealing.js'
import type { TestDatabase } from './database.js'

/** Time that a test moves by hand, in ms. */
export interface HandClock {
  readonly now: () => number
  pass(ms: number): void
}

export function handClock(): HandClock {
  let shiftMs = 0
  return {
    now: () => Date.now() + shiftMs,
    pass: (ms) => {
      shiftMs += ms
    },
  }
}

export const SEALER = createSealer(parseSealingKeys(newSealingKey('test')))

/** What one process tells producers, with its clock in the test's hand and no jitter. */
export function outgoingOn(
  database: TestDatabase,
  clock: HandClock,
  more: Partial<Parameters<typeof createOutgoing>[0]> = {},
): Outgoing {
  return createOutgoing({
    db: database.db,
    sealer: SEALER,
    platformOf: () => null,
    replay: async () => {},
    emit: () => {},
    workerId: 'worker_1',
    now: clock.now,
    random: () => 0.5,
    log: createLogger('silent'),
    poster: createPoster({ now: clock.now, timeoutMs: 300 }),
    ...more,
  })
}

/** Commits one event as a settling delivery does, and waits until no older transaction runs. */
export async function record(
  database: TestDatabase,
  ...events: readonly { kind: string; body?: object; installationId?: string; deliveryId?: string }[]
): Promise<void> {
  for (const { kind, body = {}, installationId, deliveryId } of events) {
    await database.db
      .insertInto('receipts')
      .values({
        kind,
        body: JSON.stringify(body),
        installation_id: installationId ?? null,
        delivery_id: deliveryId ?? null,
      })
      .execute()
  }
  await allCommitted(database)
}

/** Other tests share the cluster, and their transactions hold the horizon back for a moment. */
export async function allCommitted(database: TestDatabase): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        `select not exists (select 1 from receipts
                             where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())) as done`,
      )
      if (rows[0]?.done !== true) throw new TypeError('an older transaction still runs')
    },
    { timeout: 20_000, interval: 5 },
  )
}
