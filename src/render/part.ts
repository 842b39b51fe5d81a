/** JSON as it goes over the wire. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** How rich a part is. A part refused for its content goes one rung down. */
export const RUNGS = ['rich', 'simple', 'text', 'file'] as const
export type Rung = (typeof RUNGS)[number]

/**
 * One platform message of a delivery, frozen before the first call. `content` is the platform's own shape
 * without the address: the same part can be sent to a thread, a channel or a freshly opened direct conversation.
 */
export type Part =
  | {
      readonly kind: 'message'
      readonly rung: Rung
      readonly content: JsonObject
      /** The Markdown this part shows, safe and complete: what a simpler rendering is made from. */
      readonly markdown: string
      /** The answer goes on, but nothing more of it is shown; the part says so. */
      readonly isCut?: true
    }
  | {
      readonly kind: 'file'
      readonly rung: 'file'
      readonly filename: string
      readonly title: string
      /** The whole answer, UTF-8, safe. */
      readonly markdown: string
    }

/** What rendering did besides rendering; recorded in the receipt. */
export interface RenderNotes {
  readonly maskedSecrets: number
  readonly neutralisedMentions: number
}

export interface Plan {
  readonly parts: readonly Part[]
  readonly notes: RenderNotes
}
