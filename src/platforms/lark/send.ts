import type { Fault, Marker, Request, SendResult, Target } from '../../deliver/platform.js'
import type { JsonObject, Part } from '../../render/part.js'
import { isLarkId } from './address.js'
import type { LarkCaller } from './client-call.js'
import { uploadFile } from './files.js'
import { idempotencyKey, type SendForm } from './idempotency-key.js'
import { livingMessageOf, placeOfMessage } from './topics.js'
import { type WireMessage, wireOf } from './wire.js'

/** What Lark says of a message it took; only what tells where it landed. */
interface Landing {
  readonly message_id?: string | undefined
  readonly root_id?: string | undefined
  readonly parent_id?: string | undefined
  readonly thread_id?: string | undefined
  readonly chat_id?: string | undefined
}

/**
 * Sends one part: as an answer to the anchor when there is one, else into the chat or to the person.
 * Never creates where it was asked to answer: in a topic group that would open a topic.
 */
export async function sendPart(
  caller: LarkCaller,
  target: Target,
  part: Part,
  marker: Marker,
): Promise<SendResult> {
  const misaddressed = addressFault(target)
  if (misaddressed !== null) return misaddressed
  const anchor = await answerable(caller, target)
  if (anchor.kind !== 'anchor') return anchor
  const message = await messageOf(caller, target, part)
  if (message.kind !== 'uploaded') return message
  const sent = await offer(caller, target, anchor.id, message.message, marker)
  if (sent.kind !== 'anchor_dead') return sent
  if (anchor.id === null) return { ...sent, kind: 'conversation_dead' }
  if (!target.inTopic || sent.fallback !== 'conversation') return sent
  const other = await otherAnchor(caller, target, anchor.id, sent)
  if (other.kind !== 'message') return other
  const moved = await offer(caller, target, other.id, message.message, marker)
  return moved.kind === 'anchor_dead' && moved.fallback === 'conversation'
    ? { ...moved, fallback: 'none' }
    : moved
}

/** The call that sends a part, for `preview` and the journal. An upload's key is not known before the upload. */
export function requestFor(target: Target, part: Part, marker: Marker): Request {
  const form = formOf(target)
  const wire = part.kind === 'message' ? wireOf(part) : null
  const data: JsonObject = {
    msg_type: wire?.msgType ?? 'file',
    content: wire?.content ?? null,
    uuid: idempotencyKey(marker, form),
  }
  const upload: JsonObject =
    part.kind === 'file' ? { upload: { file_type: 'stream', file_name: part.filename } } : {}
  if (form === 'create') {
    return {
      method: 'im.message.create',
      payload: {
        ...upload,
        params: { receive_id_type: receiverTypeOf(target) },
        data: { receive_id: target.conversationId, ...data },
      },
    }
  }
  const isTopic = target.anchor !== null && isLarkId('topic', target.anchor)
  const path: JsonObject = isTopic ? { oldest_message_of: target.anchor } : { message_id: target.anchor }
  return {
    method: 'im.message.reply',
    payload: { ...upload, path, data: { ...data, reply_in_thread: target.inTopic } },
  }
}

/** Ids go into request paths as they are, so a wrong one must not leave this host. Null when all have their shape. */
export function addressFault({ conversationId, anchor }: Target): Fault | null {
  if (!isLarkId('chat', conversationId) && !isLarkId('person', conversationId)) {
    return { kind: 'bug', code: 'bad_conversation_id' }
  }
  const isAnchor = anchor === null || isLarkId('message', anchor) || isLarkId('topic', anchor)
  return isAnchor ? null : { kind: 'bug', code: 'bad_anchor_id' }
}

function formOf({ anchor, inTopic }: Target): SendForm {
  if (anchor === null) return 'create'
  return inTopic ? 'reply_in_thread' : 'reply'
}

function receiverTypeOf({ conversationId }: Target): 'open_id' | 'chat_id' {
  return isLarkId('person', conversationId) ? 'open_id' : 'chat_id'
}

async function answerable(
  caller: LarkCaller,
  { installation, anchor }: Target,
): Promise<{ readonly kind: 'anchor'; readonly id: string | null } | Fault> {
  if (anchor === null || !isLarkId('topic', anchor)) return { kind: 'anchor', id: anchor }
  const found = await livingMessageOf(caller, installation, anchor, null)
  return found.kind === 'message' ? { kind: 'anchor', id: found.id } : found
}

/** The asking message is gone: another message of its topic, so that the answer neither leaks nor opens a topic. */
async function otherAnchor(
  caller: LarkCaller,
  { installation, anchor }: Target,
  gone: string,
  refusal: Extract<Fault, { kind: 'anchor_dead' }>,
): Promise<{ readonly kind: 'message'; readonly id: string } | Fault> {
  if (anchor !== null && isLarkId('topic', anchor)) return livingMessageOf(caller, installation, anchor, gone)
  const place = await placeOfMessage(caller, installation, gone)
  if (place.kind === 'place') {
    if (place.topicId === null) return { ...refusal, fallback: 'none' }
    return livingMessageOf(caller, installation, place.topicId, gone)
  }
  return isPassing(place) ? place : { ...refusal, fallback: 'none' }
}

function isPassing(fault: Fault): boolean {
  return ['rate_limited', 'not_sent', 'token', 'installation_dead'].includes(fault.kind)
}

async function messageOf(
  caller: LarkCaller,
  target: Target,
  part: Part,
): Promise<{ readonly kind: 'uploaded'; readonly message: WireMessage } | Fault> {
  if (part.kind === 'file') return uploadFile(caller, target.installation, part)
  const message = wireOf(part)
  return message === null ? { kind: 'bug', code: 'content_shape' } : { kind: 'uploaded', message }
}

async function offer(
  caller: LarkCaller,
  target: Target,
  anchorId: string | null,
  message: WireMessage,
  marker: Marker,
): Promise<SendResult> {
  const data = {
    msg_type: message.msgType,
    content: message.content,
    uuid: idempotencyKey(marker, formOf(target)),
  }
  const called = await caller.call(
    target.installation,
    async ({ im, as }): Promise<{ data?: Landing | undefined }> => {
      if (anchorId !== null) {
        const path = { message_id: anchorId }
        return im.message.reply({ path, data: { ...data, reply_in_thread: target.inTopic } }, as)
      }
      const params = { receive_id_type: receiverTypeOf(target) }
      return im.message.create({ params, data: { ...data, receive_id: target.conversationId } }, as)
    },
  )
  if (called.kind !== 'ok') return called
  const landing = called.value.data ?? {}
  const messageId = landing.message_id
  // A success without an id cannot be recorded; the same key gives the id when it is asked for again.
  if (typeof messageId !== 'string' || !isLarkId('message', messageId))
    return { kind: 'unknown', code: 'no_message_id' }
  return { kind: 'sent', messageId, inPlace: isInPlace(target, anchorId, landing) }
}

/** Lark names where a message landed; a field it leaves out or empty proves nothing. */
function isInPlace(target: Target, anchorId: string | null, landing: Landing): boolean {
  const isChatKnown = isLarkId('chat', target.conversationId) && isNamed(landing.chat_id)
  if (isChatKnown && landing.chat_id !== target.conversationId) return false
  if (anchorId === null) return !isNamed(landing.thread_id) && !isNamed(landing.parent_id)
  if (target.inTopic && !isNamed(landing.thread_id)) return false
  return !isNamed(landing.parent_id) || landing.parent_id === anchorId || landing.root_id === anchorId
}

function isNamed(id: string | undefined): boolean {
  return id !== undefined && id !== ''
}
