import type { Conversation } from '../../contract/run.js'

/** One thing wrong with an id, for the field it stands in. `expected` completes the sentence "expected ...". */
export interface AddressFault {
  readonly field: 'workspace' | 'channel' | 'user' | 'thread' | 'message'
  readonly expected: string
}

type Field = AddressFault['field']

/**
 * Shapes of Slack's ids. Slack promises only a leading letter and upper-case letters and digits, and has
 * lengthened ids before, so the check is generous: it catches a name, a URL or another platform's id.
 * Source: docs.slack.dev/reference/objects (conversation, user), docs.slack.dev/messaging (ts).
 */
const SHAPES: Readonly<Record<Field, { readonly pattern: RegExp; readonly expected: string }>> = {
  workspace: { pattern: /^[TE][A-Z0-9]{2,30}$/, expected: 'a Slack team id (T...) or enterprise id (E...)' },
  channel: {
    pattern: /^[CGD][A-Z0-9]{2,30}$/,
    expected: 'a Slack conversation id (C..., G... or D...), not a name',
  },
  user: { pattern: /^[UW][A-Z0-9]{2,30}$/, expected: 'a Slack user id (U... or W...), not a name' },
  thread: {
    pattern: /^\d{9,11}\.\d{6}$/,
    expected: "the parent message's ts, a string: seconds, a dot, six digits",
  },
  message: { pattern: /^\d{9,11}\.\d{6}$/, expected: "a message's ts, a string: seconds, a dot, six digits" },
}

/** What is wrong with `value` as the named field, or null. */
export function checkSlackId(field: Field, value: string): AddressFault | null {
  const { pattern, expected } = SHAPES[field]
  return pattern.test(value) ? null : { field, expected }
}

/** Everything wrong with the ids of a conversation; empty when it can be addressed. Never echoes a value. */
export function checkSlackConversation(ids: {
  readonly workspace?: string | null | undefined
  readonly channel?: string | null | undefined
  readonly user?: string | null | undefined
  readonly thread?: string | null | undefined
}): readonly AddressFault[] {
  const fields = ['workspace', 'channel', 'user', 'thread'] as const
  return fields.flatMap((field) => {
    const value = ids[field]
    return value === null || value === undefined ? [] : (checkSlackId(field, value) ?? [])
  })
}

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
