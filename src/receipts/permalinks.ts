import type { PlatformName } from '../contract/run.js'
import type { Platform, Target } from '../deliver/platform.js'
import type { OutgoingEvent } from './event.js'

/** A message that stands in a chat and whose link is not known. */
export interface UnlinkedPart {
  readonly deliveryId: string
  readonly index: number
  readonly messageId: string
  readonly target: Target
}

/** What links need of the store. */
export interface PermalinkStore {
  /** Sent messages without a link, of platforms that have links. */
  unlinked(deliveryIds: readonly string[], limit: number): Promise<readonly UnlinkedPart[]>
  keep(part: Pick<UnlinkedPart, 'deliveryId' | 'index'>, permalink: string): Promise<void>
  /** Known links by delivery, then by part. */
  known(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<number, string>>>
}

export interface Permalinks {
  /** Adds links to the parts of delivery events; one that cannot be had now is null and asked for the next time. */
  link<E extends OutgoingEvent & { readonly deliveryId: string | null }>(
    events: readonly E[],
  ): Promise<readonly E[]>
  /** Looks links up and keeps them. */
  resolve(deliveryIds: readonly string[]): Promise<void>
}

/** Links looked up for one answer; each is a call. */
const MAX_LOOK_UPS = 20

/** Links to messages, looked up only when somebody reads them and never by a lane. */
export function createPermalinks(
  store: PermalinkStore,
  platformOf: (name: PlatformName) => Pick<Platform, 'permalink'> | null,
): Permalinks {
  async function resolve(deliveryIds: readonly string[]): Promise<void> {
    if (deliveryIds.length === 0) return
    const parts = await store.unlinked(deliveryIds, MAX_LOOK_UPS)
    await Promise.all(
      parts.map(async (part) => {
        const platform = platformOf(part.target.installation.platform)
        const permalink = (await platform?.permalink(part.target, part.messageId)) ?? null
        if (permalink !== null) await store.keep(part, permalink)
      }),
    )
  }

  return {
    resolve,
    async link(events) {
      const ids = events.flatMap((event) => (event.deliveryId === null ? [] : [event.deliveryId]))
      if (ids.length === 0) return events
      await resolve(ids)
      const known = await store.known(ids)
      return events.map((event) => {
        const links = event.deliveryId === null ? undefined : known.get(event.deliveryId)
        return { ...event, data: withLinks(event.data, links) }
      })
    },
  }
}

function withLinks(
  data: OutgoingEvent['data'],
  links: ReadonlyMap<number, string> | undefined,
): OutgoingEvent['data'] {
  const { parts } = data
  if (!Array.isArray(parts)) return data
  return {
    ...data,
    parts: parts.map((part: unknown) => {
      if (typeof part !== 'object' || part === null || !('index' in part)) return part
      const link = typeof part.index === 'number' ? links?.get(part.index) : undefined
      return { ...part, permalink: link ?? null }
    }),
  }
}
