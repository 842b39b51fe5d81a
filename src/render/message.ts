import type { ButtonKind } from '../contract/run.js'
import type { Language, NoticeLine, Words } from '../locales.js'

/** One localized line of ours: a key with exactly its variables. */
export type Line = NoticeLine

/** A button that a person may press under the last part. `value` is opaque to the platform. */
export interface Button {
  readonly kind: ButtonKind
  readonly value: string
}

/** What one delivery shows, before any platform shapes it. Made by `compose` from a decision. */
export interface Message {
  /** `answer`: the agent's words alone. `notice`: our words, perhaps over the agent's partial text. */
  readonly kind: 'answer' | 'notice'
  readonly header: Line | null
  readonly diagnostic: string | null
  /** The agent's Markdown, untrusted. */
  readonly body: string | null
  /** A last line of ours: how often the same failure happened, or when to try again. Absent: none. */
  readonly footer?: Line
  readonly buttons: readonly Button[]
  /** The page of a failed run, an allowed web address; shown as a small link behind everything else. */
  readonly runUrl?: string
}

/** Everything besides the message that a rendering depends on. Same message and context, same bytes. */
export interface RenderContext {
  readonly words: Words
  /** The one language of this delivery; on Lark the first of the languages a card carries. */
  readonly language: Language
  /** The installation's own language, kept early in a Lark card's budget. */
  readonly installationLanguage: Language
  /** Ids the text may ping. Everything else that looks like a mention is neutralised. */
  readonly mentions: readonly string[]
  /** Literal secrets of the installation, masked wherever they occur. */
  readonly secrets: readonly string[]
  /** Parts above which the answer becomes a preview and a file. */
  readonly maxParts: number
  /** A file may be offered (scope known to be present, or not known to be missing). */
  readonly files: boolean
}
