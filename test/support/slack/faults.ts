/** One call as the fake saw it. */
export interface SlackCallRecord {
  /** Order of arrival, from 1. */
  readonly number: number
  readonly method: string
  readonly token: string | null
  readonly channel: string | null
  readonly args: ReadonlyMap<string, string>
  readonly atMs: number
}

/** What goes wrong with one call. `after`: the work was done, and only the answer is lost. */
export type SlackFault =
  /** HTTP 429. `retryAfter` is the header as it stands, null leaves it out. Nothing was done. */
  | { readonly kind: 'rate_limit'; readonly retryAfter: string | null }
  /** 200 with `ok: false`. Nothing was done unless `when` says so. */
  | {
      readonly kind: 'error'
      readonly code: string
      readonly when?: 'before' | 'after'
      readonly retryAfter?: string
    }
  | {
      readonly kind: 'http'
      readonly status: number
      readonly when: 'before' | 'after'
      readonly body?: string
    }
  /** The connection is closed without an answer. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** The work is done, the answer stops half-way. */
  | { readonly kind: 'cut' }
  /** No answer ever; the connection stays open. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  /** 200 with a page instead of JSON, as a proxy sends it. */
  | { readonly kind: 'html'; readonly when: 'before' | 'after' }
  /** 200 with this body. */
  | { readonly kind: 'body'; readonly text: string; readonly when: 'before' | 'after' }
  /** Answered, but late: after `delayMs`, the work being done at once or only then. */
  | { readonly kind: 'slow'; readonly delayMs: number; readonly commit: 'now' | 'then' }
  /** The connection is closed at once and the work done `delayMs` later. */
  | { readonly kind: 'late_commit'; readonly delayMs: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }

export type CallMatcher =
  | string
  | { readonly method?: string; readonly channel?: string; readonly token?: string }
  | ((call: SlackCallRecord) => boolean)

/** Scripted faults: a queue of one-time ones, and a function for storms. */
export class Faults {
  readonly #queue: { readonly matches: (call: SlackCallRecord) => boolean; readonly fault: SlackFault }[] = []
  #decide: ((call: SlackCallRecord) => SlackFault | null) | null = null

  /** The next call that matches goes wrong, once. Several for the same calls happen in the order given. */
  next(matcher: CallMatcher, fault: SlackFault, times = 1): void {
    for (let n = 0; n < times; n += 1) this.#queue.push({ matches: toPredicate(matcher), fault })
  }

  /** Asked for every call that no one-time fault took; null leaves it alone. */
  decide(chooser: ((call: SlackCallRecord) => SlackFault | null) | null): void {
    this.#decide = chooser
  }

  clear(): void {
    this.#queue.length = 0
    this.#decide = null
  }

  /** One-time faults that no call has met yet. */
  get pending(): number {
    return this.#queue.length
  }

  take(call: SlackCallRecord): SlackFault | null {
    const index = this.#queue.findIndex(({ matches }) => matches(call))
    if (index >= 0) return this.#queue.splice(index, 1)[0]?.fault ?? null
    return this.#decide?.(call) ?? null
  }
}

function toPredicate(matcher: CallMatcher): (call: SlackCallRecord) => boolean {
  if (typeof matcher === 'function') return matcher
  if (typeof matcher === 'string') return (call) => call.method === matcher
  return (call) =>
    (matcher.method === undefined || matcher.method === call.method) &&
    (matcher.channel === undefined || matcher.channel === call.channel) &&
    (matcher.token === undefined || matcher.token === call.token)
}
