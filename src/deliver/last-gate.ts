import type { Policy } from '../contract/decision.js'
import { shownText } from '../contract/shown-text.js'
import type { Head } from './ledger.js'

/**
 * Whether a delivery that was planned earlier must be decided again before anything of it goes out: its whole text means
 * silence by now. Plans outlive settings; what an operator calls a silence token today is not said by a retry or a
 * replay of yesterday's plan.
 */
export function isWithheld(head: Head, policy: Policy): boolean {
  if (head.decision?.kind !== 'relay' || head.parts.some((part) => part.state === 'sent')) return false
  return shownText(head.decision.text, policy.silenceTokens).kind === 'silence'
}
