import { z } from 'zod'
import type { AppSecretName, AppSecrets } from '../../store/app-secrets.js'

/** How long a ticket is taken from memory, in ms; one that another process was pushed is seen this late at most. */
const CACHE_MS = 2_000

/** What is sealed. */
const Kept = z.object({ ticket: z.string().min(1), pushedAtMs: z.number() })

/** Tickets of store apps, sealed, the same for every process on the database. */
export interface LarkTickets {
  /** Keeps a ticket unless one that was pushed later is kept already. */
  keep(appId: string, ticket: string, pushedAtMs: number): Promise<void>
  /** The newest, or null while none has come. */
  newest(appId: string): Promise<string | null>
}

/** @param now milliseconds since the epoch, UTC */
export function createLarkTickets(secrets: AppSecrets, now: () => number): LarkTickets {
  const cache = new Map<string, { readonly atMs: number; readonly ticket: string | null }>()
  const read = async (appId: string) => {
    const kept = await secrets.read(nameOf(appId))
    return kept === null ? null : Kept.parse(JSON.parse(kept.secret))
  }
  return {
    async keep(appId, ticket, pushedAtMs) {
      const kept = await read(appId)
      if (kept !== null && kept.pushedAtMs > pushedAtMs) return
      await secrets.put(nameOf(appId), JSON.stringify({ ticket, pushedAtMs }))
      cache.delete(appId)
    },
    async newest(appId) {
      const known = cache.get(appId)
      if (known !== undefined && known.ticket !== null && now() - known.atMs < CACHE_MS) return known.ticket
      const ticket = (await read(appId))?.ticket ?? null
      cache.set(appId, { atMs: now(), ticket })
      return ticket
    },
  }
}

/** By app id: an app that is configured under another key keeps its ticket, and another app never gets it. */
function nameOf(appId: string): AppSecretName {
  return { platform: 'lark', app: appId, name: 'app_ticket' }
}
