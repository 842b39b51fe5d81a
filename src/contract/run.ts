import type { Outcome } from './outcome.js'

export const PLATFORM_NAMES = ['slack', 'lark'] as const
export type PlatformName = (typeof PLATFORM_NAMES)[number]

/** `direct`: one person and the bot. `channel`: everything with more than one reader. */
export type Surface = 'direct' | 'channel'

/** Where in a workspace or tenant: a known conversation, or a person whose direct conversation is opened. */
export type Place =
  | { readonly kind: 'conversation'; readonly id: string }
  | { readonly kind: 'person'; readonly id: string }

/** A Slack conversation. `workspace` is null while the only installation is meant. */
export interface SlackConversation {
  readonly platform: 'slack'
  readonly workspace: string | null
  readonly place: Place
  /** The parent message's id when the run was asked for in a thread. */
  readonly thread: string | null
  /** Null: the platform is asked. */
  readonly surface: Surface | null
}

/** A Lark or Feishu conversation. `tenant` is null while the only installation is meant. */
export interface LarkConversation {
  readonly platform: 'lark'
  readonly tenant: string | null
  readonly place: Place
  /** The message to answer, if any. */
  readonly replyTo: string | null
  /** The topic the question stands in, if any. Never a reply target by itself. */
  readonly thread: string | null
  readonly surface: Surface | null
}

export type Conversation = SlackConversation | LarkConversation

export const TRIGGER_KINDS = ['user', 'schedule', 'completion_notice', 'system'] as const
export type TriggerKind = (typeof TRIGGER_KINDS)[number]

/** Why a run happened. `via` names the surface its input came from (`slack`, `lark`, `web`, ...). */
export interface Trigger {
  readonly kind: TriggerKind
  readonly requester: string | null
  readonly via: string | null
  /** The completion notice that started the run; only the ledger makes it count. */
  readonly noticeId: string | null
}

export type TaskKind = 'chat' | 'issue'

/** What a producer left in the conversation while the run was working; removed when the delivery ends. */
export interface Acknowledgement {
  /** A placeholder message of this bot, replaced by the answer or deleted. */
  readonly message: string | null
  /** A reaction of this bot on the asking message. */
  readonly reaction: { readonly message: string; readonly name: string } | null
  /** Slack's "is thinking" line of the thread. */
  readonly status: boolean
}

/** One finished agent execution, parsed. Ids are opaque; times are milliseconds since the Unix epoch, UTC. */
export interface Run {
  readonly runId: string
  /** 1-based; a later attempt of the same run replaces what an earlier one showed. */
  readonly attempt: number
  readonly conversation: Conversation
  readonly trigger: Trigger
  readonly taskKind: TaskKind
  readonly outcome: Outcome
  /** As the producer wrote it; resolved by `locales`. */
  readonly locale: string | null
  readonly runUrl: string | null
  /** Ids the text may ping. */
  readonly mentions: readonly string[]
  readonly supersededBy: string | null
  readonly retryPending: boolean
  readonly finishedAtMs: number | null
  readonly expiresAtMs: number | null
  readonly acknowledgement: Acknowledgement | null
  /** Opt-in buttons under the message. */
  readonly buttons: readonly ButtonKind[]
  /** W3C trace context of the producer. */
  readonly traceparent: string | null
}

export const BUTTON_KINDS = ['continue', 'retry', 'feedback'] as const
export type ButtonKind = (typeof BUTTON_KINDS)[number]
