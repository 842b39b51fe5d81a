import { CodexFold, readCodexEvent } from '../adapters/codex.js'
import { matchCauseText } from '../cause-rules.js'
import type { TranscriptEnd, TranscriptSource } from './source.js'
import { OTHER_EVENT } from './source.js'

/** Codex transcripts. A turn that completes without an answer is a failure, as it is for Codex's own callers. */
export function createCodexSource(): TranscriptSource {
  const fold = new CodexFold()
  let sessionId: string | null = null
  return {
    label: 'codex',
    withoutEnd: 'failed',
    isEndFinal: false,
    get sessionId() {
      return sessionId
    },
    collect: () => fold.collect(),
    end: () => endOf(fold),
    read: (raw) => {
      const event = readCodexEvent(raw)
      fold.push(event)
      if (event.kind === 'session') sessionId = event.sessionId
      if (event.kind === 'agent_message') return { role: 'assistant', toolUseCount: 0 }
      return event.kind === 'tool' ? { role: 'other', toolUseCount: 1 } : OTHER_EVENT
    },
  }
}

function endOf(fold: CodexFold): TranscriptEnd | null {
  const { stopReason, failure } = fold.settle()
  if (stopReason === 'aborted') return { status: 'aborted', stopReason: 'cancelled', error: null }
  const turn = fold.turn()
  if (turn === null) return null
  if (failure === null) return { status: 'completed', stopReason: turn.status, error: null }
  const category = failure.category === 'unknown' ? null : failure.category
  const message = turn.message ?? null
  if (stopReason === 'max-tokens' || (message !== null && matchCauseText(message) === 'context_window')) {
    return { status: 'truncated', stopReason: 'contextWindowExceeded', error: message }
  }
  const silent = turn.status === 'completed' ? 'codex completed without an answer' : null
  return { status: 'failed', stopReason: category ?? turn.status, error: message ?? silent }
}
