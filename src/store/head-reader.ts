import type { Head, LaneClaim } from '../deliver/ledger.js'
import { createBatcher } from './batch.js'
import type { Database } from './database.js'
import { type FoundHead, readHeads, readLargeHeads } from './lane-head.js'

/** Large heads read together. */
const LARGE_AT_ONCE = 4

export interface HeadReader {
  /** The head of a lane, or null when it has none. */
  read(lane: LaneClaim): Promise<Head | null>
  /** What a claim found, complete. */
  complete(lane: LaneClaim, found: FoundHead): Promise<Head | null>
}

interface BatchLimits {
  readonly maxItems: number
  readonly maxFlushes: number
}

/** Reads heads, many in one statement; those of large runs a few at a time, whatever the number of lanes. */
export function headReader(db: Database, batch: BatchLimits): HeadReader {
  const readFound = reading((lanes) => readHeads(db, lanes), batch)
  const readLarge = reading((lanes) => readLargeHeads(db, lanes), { maxItems: LARGE_AT_ONCE, maxFlushes: 1 })

  async function complete(lane: LaneClaim, found: FoundHead): Promise<Head | null> {
    if (found !== 'large') return found
    const whole = await readLarge(lane)
    if (whole === 'large') throw new TypeError('a head that was asked for whole came without its run')
    return whole
  }

  return {
    async read(lane) {
      const found = await readFound(lane)
      return found === null ? null : complete(lane, found)
    },
    complete,
  }
}

function reading(
  read: (lanes: readonly LaneClaim[]) => Promise<ReadonlyMap<string, FoundHead>>,
  limits: BatchLimits,
): (lane: LaneClaim) => Promise<FoundHead | null> {
  return createBatcher({
    ...limits,
    async flush(lanes) {
      const heads = await read(lanes)
      return lanes.map(({ key }) => heads.get(key) ?? null)
    },
  })
}
