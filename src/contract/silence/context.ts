import type { ContentBlock } from '../content.js'

/** One entry of a stored conversation. */
export type ContextEntry =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'toolResult' }
  | { readonly role: 'assistant'; readonly stop: string; readonly content: readonly ContentBlock[] }
  /** A summary of what came before, and the entries kept after it. */
  | { readonly role: 'compaction'; readonly retainedTail: readonly ContextEntry[] }

/** What a model reads of an entry. */
export type ContextMessage =
  | Exclude<ContextEntry, { role: 'compaction' }>
  | { readonly role: 'compactionSummary' }

const NOT_READ: ReadonlySet<string> = new Set(['error', 'aborted', 'deferred'])

/**
 * What later turns read of a stored conversation. Replies that failed, were cut off or deferred are left out, and so is
 * every reply without a content block: that is what an accepted silence is stored as.
 */
export function projectContext(entries: readonly ContextEntry[]): readonly ContextMessage[] {
  return entries.flatMap((entry): readonly ContextMessage[] => {
    if (entry.role === 'compaction')
      return [{ role: 'compactionSummary' }, ...projectContext(entry.retainedTail)]
    if (entry.role !== 'assistant') return [entry]
    return NOT_READ.has(entry.stop) || entry.content.length === 0 ? [] : [entry]
  })
}
