import { trimSpace } from './parse-line.js'

/** How much of standard error an error text carries, in bytes from its end (reference: source systems, M 1.6). */
const TAIL_BYTES = 2048

/** The end of standard error: at most 2048 bytes, no split or broken character, trimmed. */
export function stderrTail(stderr: string | null): string {
  if (stderr === null || stderr === '') return ''
  // A unit is at least one byte, so this much text holds the tail and little else needs encoding.
  const bytes = new TextEncoder().encode(stderr.slice(-TAIL_BYTES))
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(-TAIL_BYTES))
  return trimSpace(text.replaceAll('\ufffd', ''))
}

/** An error text with the end of standard error behind it, if there is any. */
export function withStderrTail(error: string, label: string, stderr: string | null): string {
  const tail = stderrTail(stderr)
  return tail === '' ? error : `${error}; ${label} stderr: ${tail}`
}
