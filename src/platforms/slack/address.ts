import type { Conversation } from '../../contract/run.js'

/**
 * The message a part hangs under. A direct conversation follows the same rule as a channel: a question in a
 * thread is answered there, a question outside one is answered outside.
 *
 * @throws {TypeError} for a conversation of another platform
 */
export function anchorOf(conversation: Conversation): {
  readonly anchor: string | null
  readonly inTopic: false
} {
  if (conversation.platform !== 'slack') {
    throw new TypeError(`expected a slack conversation, got ${conversation.platform}`)
  }
  return { anchor: conversation.thread, inTopic: false }
}

/** A moment as Slack writes it in `oldest` and `latest`: seconds with six decimals. */
export function toSlackTs(epochMs: number): string {
  const ms = Math.max(0, Math.floor(epochMs))
  return `${Math.floor(ms / 1_000)}.${String(ms % 1_000).padStart(3, '0')}000`
}

/** A file's id, where a message id is unknown: a file share has its own id before its message has one. */
export function isFileId(messageId: string): boolean {
  return /^F[A-Z0-9]+$/.test(messageId)
}
