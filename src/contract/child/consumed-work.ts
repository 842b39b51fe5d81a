/** What a session log says about work taken and dropped. Any other kind says nothing. */
export type WorkEvent =
  | { readonly kind: 'turn_start'; readonly turn: number }
  | { readonly kind: 'claim' }
  | { readonly kind: 'step_start'; readonly turn: number }
  | { readonly kind: 'turn_end'; readonly turn: number; readonly reason: string }
  | { readonly kind: 'accept' }
  | { readonly kind: 'cancel_pending' }
  | { readonly kind: 'replace_pending' }

/** Which turn answers for a run, and whether accepted work was dropped after it without being run. */
export interface ConsumedWork {
  readonly accountingTurn: number | null
  /** The reason that turn ended with. */
  readonly turnEnd: string | null
  readonly isDroppedUnrun: boolean
}

interface OpenTurn {
  readonly turn: number
  readonly hasClaimed: boolean
  readonly hasStepped: boolean
}

interface WorkState extends ConsumedWork {
  readonly open: OpenTurn | null
}

const NOTHING: WorkState = { accountingTurn: null, turnEnd: null, isDroppedUnrun: false, open: null }

/**
 * Accounts for a run's work: the latest closed turn that reached a model step, or that took input and then ended other
 * than `completed`. Turns that took nothing are skipped; a later accounting turn absorbs an earlier drop.
 */
export function accountForWork(events: Iterable<WorkEvent>): ConsumedWork {
  let state = NOTHING
  for (const event of events) state = takeWork(state, event)
  const { accountingTurn, turnEnd, isDroppedUnrun } = state
  return { accountingTurn, turnEnd, isDroppedUnrun }
}

function takeWork(state: WorkState, event: WorkEvent): WorkState {
  const { open } = state
  switch (event.kind) {
    case 'turn_start':
      return { ...state, open: { turn: event.turn, hasClaimed: false, hasStepped: false } }
    case 'claim':
      return open === null ? state : { ...state, open: { ...open, hasClaimed: true } }
    case 'step_start':
      return open?.turn === event.turn ? { ...state, open: { ...open, hasStepped: true } } : state
    case 'turn_end':
      return open?.turn === event.turn ? closeTurn(state, open, event.reason) : state
    case 'cancel_pending':
      return { ...state, isDroppedUnrun: true }
    case 'accept':
    case 'replace_pending':
      return state
    default:
      return event satisfies never
  }
}

function closeTurn(state: WorkState, turn: OpenTurn, reason: string): WorkState {
  const accounts = turn.hasStepped || (turn.hasClaimed && reason !== 'completed')
  if (!accounts) return { ...state, open: null }
  return { accountingTurn: turn.turn, turnEnd: reason, isDroppedUnrun: false, open: null }
}
