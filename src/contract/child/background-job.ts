import { limitDiagnostic } from '../diagnostic.js'
import { contentText } from '../visible-text.js'
import { endingErrors } from './foreground.js'
import type { ChildEnding } from './result.js'

/** What a background job came to. A job that did not complete never carries partial text. */
export type BackgroundJob =
  | { readonly status: 'completed'; readonly output: string }
  | { readonly status: 'killed' }
  | { readonly status: 'failed'; readonly reason: string; readonly diagnostic?: string }
  | { readonly status: 'failed'; readonly cause: readonly string[] }

/** Settles the job of a child that ran in the background. */
export function settleBackgroundJob(ending: ChildEnding): BackgroundJob {
  const errors = endingErrors(ending)
  if (ending.result.kind === 'rejected' || errors.length > 0) return { status: 'failed', cause: errors }
  const { stopReason, output, diagnostic } = ending.result.result
  if (stopReason === 'completed') return { status: 'completed', output: contentText(output) }
  if (stopReason === 'aborted') return { status: 'killed' }
  if (diagnostic === undefined) return { status: 'failed', reason: stopReason }
  return { status: 'failed', reason: stopReason, diagnostic: limitDiagnostic(diagnostic) }
}
