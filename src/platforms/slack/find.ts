import { z } from 'zod'
import type { Fault, FindResult, FindWindow, Marker, Target } from '../../deliver/platform.js'
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

/**
 * Looks for a part in the thread, or in the channel where there is no thread, by the marker in its metadata (a
 * file: in its name), written by this bot. One call in nearly all cases, three at most.
 *
 * `absent` is only said after the whole window was read. A fault means that it was not: `rate_limited`,
 * `not_sent`, `unknown` and `token` may be asked again; any other (a missing history scope, not a member) means
 * that this conversation cannot be looked up, not that it cannot be written to.
 */
export async function find(
  call: SlackCall,
  target: Target,
  marker: Marker,
  window: FindWindow,
): Promise<FindResult> {
  if (target.anchor === null) return search(call, target, 'conversations.history', {}, marker, window)
  const inThread = await search(call, target, 'conversations.replies', { ts: target.anchor }, marker, window)
  // The parent is gone. An answer accepted meanwhile may stand in the channel.
  const isGone = inThread.kind === 'anchor_dead'
  return isGone ? search(call, target, 'conversations.history', {}, marker, window) : inThread
}

async function search(
  call: SlackCall,
  target: Target,
  method: string,
  place: JsonObject,
  marker: Marker,
  window: FindWindow,
): Promise<FindResult> {
  let cursor: string | null = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
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
    const read = readPage(answer.body)
    if (read === null) return { kind: 'unknown', code: 'unreadable_answer' } satisfies Fault
    const found = read.messages.find(
      (message) => isOurs(message, answer.credentials) && isMarked(message, marker),
    )
    if (found) {
      return {
        kind: 'sent',
        messageId: found.ts,
        inPlace: isInPlace(target.anchor, found.ts, found.thread_ts),
      }
    }
    cursor = read.cursor
    if (cursor === null) return { kind: 'absent' }
  }
  return { kind: 'unknown', code: 'lookup_incomplete' }
}

function readPage(
  body: unknown,
): { readonly messages: readonly Message[]; readonly cursor: string | null } | null {
  const page = Page.safeParse(body)
  if (!page.success) return null
  const messages = page.data.messages.flatMap((raw) => Message.safeParse(raw).data ?? [])
  const cursor = page.data.response_metadata?.next_cursor ?? ''
  if (cursor !== '') return { messages, cursor }
  // More, but no way to it: the window was not read.
  return page.data.has_more === true ? null : { messages, cursor: null }
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
