import { cleanJson, cleanText } from './clean-text.js'
import type { Content, ContentBlock } from './content.js'
import { diagnosticFor } from './diagnostic.js'
import type { AbortedBy, Outcome, RunStatus } from './outcome.js'
import { effectiveStatus } from './status.js'

/** A run's end as its producer reported it. Absent, null, empty text and an empty list all mean nothing. */
export interface ReportedOutcome {
  readonly status: RunStatus
  readonly output?: Content | null | undefined
  readonly partialOutput?: Content | null | undefined
  readonly stopReason?: string | null | undefined
  readonly errorCode?: string | null | undefined
  readonly error?: string | null | undefined
  readonly diagnostic?: string | null | undefined
  readonly abortedBy?: AbortedBy | null | undefined
  readonly retryAfterMs?: number | null | undefined
}

/**
 * The one form of a run's end: a cut or declined run is not completed, only a completed run has output, what any other
 * run wrote is partial, and every text can be stored. Total, and normalising twice changes nothing.
 */
export function normalizeOutcome(reported: ReportedOutcome): Outcome {
  const stopReason = normalText(reported.stopReason)
  const status = effectiveStatus(reported.status, stopReason)
  const output = normalContent(reported.output)
  const isCompleted = status === 'completed'
  const { retryAfterMs } = reported
  return {
    status,
    output: isCompleted ? output : null,
    partialOutput: isCompleted ? null : (normalContent(reported.partialOutput) ?? output),
    stopReason,
    errorCode: normalText(reported.errorCode),
    error: normalText(reported.error),
    diagnostic: diagnosticFor(status, normalText(reported.diagnostic)),
    abortedBy: status === 'aborted' ? (reported.abortedBy ?? null) : null,
    ...(status === 'failed' && retryAfterMs != null && retryAfterMs > 0 ? { retryAfterMs } : {}),
  }
}

function normalText(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const clean = cleanText(text)
  return clean === '' ? null : clean
}

function normalContent(content: Content | null | undefined): Content | null {
  if (content === null || content === undefined || content.length === 0) return null
  if (typeof content === 'string') return normalText(content)
  return content.map(cleanBlock)
}

function cleanBlock(block: ContentBlock): ContentBlock {
  const fields = Object.fromEntries(
    Object.entries(block).map(([name, field]) => [cleanText(name), cleanJson(field)]),
  )
  const type = cleanText(block.type)
  return block.text === undefined ? { ...fields, type } : { ...fields, type, text: cleanText(block.text) }
}
