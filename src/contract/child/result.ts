import type { ContentBlock } from '../content.js'

/** What a child run came to, for the agent that asked for it. */
export interface ChildResult {
  /** Empty when there is none. */
  readonly output: readonly ContentBlock[]
  /** One of `CHILD_STOP_REASONS`, or a backend's own word, which is a failure. */
  readonly stopReason: string
  /** Safe words of the provider. Absent when there are none; an empty text is still present. */
  readonly diagnostic?: string | undefined
}

/** A finished child: how its result and its disposal went. Rejections carry the error's message. */
export interface ChildEnding {
  readonly result:
    | { readonly kind: 'settled'; readonly result: ChildResult }
    | { readonly kind: 'rejected'; readonly message: string }
  /** The message of a disposal that rejected; null when it went well. */
  readonly disposalError: string | null
}
