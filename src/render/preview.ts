import type { Block } from './nodes.js'

/** How a line of ours wants to be taken. */
export type PreviewTone = 'plain' | 'calm' | 'cut' | 'failure'

/** One piece of a message as a reader sees it, read back from a frozen part. Whoever shows it escapes every text. */
export type PreviewPiece =
  | { readonly kind: 'document'; readonly blocks: readonly Block[] }
  | { readonly kind: 'title'; readonly text: string; readonly tone: PreviewTone }
  /** A small line beside the answer: a header, a counter, where the rest is. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'buttons'; readonly labels: readonly string[] }
  | {
      readonly kind: 'file'
      readonly filename: string
      readonly title: string
      readonly blocks: readonly Block[]
    }
  /** Something of the platform's that has no form here, by its own name. */
  | { readonly kind: 'other'; readonly name: string }
