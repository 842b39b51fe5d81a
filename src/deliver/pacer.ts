import type { PlatformName } from '../contract/run.js'
import { createRecentMap } from './recent-map.js'

/** One known rate: `burst` calls at once, then one each `intervalMs`. */
export interface Rate {
  readonly intervalMs: number
  readonly burst: number
}

/**
 * The rates the platforms publish, kept under so that gates stay rare. Source: platforms.md 1.5 (Slack: one message a
 * second a channel, short bursts tolerated) and 4.2 (Lark: 5/s a chat, 50/s an app), checked 2026-11.
 */
export const RATES: Readonly<
  Record<PlatformName, { readonly conversation: Rate; readonly installation: Rate }>
> = {
  slack: { conversation: { intervalMs: 1_050, burst: 2 }, installation: { intervalMs: 20, burst: 60 } },
  lark: { conversation: { intervalMs: 210, burst: 4 }, installation: { intervalMs: 21, burst: 40 } },
}

/** Buckets kept in memory; the oldest unused go first. Losing one only costs a burst. */
export const MAX_BUCKETS = 20_000

export interface Pacer {
  /**
   * Takes a slot for a lane's next call, now or later. The slot is kept for the lane: asking again before it is due
   * answers the rest of the same wait.
   *
   * @returns how long to wait, in ms; 0: call now
   */
  reserve(platform: PlatformName, installationId: string, conversationId: string, laneKey: string): number
  /** Buckets and slots kept. */
  readonly size: () => number
}

interface Bucket {
  /** When the next call would be due if no burst were allowed (GCRA's theoretical arrival time). */
  dueAtMs: number
}

export function createPacer(now: () => number): Pacer {
  const buckets = createRecentMap<Bucket>(MAX_BUCKETS)
  const slots = createRecentMap<number>(MAX_BUCKETS)

  function take(key: string, rate: Rate, nowMs: number): number {
    const bucket = buckets.get(key) ?? { dueAtMs: nowMs }
    buckets.set(key, bucket)
    const dueAtMs = Math.max(bucket.dueAtMs, nowMs)
    bucket.dueAtMs = dueAtMs + rate.intervalMs
    return Math.max(0, dueAtMs - nowMs - rate.intervalMs * (rate.burst - 1))
  }

  return {
    reserve(platform, installationId, conversationId, laneKey) {
      const nowMs = now()
      const held = slots.get(laneKey)
      if (held !== undefined) {
        if (held > nowMs) return held - nowMs
        slots.delete(laneKey)
        return 0
      }
      const rates = RATES[platform]
      const waitMs = Math.max(
        take(`${installationId}|${conversationId}`, rates.conversation, nowMs),
        take(installationId, rates.installation, nowMs),
      )
      if (waitMs > 0) {
        slots.set(laneKey, nowMs + waitMs)
      }
      return waitMs
    },
    size: () => buckets.size() + slots.size(),
  }
}

/** A pacer for trying out and measuring: everything may go at once. */
export const UNPACED: Pacer = { reserve: () => 0, size: () => 0 }
