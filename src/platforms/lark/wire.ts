import type { Part } from '../../render/part.js'

/** A message as Lark takes it: `content` is JSON in a string. */
export interface WireMessage {
  readonly msgType: string
  readonly content: string
}

/** The wire form of a rendered message, `{ msg_type, content }`; null when it is no rendering for Lark. */
export function wireOf(part: Extract<Part, { kind: 'message' }>): WireMessage | null {
  const { msg_type: msgType, content } = part.content
  return typeof msgType === 'string' && typeof content === 'string' ? { msgType, content } : null
}
