/**
 * A map that keeps what was used last and forgets the oldest, in two generations: every operation costs the same however
 * full it is. (Deleting a Map's first key again and again walks over all that were deleted before.)
 */
export interface RecentMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  /** At most the entries it was made for. */
  readonly size: () => number
}

/** @param maxEntries entries kept at most; at least half of them are kept */
export function createRecentMap<Value>(maxEntries: number): RecentMap<Value> {
  const half = Math.ceil(maxEntries / 2)
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()

  function set(key: string, value: Value): void {
    if (!young.has(key) && young.size >= half) {
      old = young
      young = new Map()
    }
    old.delete(key)
    young.set(key, value)
  }

  return {
    get(key) {
      const found = young.get(key)
      if (found !== undefined) return found
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
    size: () => young.size + old.size,
  }
}
