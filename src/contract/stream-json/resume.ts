import type { ExitFacts } from '../settlement.js'
import type { StreamFacts } from './facts.js'
import type { Ending } from './finalise.js'
import type { StreamProvider } from './provider.js'

/** How runtimes say that a session cannot be resumed. Network, quota and authentication errors are not among them. */
const REJECTIONS = [
  'no conversation found',
  'no saved session found',
  '已绑定另外',
  'bound to another account',
  'bound to a different account',
] as const

/**
 * Whether the runtime refused to resume the session it was asked for: it failed and said so, or it failed in another
 * session. A timeout, a cancel and a success never are a refusal.
 */
export function isResumeRejected(
  provider: StreamProvider,
  ending: Ending,
  facts: StreamFacts,
  exit: ExitFacts,
): boolean {
  if (ending.status !== 'failed' || exit.resume === null || exit.resume === '') return false
  if (provider.resumeEvidence === 'nowhere') return false
  if (facts.sessionId !== '' && facts.sessionId !== exit.resume) return true
  const spoken = provider.resumeEvidence === 'error' ? ending.error : `${ending.error}\n${exit.stderr ?? ''}`
  const evidence = spoken.toLowerCase()
  return REJECTIONS.some((phrase) => evidence.includes(phrase))
}
