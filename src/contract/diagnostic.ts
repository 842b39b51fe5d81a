import type { RunStatus } from './outcome.js'

/** The most UTF-8 bytes of a diagnostic, its cut mark included. Contract section 5. */
export const MAX_DIAGNOSTIC_BYTES = 4096
const CUT_MARK = ' […]'

/**
 * A diagnostic within `maxBytes` UTF-8 bytes. A longer one is cut between characters as a person sees them and ends in a
 * visible mark, which the limit includes.
 */
export function limitDiagnostic(text: string, maxBytes: number = MAX_DIAGNOSTIC_BYTES): string {
  if (text.length <= maxBytes && utf8Bytes(text) <= maxBytes) return text
  // A UTF-16 unit takes at least one byte, so nothing past `maxBytes` units can stay.
  const head = text.slice(0, maxBytes + 1)
  const room = maxBytes - utf8Bytes(CUT_MARK)
  let bytes = 0
  let end = 0
  for (const { segment, index } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(head)) {
    bytes += utf8Bytes(segment)
    if (bytes > room) break
    end = index + segment.length
  }
  return `${text.slice(0, end)}${CUT_MARK}`
}

/** The diagnostic a run may carry: none on success and on cancel, none when it is empty, never more than the limit. */
export function diagnosticFor(status: RunStatus, diagnostic: string | null): string | null {
  if (status === 'completed' || status === 'aborted' || diagnostic === null || diagnostic === '') return null
  return limitDiagnostic(diagnostic)
}

/** One fact about a failure from the closed words of its backend. Numbers are what the process or protocol reported. */
export interface FailureFact {
  readonly product: string
  readonly stage: string
  readonly category: string
  readonly httpStatus?: number | undefined
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
}

/** The line that states a failure. */
export function failureLine(fact: FailureFact): string {
  const details = [
    `stage ${fact.stage}`,
    `category ${fact.category}`,
    fact.httpStatus === undefined ? null : `http status ${fact.httpStatus}`,
    fact.exitCode === undefined ? null : `exit code ${fact.exitCode}`,
    fact.signal === undefined ? null : `signal ${fact.signal}`,
  ]
  return `${fact.product} failed: ${details.filter((detail) => detail !== null).join(', ')}`
}

/** The safe diagnostic of a backend: the failure line, then the latest permission line; null when there is neither. */
export function composeDiagnostic(
  status: RunStatus,
  failure: string | null,
  permissions: readonly string[],
): string | null {
  const lines = [failure, permissions.at(-1) ?? null].filter((line) => line !== null)
  return diagnosticFor(status, lines.join('\n'))
}

/** UTF-8 length of text. A lone surrogate counts as the three bytes of its replacement. */
function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
