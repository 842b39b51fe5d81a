import { z } from 'zod'
import type { Fault, FindResult, FindWindow, Marker, Platform, Sent, Target } from '../../deliver/platform.js'
import type { JsonObject } from '../../render/part.js'
import { toSlackTs } from './address.js'
import type { SlackCall, SlackCredentials } from './call.js'
import { hasMarkerTag, MARKER_EVENT_TYPE } from './request.js'
import { isInPlace } from './send.js'

/** How far Slack's clock may be from ours. A wider window costs pages that a restricted app has no calls for. */
const CLOCK_SKEW_MS = 60_000
/** How long after its last attempt a message may still land: our timeout, a proxy's, and the skew. */
const LANDING_MS = 120_000
/** All that Slack gives to apps outside its Marketplace (docs.slack.dev/changelog, 2025-05-29). */
const PAGE_SIZE = 15
const MAX_PAGES = 3
const MAX_BOOKMARKS = 1_000

const Message = z.object({
  ts: z.string().min(1),
  thread_ts: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().nullish(),
  app_id: z.string().nullish(),
  metadata: z
    .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
    .optional()
    .catch(undefined),
  files: z
    .array(z.object({ name: z.string().nullish() }))
    .optional()
    .catch(undefined),
})
type Message = z.infer<typeof Message>

const Page = z.object({
  messages: z.array(z.unknown()),
  has_more: z.boolean().optional(),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})

/** Where a look-up stopped, so that an app with one call a minute reaches the second page at all. */
type Bookmarks = Map<string, { readonly cursor: string; readonly pagesRead: number }>

interface LookUp {
  readonly call: SlackCall
  readonly bookmarks: Bookmarks
  readonly target: Target
  readonly marker: Marker
  readonly window: FindWindow
}

/**
 * Looks for a part in the thread, or in the channel where there is no thread, by the marker in its metadata (a
 * file: in its name), written by this bot. One call in nearly all cases, three at most.
 *
 * `absent` is only said after the whole window was read. A fault means that it was not: `rate_limited`,
 * `not_sent`, `unknown` and `token` may be asked again and go on where they stopped; any other (a missing history
 * scope, not a member, `lookup_incomplete`) means that this conversation cannot be looked up, not that it cannot
 * be written to.
 */
export function createFind(call: SlackCall): Platform['find'] {
  const bookmarks: Bookmarks = new Map()
  return async (target, marker, window) => {
    const lookUp = { call, bookmarks, target, marker, window }
    if (target.anchor === null) return search(lookUp, 'conversations.history', {})
    const inThread = await search(lookUp, 'conversations.replies', { ts: target.anchor })
    // The parent is gone. An answer accepted meanwhile may stand in the channel.
    return inThread.kind === 'anchor_dead' ? search(lookUp, 'conversations.history', {}) : inThread
  }
}

async function search(lookUp: LookUp, method: string, place: JsonObject): Promise<FindResult> {
  const { bookmarks, marker, window } = lookUp
  const key = [method, marker.deliveryId, marker.partIndex, marker.rendering, window.lastAttemptAtMs].join(
    '/',
  )
  let { cursor, pagesRead } = bookmarks.get(key) ?? { cursor: '', pagesRead: 0 }
  bookmarks.delete(key)
  while (pagesRead < MAX_PAGES) {
    const page = await readPage(lookUp, method, place, cursor)
    if (page.kind !== 'page') {
      if (pagesRead > 0) keep(bookmarks, key, { cursor, pagesRead })
      return page
    }
    if (page.found !== null) return page.found
    if (page.next === null) return { kind: 'absent' }
    cursor = page.next
    pagesRead += 1
  }
  return { kind: 'bug', code: 'lookup_incomplete' }
}

function keep(
  bookmarks: Bookmarks,
  key: string,
  bookmark: { readonly cursor: string; readonly pagesRead: number },
) {
  bookmarks.set(key, bookmark)
  // Look-ups that nobody came back for; a Map keeps insertion order.
  for (const oldest of bookmarks.keys()) {
    if (bookmarks.size <= MAX_BOOKMARKS) break
    bookmarks.delete(oldest)
  }
}

interface ReadPage {
  readonly kind: 'page'
  readonly found: Sent | null
  readonly next: string | null
}

async function readPage(
  { call, target, marker, window }: LookUp,
  method: string,
  place: JsonObject,
  cursor: string,
): Promise<ReadPage | Fault> {
  const answer = await call(target, method, {
    channel: target.conversationId,
    ...place,
    oldest: toSlackTs(window.firstAttemptAtMs - CLOCK_SKEW_MS),
    latest: toSlackTs(window.lastAttemptAtMs + LANDING_MS),
    inclusive: true,
    include_all_metadata: true,
    limit: PAGE_SIZE,
    ...(cursor === '' ? {} : { cursor }),
  })
  if (answer.kind !== 'answer') return answer
  const page = Page.safeParse(answer.body)
  if (!page.success) return { kind: 'unknown', code: 'unreadable_answer' }
  const messages = page.data.messages.flatMap((raw) => Message.safeParse(raw).data ?? [])
  const ours = messages.find((each) => isOurs(each, answer.credentials) && isMarked(each, marker))
  if (ours) {
    const inPlace = isInPlace(target.anchor, ours.ts, ours.thread_ts)
    return { kind: 'page', found: { kind: 'sent', messageId: ours.ts, inPlace }, next: null }
  }
  const next = page.data.response_metadata?.next_cursor ?? ''
  // More, but no way to it: the window cannot be read.
  if (next === '' && page.data.has_more === true) return { kind: 'bug', code: 'lookup_incomplete' }
  return { kind: 'page', found: null, next: next === '' ? null : next }
}

function isMarked(message: Message, marker: Marker): boolean {
  if (message.files?.some((file) => typeof file.name === 'string' && hasMarkerTag(file.name, marker)))
    return true
  if (message.metadata?.event_type !== MARKER_EVENT_TYPE) return false
  const { delivery_id, part, rendering } = message.metadata.event_payload
  return delivery_id === marker.deliveryId && part === marker.partIndex && rendering === marker.rendering
}

/** Anyone may copy our metadata. A message that names another writer is not ours; one that names none may be. */
function isOurs(message: Message, credentials: SlackCredentials): boolean {
  const pairs = [
    [message.bot_id, credentials.botId],
    [message.app_id, credentials.appId],
    [message.user, credentials.botUserId],
  ] as const
  return pairs.every(([theirs, ours]) => theirs == null || ours === null || theirs === ours)
}
