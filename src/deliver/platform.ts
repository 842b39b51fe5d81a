import type { Conversation, PlatformName, Surface } from '../contract/run.js'
import type { Message, RenderContext } from '../render/message.js'
import type { JsonObject, Part, Plan } from '../render/part.js'

/** The installation a call is made for. A platform asks its credential source for the token; nobody else sees it. */
export interface InstallationRef {
  readonly id: string
  readonly platform: PlatformName
  /** Slack team or enterprise id; Lark tenant key. */
  readonly tenant: string
}

/**
 * Where a part goes, resolved: no person to look up, no surface to ask for. `anchor` is the message or thread the
 * part hangs under (Slack: the parent's id; Lark: the message replied to), null for the conversation itself.
 */
export interface Target {
  readonly installation: InstallationRef
  /** Slack: the workspace an org-wide token acts in. Lark: the tenant. */
  readonly workspace: string
  readonly conversationId: string
  readonly anchor: string | null
  /** Lark: answer inside the topic of `anchor`. Slack: always false. */
  readonly inTopic: boolean
  readonly surface: Surface
}

/** Ids that mark a platform message as ours, so that an unknown outcome can be looked up. No text, no secret. */
export interface Marker {
  readonly deliveryId: string
  readonly partIndex: number
  /** Grows when a part is replaced by a simpler rendering: other content, other idempotency key. */
  readonly rendering: number
  /** Notices of ours carry this, so that other bots can ignore them. */
  readonly isNotice: boolean
}

/** What a wait applies to. `conversation`: this channel or chat; `method`: this installation's method; `app`: everything of it. */
export type GateScope = 'conversation' | 'method' | 'app'

interface Coded {
  /** The vendor's code or our name for what happened: `[a-z0-9_]+` or digits. Never vendor prose. */
  readonly code: string
  /** The vendor's id of the call, for their support. */
  readonly vendorLogId?: string | undefined
}

/** A refusal or failure of one call, by what must happen next. Made by `classify`, one table a platform. */
export type Fault =
  /** Wait, then the same call again. Costs no attempt. */
  | (Coded & {
      readonly kind: 'rate_limited'
      readonly scope: GateScope
      readonly retryAfterMs: number | null
    })
  /** Nothing was accepted: retry with backoff. */
  | (Coded & { readonly kind: 'not_sent' })
  /** It may have been accepted: look before sending again. */
  | (Coded & { readonly kind: 'unknown' })
  /** The same idempotency key is being processed: ask again with it shortly. */
  | (Coded & { readonly kind: 'in_flight' })
  /** The token was refused: refresh once, then the same call. */
  | (Coded & { readonly kind: 'token' })
  /** Nothing of this installation can be sent until somebody acts. */
  | (Coded & { readonly kind: 'installation_dead'; readonly remedy: 'reinstall' | 'admin' | 'quota' })
  /** This conversation cannot be written to. */
  | (Coded & { readonly kind: 'conversation_dead' })
  /** The anchor is gone or cannot be answered; the conversation is fine. */
  | (Coded & { readonly kind: 'anchor_dead'; readonly fallback: 'conversation' | 'plain_reply' | 'none' })
  /** The content was refused. `final`: no other rendering may be tried (moderation). */
  | (Coded & { readonly kind: 'content'; readonly final: boolean })
  /** Our own mistake: dead-letter, loud. */
  | (Coded & { readonly kind: 'bug' })

export type FaultKind = Fault['kind']

/** A message that is known to stand in the conversation. */
export interface Sent {
  readonly kind: 'sent'
  readonly messageId: string
  /** False when the platform put it elsewhere than asked (another thread, a new topic). */
  readonly inPlace: boolean
}

export type SendResult = Sent | Fault
export type FindResult = Sent | { readonly kind: 'absent' } | Fault
export type EditResult =
  | { readonly kind: 'edited' }
  | { readonly kind: 'not_editable'; readonly code: string }
  | Fault

/** What the platform says a conversation is. */
export interface ConversationFacts {
  readonly kind: 'facts'
  readonly conversationId: string
  readonly surface: Surface
  readonly isMember: boolean | null
  readonly isArchived: boolean
  /** Lark: a create opens a topic here. */
  readonly isTopicGroup: boolean
  readonly name: string | null
  /** As the platform wrote it. */
  readonly locale: string | null
}

export type DescribeResult = ConversationFacts | Fault

/** One call as it would go out; what `preview` prints and the attempts journal names. */
export interface Request {
  readonly method: string
  readonly payload: JsonObject
}

/** When a part's outcome became unknown, for a bounded look-up. Milliseconds since the Unix epoch, UTC. */
export interface FindWindow {
  readonly firstAttemptAtMs: number
  readonly lastAttemptAtMs: number
  readonly nowMs: number
}

/**
 * One chat platform. The first six are pure. The others make at most a few calls each, never retry by
 * themselves, never wait for a rate limit, and return a `Fault` instead of throwing for anything a vendor or a
 * network can do.
 */
export interface Platform {
  readonly name: PlatformName
  /** Shapes a message into parts within the platform's limits. Deterministic. */
  render(message: Message, context: RenderContext): Plan
  /** The next simpler rendering of a refused part, or null when there is none. A file falls back to parts. */
  simplify(part: Part, code: string, context: RenderContext): readonly Part[] | null
  /**
   * The same part with a line for its reader that it may stand in the chat already: for a part sent again because
   * nobody can tell. Null where no line can be added, or stands already.
   */
  markRepeat(part: Part, context: RenderContext): Part | null
  /** The call that would send a part. */
  toRequest(target: Target, part: Part, marker: Marker): Request
  /** The id a run's conversation is kept under when it is only known by person. */
  anchorOf(conversation: Conversation): { readonly anchor: string | null; readonly inTopic: boolean }
  /** How long after a call an unknown outcome may be resent with the same key, in ms; 0 when there is no key. */
  readonly sameKeyWindowMs: number

  send(target: Target, part: Part, marker: Marker): Promise<SendResult>
  /** Looks for a part whose outcome is unknown. */
  find(target: Target, marker: Marker, window: FindWindow): Promise<FindResult>
  /** Replaces a message of ours. */
  edit(target: Target, messageId: string, part: Part, marker: Marker): Promise<EditResult>
  /** Deletes a message of ours; gone already counts as deleted. */
  remove(target: Target, messageId: string): Promise<EditResult>
  describe(installation: InstallationRef, workspace: string, conversationId: string): Promise<DescribeResult>
  /** Opens (or finds) the direct conversation with a person. Idempotent. */
  openDirect(installation: InstallationRef, workspace: string, personId: string): Promise<DescribeResult>
  /** A person's language as the platform knows it, or null (unknown, or the scope is missing). */
  personLocale(installation: InstallationRef, workspace: string, personId: string): Promise<string | null>
  /** A link to a message, or null. Slack makes a call; Lark has none. */
  permalink(target: Target, messageId: string): Promise<string | null>
  /** Clears a status line or reaction the producer left. Best effort; faults are returned for the journal. */
  clearAcknowledgement(
    target: Target,
    acknowledgement: {
      readonly reaction: { readonly message: string; readonly name: string } | null
      readonly status: boolean
    },
  ): Promise<Fault | null>
  /** Drops the cached token and gets a new one, once for all who ask at the same time. */
  refreshToken(installation: InstallationRef): Promise<{ readonly kind: 'refreshed' } | Fault>
}
