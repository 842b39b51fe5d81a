/** One block of an agent's output. `type` is open: unknown kinds occur and are kept. */
export interface ContentBlock {
  readonly type: string
  readonly text?: string | undefined
  readonly [field: string]: unknown
}

/** What an agent said: plain text, or ordered content blocks. */
export type Content = string | readonly ContentBlock[]
