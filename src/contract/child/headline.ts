import type { ChildStopReason } from '../child-stop-reason.js'
import { CHILD_STOP_REASONS } from '../child-stop-reason.js'

type Unfinished = Exclude<ChildStopReason, 'completed'>

/** How a child ended, in one word and in one line. `closing` is the word of a notice about it. */
const HEADLINES = {
  aborted: { text: 'The agent was stopped before it finished', closing: 'stopped' },
  error: { text: 'The agent failed', closing: 'failed' },
  'max-tokens': { text: 'The agent ran out of room before it finished', closing: 'ran-out-of-room' },
  refusal: { text: 'The agent declined', closing: 'declined' },
} as const satisfies Record<Unfinished, { text: string; closing: string }>

const ABNORMAL = { text: 'The agent ended abnormally', closing: 'ended-abnormally' } as const

export type ClosingWord =
  | 'finished'
  | (typeof HEADLINES)[Unfinished]['closing']
  | (typeof ABNORMAL)['closing']

/** A line that names why a child did not finish. `reason` is `abnormal` for a word nobody knows. */
export interface Headline {
  readonly reason: Unfinished | 'abnormal'
  /** The raw stop reason, which the line repeats. */
  readonly names: string
  readonly text: string
}

/** The headline of a child that did not complete. */
export function headlineOf(stopReason: string): Headline {
  const reason = knownReason(stopReason)
  const { text } = reason === null ? ABNORMAL : HEADLINES[reason]
  return { reason: reason ?? 'abnormal', names: stopReason, text: `${text} (${stopReason}).` }
}

/** The word of a notice for how a child ended. */
export function closingWord(stopReason: string): ClosingWord {
  if (stopReason === 'completed') return 'finished'
  const reason = knownReason(stopReason)
  return (reason === null ? ABNORMAL : HEADLINES[reason]).closing
}

function knownReason(stopReason: string): Unfinished | null {
  const known = CHILD_STOP_REASONS.find((reason) => reason === stopReason)
  return known === undefined || known === 'completed' ? null : known
}
