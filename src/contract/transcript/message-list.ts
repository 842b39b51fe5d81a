import { readAnthropicEntry } from '../adapters/anthropic.js'
import { readOpenAiEntry } from '../adapters/openai.js'
import type { ContentBlock } from '../content.js'
import type { JsonObject } from '../json-object.js'
import { AssistantOutputFold } from '../selection/fold.js'
import { canonicalReason, statusFromStopReason } from '../status.js'
import { countToolUses } from './content-block.js'
import type { TranscriptEnd, TranscriptSource } from './source.js'
import { OTHER_EVENT } from './source.js'

/** One entry of a message list, whichever API wrote it. */
type Entry =
  | { readonly kind: 'message'; readonly content: readonly ContentBlock[]; readonly reason: string | null }
  | { readonly kind: 'delta'; readonly text: string; readonly reason?: string | null }
  | { readonly kind: 'reason'; readonly reason: string | null }
  | { readonly kind: 'question' }
  | { readonly kind: 'failed'; readonly message: string | null; readonly reason: string | null }
  | { readonly kind: 'other' }

/** Reasons of a message that waits for a tool: the turn goes on. */
const WAITS_FOR_TOOL: ReadonlySet<string> = new Set(['tool_use', 'tool_calls', 'function_call'])

/** OpenAI-style messages, completions or chunks. What stood before the last question belongs to an earlier turn. */
export function createOpenAiSource(): TranscriptSource {
  return createMessageListSource('openai', readOpenAiEntry)
}

/** Anthropic-style messages or stream events. What stood before the last question belongs to an earlier turn. */
export function createAnthropicSource(): TranscriptSource {
  return createMessageListSource('anthropic', readAnthropicEntry)
}

function createMessageListSource(
  label: 'openai' | 'anthropic',
  readEntry: (raw: JsonObject) => Entry,
): TranscriptSource {
  const list = new MessageList(label)
  return {
    label,
    withoutEnd: 'failed',
    isEndFinal: false,
    sessionId: null,
    collect: () => list.collect(),
    end: () => list.end(),
    read: (raw) => {
      const entry = readEntry(raw)
      list.take(entry)
      if (entry.kind === 'message') return { role: 'assistant', toolUseCount: countToolUses(entry.content) }
      return entry.kind === 'delta' ? { role: 'assistant', toolUseCount: 0 } : OTHER_EVENT
    },
  }
}

class MessageList {
  readonly #source: 'openai' | 'anthropic'
  #fold = new AssistantOutputFold()
  #end: TranscriptEnd | null = null

  constructor(source: 'openai' | 'anthropic') {
    this.#source = source
  }

  take(entry: Entry): void {
    switch (entry.kind) {
      case 'question':
        this.#fold = new AssistantOutputFold()
        this.#end = null
        return
      case 'message':
        this.#fold.add({ message: entry.content, text: '' })
        this.#end =
          countToolUses(entry.content) > 0 && entry.reason === null ? null : this.#endOf(entry.reason)
        return
      case 'delta':
        this.#fold.pushText(entry.text)
        if (entry.reason !== null && entry.reason !== undefined) this.#end = this.#endOf(entry.reason)
        return
      case 'reason':
        if (entry.reason !== null) this.#end = this.#endOf(entry.reason)
        return
      case 'failed':
        this.#end = { status: 'failed', stopReason: entry.reason, error: entry.message }
        return
      case 'other':
        return
      default:
        entry satisfies never
    }
  }

  collect(): readonly ContentBlock[] | null {
    return this.#fold.collect()
  }

  end(): TranscriptEnd | null {
    return this.#end
  }

  /** A plain list names no reasons: an assistant message that asks for no tool ends its turn. */
  #endOf(reason: string | null): TranscriptEnd | null {
    if (reason === null) return { status: 'completed', stopReason: null, error: null }
    if (WAITS_FOR_TOOL.has(canonicalReason(reason))) return null
    return { status: statusFromStopReason(this.#source, reason), stopReason: reason, error: null }
  }
}
