import { LarkRefusal } from './refusal.js'

/** Counts calls against the platform's limits. */
export interface Pace {
  /** @throws {LarkRefusal} 99991400 over the app's limit */
  app(appId: string, tenant: string): void
  /** @throws {LarkRefusal} 230020 over the chat's limit */
  send(chatId: string): void
}

/** Platform notes 4.2: 50 calls a second for an app in a tenant, 5 a second in one chat. */
export interface PaceLimits {
  readonly perAppPerSecond: number
  readonly perChatPerSecond: number
}

export const NO_PACE: Pace = { app: () => {}, send: () => {} }

/** Sliding windows of one second by the given clock (ms). */
export function createPace(limits: PaceLimits, now: () => number): Pace {
  const windows = new Map<string, number[]>()
  const isOver = (key: string, limit: number): boolean => {
    const atMs = now()
    const recent = (windows.get(key) ?? []).filter((time) => atMs - time < 1000)
    windows.set(key, recent)
    if (recent.length >= limit) return true
    recent.push(atMs)
    return false
  }
  return {
    app: (appId, tenant) => {
      if (isOver(`app ${appId} ${tenant}`, limits.perAppPerSecond)) throw new LarkRefusal(99991400)
    },
    send: (chatId) => {
      if (isOver(`chat ${chatId}`, limits.perChatPerSecond)) throw new LarkRefusal(230020)
    },
  }
}
