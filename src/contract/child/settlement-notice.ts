import type { ContentBlock } from '../content.js'
import { describeThrown } from '../describe-thrown.js'
import type { ClosingWord } from './headline.js'
import { closingWord } from './headline.js'

/** What a parent is told when a resident child settles. The summary never carries the child's words. */
export interface SettlementNotice {
  readonly headline: ClosingWord
  readonly summary: string
  readonly body:
    | { readonly kind: 'closing'; readonly output: readonly ContentBlock[] }
    | { readonly kind: 'no_closing_message' }
}

/** How a settled epoch ended. A failed teardown withholds even a good answer. */
export interface SettledEpoch {
  readonly stopReason: string
  readonly output: readonly ContentBlock[] | null
  readonly isTeardownFailed: boolean
}

const SUMMARIES = {
  finished: 'The agent finished.',
  stopped: 'The agent was stopped.',
  'ran-out-of-room': 'The agent ran out of room.',
  declined: 'The agent declined.',
  failed: 'The agent failed.',
  'ended-abnormally': 'The agent ended abnormally.',
} as const satisfies Record<ClosingWord, string>

/** The notice of one settled epoch. Sent for every child the parent knows, even one that reported by itself. */
export function settlementNotice(epoch: SettledEpoch): SettlementNotice {
  const headline = closingWord(epoch.isTeardownFailed ? 'error' : epoch.stopReason)
  const output = epoch.isTeardownFailed ? null : epoch.output
  const body =
    output === null || output.length === 0
      ? ({ kind: 'no_closing_message' } as const)
      : ({ kind: 'closing', output } as const)
  return { headline, summary: SUMMARIES[headline], body }
}

export type ParentState = 'idle' | 'running' | 'closing' | 'gone'
export type NoticeRoute = 'new-turn' | 'next-step' | 'inject-without-waking' | 'drop'

const ROUTES = {
  idle: 'new-turn',
  running: 'next-step',
  closing: 'inject-without-waking',
  gone: 'drop',
} as const satisfies Record<ParentState, NoticeRoute>

/** How a notice reaches its parent. */
export function routeNotice(parent: ParentState): NoticeRoute {
  return ROUTES[parent]
}

/** Hands a notice over. A failing delivery is reported and contained: the teardown behind it goes on. */
export function sendSettlementNotice(
  notice: SettlementNotice,
  deliver: (notice: SettlementNotice) => void,
  onError: (message: string) => void,
): boolean {
  try {
    deliver(notice)
    return true
  } catch (thrown) {
    onError(describeThrown(thrown))
    return false
  }
}
