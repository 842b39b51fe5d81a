import type { Fault, FindResult, FindWindow, Target } from '../../deliver/platform.js'
import { isLarkId } from './address.js'
import type { LarkCaller } from './client-call.js'
import { addressFault } from './send.js'
import { placeOfMessage } from './topics.js'

/** A call that was cut off may still have been on its way; a message made later than this is not its. */
const STRAGGLER_MS = 120_000
/** 50 a page; a chat with more of its own traffic in the window is not searched to the end. */
const MAX_PAGES = 4

interface Container {
  readonly kind: 'container'
  readonly type: 'chat' | 'thread'
  readonly id: string
}

interface Listed {
  readonly message_id?: string | undefined
  readonly create_time?: string | undefined
  readonly parent_id?: string | undefined
  readonly sender?: { readonly id: string; readonly sender_type: string } | undefined
}

/**
 * Looks for a part that may have landed, among what this app wrote in the conversation while it was tried.
 *
 * This is for outcomes older than the hour in which the same `uuid` gives the answer. Lark keeps no data of ours with
 * a message and gives cards back rewritten, so the evidence is the sender, the time and the place. A lane sends one
 * part at a time: one such message is the part. Several, or a place that cannot be listed, are `anchor_dead` without a fallback:
 * nobody can tell.
 */
export async function findPart(caller: LarkCaller, target: Target, window: FindWindow): Promise<FindResult> {
  const misaddressed = addressFault(target)
  if (misaddressed !== null) return misaddressed
  const container = await containerOf(caller, target)
  if (container.kind !== 'container') return lookUpFault(container)
  const ours: Listed[] = []
  let pageToken: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const called = await listPage(caller, target, container, window, pageToken)
    if (called.kind !== 'ok') return lookUpFault(called)
    const { items, hasMore, isPast, appId, nextToken } = called.value
    ours.push(
      ...items.filter(
        (message) => isOurs(message, appId) && isWithin(message, window) && isUnder(message, target),
      ),
    )
    if (!hasMore || isPast || nextToken === undefined) return verdict(ours)
    pageToken = nextToken
  }
  return undecidable('listing_too_long')
}

/**
 * A look-up that failed says nothing of the part, least of all that it was not sent. What failed in passing is asked
 * again (`unknown`); what Lark will always refuse cannot be decided here.
 */
function lookUpFault(fault: Fault): Fault {
  switch (fault.kind) {
    case 'unknown':
    case 'not_sent':
    case 'in_flight':
      return { kind: 'unknown', code: fault.code, vendorLogId: fault.vendorLogId }
    case 'content':
    case 'bug':
      return { ...undecidable(fault.code), vendorLogId: fault.vendorLogId }
    default:
      return fault
  }
}

/** There is nothing to know the part by, now or later: the installation's policy for unknown outcomes decides. */
function undecidable(code: string): Fault {
  return { kind: 'anchor_dead', fallback: 'none', code }
}

function verdict(ours: readonly Listed[]): FindResult {
  const [only, ...others] = ours
  if (only === undefined) return { kind: 'absent' }
  if (others.length > 0 || only.message_id === undefined) return undecidable('listing_ambiguous')
  return { kind: 'sent', messageId: only.message_id, inPlace: true }
}

/** A topic's answers stand in the topic's own listing, not in the chat's. */
async function containerOf(
  caller: LarkCaller,
  { installation, anchor, conversationId }: Target,
): Promise<Container | Fault> {
  if (anchor !== null && isLarkId('topic', anchor)) return { kind: 'container', type: 'thread', id: anchor }
  const place = anchor === null ? null : await placeOfMessage(caller, installation, anchor)
  if (place?.kind === 'place' && place.topicId !== null)
    return { kind: 'container', type: 'thread', id: place.topicId }
  if (place !== null && place.kind !== 'place' && place.kind !== 'anchor_dead') return place
  const chatId = isLarkId('chat', conversationId)
    ? conversationId
    : place?.kind === 'place'
      ? place.chatId
      : null
  // A direct chat that is known by its person alone has no id to list.
  return chatId === null ? undecidable('no_chat_to_list') : { kind: 'container', type: 'chat', id: chatId }
}

interface Page {
  readonly items: readonly Listed[]
  readonly hasMore: boolean
  /** The listing has reached messages older than the window. */
  readonly isPast: boolean
  readonly nextToken: string | undefined
  readonly appId: string
}

async function listPage(
  caller: LarkCaller,
  { installation }: Target,
  container: Container,
  window: FindWindow,
  pageToken: string | undefined,
) {
  return caller.call(installation, async ({ im, as, appId }): Promise<Page> => {
    const { data } = await im.message.list({ params: paramsOf(container, window, pageToken) }, as)
    const items: readonly Listed[] = data?.items ?? []
    const isPast = items.some((message) => createdAtMs(message) < window.firstAttemptAtMs)
    return { items, hasMore: data?.has_more === true, isPast, nextToken: data?.page_token, appId }
  })
}

/** Times are whole SECONDS, and only a chat takes them; both listings run from the newest back. */
function paramsOf({ type, id }: Container, window: FindWindow, pageToken: string | undefined) {
  const range =
    type === 'thread'
      ? {}
      : {
          start_time: String(Math.floor(window.firstAttemptAtMs / 1000)),
          end_time: String(Math.ceil(lastMomentMs(window) / 1000)),
        }
  return {
    container_id_type: type,
    container_id: id,
    ...range,
    sort_type: 'ByCreateTimeDesc' as const,
    page_size: 50,
    ...(pageToken === undefined ? {} : { page_token: pageToken }),
  }
}

function lastMomentMs({ lastAttemptAtMs, nowMs }: FindWindow): number {
  return Math.min(nowMs, lastAttemptAtMs + STRAGGLER_MS)
}

/** Recalled ones count: the part did land. */
function isOurs({ sender }: Listed, appId: string): boolean {
  return sender?.sender_type === 'app' && sender.id === appId
}

/**
 * Clocks are taken as equal. Looking any earlier would find the part before this one and lose this one for it; a
 * clock of ours that runs ahead costs a repeat at worst.
 */
function isWithin(message: Listed, window: FindWindow): boolean {
  const atMs = createdAtMs(message)
  return atMs >= window.firstAttemptAtMs && atMs <= lastMomentMs(window)
}

/** Under a named message ours is its answer; without one ours answers nobody. A topic's anchor may have been replaced. */
function isUnder({ parent_id: parentId }: Listed, { anchor, inTopic }: Target): boolean {
  if (anchor === null) return parentId === undefined || parentId === ''
  return inTopic || parentId === undefined || parentId === anchor
}

function createdAtMs({ create_time: createTime }: Listed): number {
  return Number(createTime ?? Number.NaN)
}
