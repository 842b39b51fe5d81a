import type { Line } from './message.js'

/** How a reader should take a line of ours: something went wrong, something was cut short, or nothing to worry about. */
export type Tone = 'failure' | 'cut' | 'calm'

/** Seen without colour too. */
export const SIGNS: Readonly<Record<Tone, string>> = { failure: '⚠️ ', cut: '✂️ ', calm: 'ℹ️ ' }

const CUT: ReadonlySet<string> = new Set([
  'header.cause.output_limit',
  'header.cause.context_window',
  'header.cause.turn_limit',
  'header.status.truncated',
])
const CALM: ReadonlySet<string> = new Set([
  'header.cause.cancelled',
  'header.cause.refused',
  'header.status.aborted',
  'header.status.refused',
])

/** Every header that is neither cut nor calm is a failure; every other line is calm. */
export function toneOf(line: Line): Tone {
  if (!line.key.startsWith('header.') || CALM.has(line.key)) return 'calm'
  return CUT.has(line.key) ? 'cut' : 'failure'
}

/** The sign that stands before a line of ours. */
export function signOf(line: Line): string {
  return SIGNS[toneOf(line)]
}
