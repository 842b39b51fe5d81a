import type { EditResult, Fault, Target } from '../../deliver/platform.js'
import type { Part } from '../../render/part.js'
import { isLarkId } from './address.js'
import type { Called, LarkCaller } from './client-call.js'
import { LARK_LIMITS } from './limits.js'
import { wireOf } from './wire.js'

/**
 * Puts a part in the place of a message of ours: a card by PATCH (14 days), text and post by PUT (20 times). The kind
 * of a message cannot change, and files cannot be edited: then the answer is `not_editable` and the message stands.
 * Sources: open.feishu.cn, server-docs/im-v1/message-card/patch and server-docs/im-v1/message/update.
 */
export async function editMessage(
  caller: LarkCaller,
  { installation }: Target,
  messageId: string,
  part: Part,
): Promise<EditResult> {
  if (!isLarkId('message', messageId)) return { kind: 'bug', code: 'bad_message_id' }
  if (part.kind === 'file') return { kind: 'not_editable', code: 'file' }
  const wire = wireOf(part)
  if (wire === null) return { kind: 'bug', code: 'content_shape' }
  const { msgType, content } = wire
  const path = { message_id: messageId }
  switch (msgType) {
    case 'interactive':
      if (Buffer.byteLength(content) > LARK_LIMITS.cardBytes.max)
        return { kind: 'not_editable', code: 'card_too_large' }
      return edited(
        await caller.call(installation, ({ im, as }) => im.message.patch({ path, data: { content } }, as)),
      )
    case 'text':
    case 'post':
      return edited(
        await caller.call(installation, ({ im, as }) =>
          im.message.update({ path, data: { msg_type: msgType, content } }, as),
        ),
      )
    default:
      return { kind: 'not_editable', code: 'msg_type' }
  }
}

/** Recalls a message of ours. One that is gone already counts as recalled. */
export async function removeMessage(
  caller: LarkCaller,
  { installation }: Target,
  messageId: string,
): Promise<EditResult> {
  if (!isLarkId('message', messageId)) return { kind: 'bug', code: 'bad_message_id' }
  const called = await caller.call(installation, ({ im, as }) =>
    im.message.delete({ path: { message_id: messageId } }, as),
  )
  if (called.kind === 'anchor_dead' && called.fallback === 'conversation') return { kind: 'edited' }
  return edited(called)
}

/**
 * What the send table says of a message or its content means here that this message cannot be changed: codes such as
 * 230071 and 230072 have another text on the edit page ("not the sender", "20 edits made").
 */
function edited(called: Called<unknown>): EditResult {
  if (called.kind === 'ok') return { kind: 'edited' }
  return isAboutTheMessage(called) ? { kind: 'not_editable', code: called.code } : called
}

function isAboutTheMessage({ kind }: Fault): boolean {
  return kind === 'anchor_dead' || kind === 'content' || kind === 'conversation_dead' || kind === 'bug'
}
