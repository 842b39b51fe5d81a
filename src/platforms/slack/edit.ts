import { z } from 'zod'
import type { EditResult, Fault, Marker, Target } from '../../deliver/platform.js'
import type { JsonObject, Part } from '../../render/part.js'
import { isFileId } from './address.js'
import type { SlackCall } from './call.js'
import { NOT_EDITABLE } from './error-codes.js'
import { markerMetadata } from './request.js'

/** docs.slack.dev/reference/methods/chat.update: longer texts are `msg_too_long`. UTF-16 units, the larger count. */
const MAX_UPDATE_TEXT_CHARS = 4_000

/**
 * Replaces a message of ours. Repeating it is harmless, so an `unknown` outcome may simply be tried again.
 * A file cannot be edited, and neither can a message whose whole text is too long for an update.
 */
export async function edit(
  call: SlackCall,
  target: Target,
  messageId: string,
  part: Part,
  marker: Marker,
): Promise<EditResult> {
  if (part.kind === 'file' || isFileId(messageId)) return { kind: 'not_editable', code: 'file' }
  const content = fitForUpdate(part.content)
  if (content === null) return { kind: 'not_editable', code: 'msg_too_long' }
  const answer = await call(target, 'chat.update', {
    ...content,
    channel: target.conversationId,
    ts: messageId,
    metadata: markerMetadata(marker),
  })
  return answer.kind === 'answer' ? { kind: 'edited' } : orNotEditable(answer)
}

/** Deletes a message or file of ours. */
export async function remove(call: SlackCall, target: Target, messageId: string): Promise<EditResult> {
  const answer = isFileId(messageId)
    ? await call(target, 'files.delete', { file: messageId })
    : await call(target, 'chat.delete', { channel: target.conversationId, ts: messageId })
  if (answer.kind === 'answer') return { kind: 'edited' }
  const isGone = ['message_not_found', 'file_not_found', 'file_deleted'].includes(answer.code)
  return isGone ? { kind: 'edited' } : orNotEditable(answer)
}

const Permalink = z.object({ permalink: z.url() })
const FilePermalink = z.object({ file: Permalink })

/** A link to a message, or null when Slack does not give one. */
export async function permalink(call: SlackCall, target: Target, messageId: string): Promise<string | null> {
  if (isFileId(messageId)) {
    const answer = await call(target, 'files.info', { file: messageId })
    return answer.kind === 'answer'
      ? (FilePermalink.safeParse(answer.body).data?.file.permalink ?? null)
      : null
  }
  const answer = await call(target, 'chat.getPermalink', {
    channel: target.conversationId,
    message_ts: messageId,
  })
  return answer.kind === 'answer' ? (Permalink.safeParse(answer.body).data?.permalink ?? null) : null
}

/**
 * The text of a message with blocks is only its notification and may be cut. Without blocks it is the message.
 * Blocks are always sent: leaving them out would keep the old message's. Whether links unfurl was settled when the
 * message was posted; an update has no such arguments (docs.slack.dev/reference/methods/chat.update).
 */
function fitForUpdate(content: JsonObject): JsonObject | null {
  const { unfurl_links: _links, unfurl_media: _media, ...rest } = content
  const { text, blocks } = rest
  const hasBlocks = Array.isArray(blocks) && blocks.length > 0
  if (typeof text !== 'string' || text.length <= MAX_UPDATE_TEXT_CHARS)
    return { ...rest, blocks: blocks ?? [] }
  if (!hasBlocks) return null
  return { ...rest, text: cutText(text, MAX_UPDATE_TEXT_CHARS) }
}

function cutText(text: string, maxChars: number): string {
  const cut = text.slice(0, maxChars - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

function orNotEditable(fault: Fault): EditResult {
  return NOT_EDITABLE.has(fault.code) ? { kind: 'not_editable', code: fault.code } : fault
}
