import type { Content } from './content.js'
import type { Outcome } from './outcome.js'

/** About how many UTF-16 units an outcome takes. */
export function outcomeChars({ output, partialOutput, error, diagnostic }: Outcome): number {
  return contentChars(output) + contentChars(partialOutput) + (error?.length ?? 0) + (diagnostic?.length ?? 0)
}

function contentChars(content: Content | null): number {
  if (content === null) return 0
  // A block may carry anything besides its text.
  return typeof content === 'string' ? content.length : JSON.stringify(content).length
}
